import type { Identity } from '../../aws/clients.ts';
import { inflate } from '../../stream/inflate.ts';
import { type Done, type Job, notPlain, type Way } from '../thread-messages.ts';
import { Connections } from './connections.ts';
import { readHead } from './head.ts';
import type { LeanOptions } from './lean-get.ts';
import { type Endpoint, SignedGets } from './signed-get.ts';

/** Plain GETs, one try each. */
export function s3Way(endpoint: Endpoint, identity: Identity, options: LeanOptions): Way {
  const gets = new SignedGets(endpoint, options);
  const connections = new Connections(endpoint, options.idleTimeoutMs);

  /** Throws what the network throws. */
  async function getPlain(job: Job): Promise<Done> {
    const { id, key, options: how } = job;
    const { keep, versionId, limits } = how;
    const { target, headers } = gets.object(identity, { key, ...(versionId !== undefined && { versionId }) });
    const answer = await connections.get(target, headers);
    if (!('body' in answer)) {
      return answer.status === 503 || answer.status === 429 ? { id, back: 'throttled' } : notPlain(job);
    }
    const content = await inflate(answer.body, { keep, ...(limits && { limits }) });
    connections.release(answer);
    const { metadata, lock, lastModified } = readHead(answer.headers);
    return { id, reading: { ...content, head: { metadata, lock, lastModified } } };
  }

  return async (job) => {
    try {
      return await getPlain(job);
    } catch {
      return notPlain(job);
    }
  };
}
