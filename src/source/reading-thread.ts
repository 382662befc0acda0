/** A thread that reads for `thread-reader.ts`: fetches, inflates and hashes what is plain, gives back what is not. */
import { parentPort } from 'node:worker_threads';
import type { Delegation } from './delegation.ts';
import { type Done, type Job, type Jobs, notPlain, pack, type ToThread, type Way } from './thread-messages.ts';

const ways = new Map<number, Promise<Way>>();
let done: Done[] = [];

parentPort?.on('message', (message: ToThread) => {
  if (message.type === 'way') ways.set(message.way, wayOf(message.delegation));
  else void takeAll(message);
});

async function takeAll({ id, way, bucket, keys, options }: Jobs): Promise<void> {
  const read = (await ways.get(way)) ?? ((job: Job) => Promise.resolve(notPlain(job)));
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

/** Loads only what it needs: a thread is to be at work within a few hundredths of a second. */
async function wayOf(delegation: Delegation): Promise<Way> {
  if (delegation.type === 'directory') {
    const { directoryWay } = await import('./directory-way.ts');
    return directoryWay(delegation.directory);
  }
  const { s3Way } = await import('./s3/s3-way.ts');
  return s3Way(delegation.endpoint, delegation.identity, delegation.options);
}
