/** A thread that reads for `thread-reader.ts`: fetches, inflates and hashes what is plain, gives back what is not. */
import { parentPort } from 'node:worker_threads';
import pLimit from 'p-limit';
import type { Identity } from '../aws/clients.ts';
import { inflate } from '../stream/inflate.ts';
import type { Delegation } from './delegation.ts';
import { directorySource } from './directory.ts';
import { readObject } from './reading.ts';
import { collect, flow, SMALL_BODY } from './s3/body.ts';
import { readHead } from './s3/head.ts';
import { type Endpoint, LeanGet, type LeanOptions } from './s3/lean-get.ts';
import { courseAfter } from './s3/refusal.ts';
import { type Done, type Job, type Jobs, pack, type ToThread } from './thread-messages.ts';

/** What one delegation lets this thread do. */
type Way = (job: Job) => Promise<Done>;

/** Large objects keep a megabyte or more each while they flow. */
const large = pLimit(2);
const ways = new Map<number, Way>();
let done: Done[] = [];

parentPort?.on('message', (message: ToThread) => {
  if (message.type === 'way') ways.set(message.way, wayOf(message.delegation));
  else takeAll(message);
});

function takeAll({ id, way, bucket, keys, options }: Jobs): void {
  const read = ways.get(way) ?? ((job: Job) => Promise.resolve(notPlain(job)));
  for (const [n, key] of keys.entries()) void work(read, { id: id + n, bucket, key, options });
}

async function work(read: Way, job: Job): Promise<void> {
  const result = await read(job);
  if (done.length === 0) setImmediate(tell);
  done.push(result);
}

/** What has come up since the last turn goes in one message. */
function tell(): void {
  const results = done;
  done = [];
  const message = pack(results);
  parentPort?.postMessage(message, [message.contents.buffer as ArrayBuffer]);
}

function notPlain({ id }: Job): Done {
  return { id, back: 'not-plain' };
}

function wayOf(delegation: Delegation): Way {
  return delegation.type === 'directory'
    ? directoryWay(delegation.directory)
    : s3Way(delegation.endpoint, () => Promise.resolve(delegation.identity), delegation.options);
}

/** Metadata stays with the one that asks. */
function directoryWay(directory: string): Way {
  const source = directorySource(directory, { metadata: new Map() });
  return async ({ id, bucket, key, options }) => ({
    id,
    reading: await readObject(await source, { bucket, key }, options),
  });
}

function s3Way(endpoint: Endpoint, identity: () => Promise<Identity>, options: LeanOptions): Way {
  const lean = new LeanGet(endpoint, { identity }, options);
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
