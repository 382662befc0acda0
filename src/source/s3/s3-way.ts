import pLimit from 'p-limit';
import type { Identity } from '../../aws/clients.ts';
import { inflate } from '../../stream/inflate.ts';
import { type Done, type Job, notPlain, type Way } from '../thread-messages.ts';
import { collect, flow, SMALL_BODY } from './body.ts';
import { readHead } from './head.ts';
import { type Endpoint, LeanGet, type LeanOptions } from './lean-get.ts';
import { courseAfter } from './refusal.ts';

/** Large objects keep a megabyte or more each while they flow. */
const large = pLimit(2);

/** Plain GETs, one try each. */
export function s3Way(endpoint: Endpoint, identity: Identity, options: LeanOptions): Way {
  const lean = new LeanGet(endpoint, { identity: () => Promise.resolve(identity) }, options);
  return async (job) => {
    try {
      return await getPlain(lean, options.idleTimeoutMs, job);
    } catch {
      return notPlain(job);
    }
  };
}

/** One try. Throws what the network throws. */
async function getPlain(lean: LeanGet, idleTimeoutMs: number, job: Job): Promise<Done> {
  const { id, bucket, key, options } = job;
  const { keep, versionId, limits } = options;
  const answer = await lean.get({ bucket, key, ...(versionId !== undefined && { versionId }) });
  if (!answer.ok) return { id, back: courseAfter(answer) === 'throttled' ? 'throttled' : 'not-plain' };
  const { length, metadata, lock, lastModified } = readHead(answer.headers);
  if (length === null) {
    answer.body.destroy();
    return notPlain(job);
  }
  // While it waits for its turn nobody else would hear it break off.
  answer.body.on('error', () => undefined);
  const how = { keep, ...(limits && { limits }) };
  const content =
    length <= SMALL_BODY
      ? await inflate(await collect(answer.body, length, idleTimeoutMs), how)
      : await large(() => inflate(flow(answer.body, length, idleTimeoutMs), how));
  return { id, reading: { ...content, head: { metadata, lock, lastModified } } };
}
