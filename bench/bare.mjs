// What no verifier can fall below: a program that reads the log files of a directory in a thread for each core, inflates
// and hashes them with trailseal's own inflater, and does nothing else. Prints how many there were.
import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';

if (isMainThread) {
  const share = availableParallelism();
  const [, , directory] = process.argv;
  const counts = Array.from({ length: share }, (_, part) => {
    const worker = new Worker(new URL(import.meta.url), { workerData: { directory, share, part } });
    return new Promise((resolve, reject) => worker.once('message', resolve).once('error', reject));
  });
  console.log((await Promise.all(counts)).reduce((sum, count) => sum + count, 0));
} else {
  const { inflate } = await import('../dist/stream/inflate.js');
  const { directory, share, part } = workerData;
  const files = readdirSync(directory, { recursive: true }).filter((file) => file.includes('_CloudTrail_'));
  const ours = files.filter((_, n) => n % share === part);
  for (const file of ours) await inflate(readFileSync(join(directory, file)), { keep: false });
  parentPort.postMessage(ours.length);
}
