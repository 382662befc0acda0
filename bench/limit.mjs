// The machine's limit: a loop on all cores that only inflates and hashes the log files of a set from memory, with the
// same inflater.
import { availableParallelism } from 'node:os';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { inflate } from '../dist/stream/inflate.js';
import { readSet } from './trail-set.mjs';

/** Log files a second. @param {string} folder @returns {Promise<number>} */
export async function limitOf(folder) {
  const share = availableParallelism();
  const workers = Array.from(
    { length: share },
    (_, part) => new Worker(new URL(import.meta.url), { workerData: { folder, share, part } }),
  );
  const said = (worker) => new Promise((resolve, reject) => worker.once('message', resolve).once('error', reject));
  await Promise.all(workers.map(said));
  const started = performance.now();
  const done = workers.map(said);
  for (const worker of workers) worker.postMessage('go');
  const counts = await Promise.all(done);
  const seconds = (performance.now() - started) / 1000;
  await Promise.all(workers.map((worker) => worker.terminate()));
  return counts.reduce((sum, count) => sum + count, 0) / seconds;
}

if (!isMainThread && workerData?.share) {
  const { folder, share, part } = workerData;
  const { objects, bodies } = readSet(folder);
  const logs = objects.filter(([, , , , metadata], i) => metadata === null && i % share === part);
  parentPort.once('message', async () => {
    for (const [, at, length] of logs) await inflate(bodies.subarray(at, at + length), { keep: false });
    parentPort.postMessage(logs.length);
  });
  parentPort.postMessage('ready');
}
