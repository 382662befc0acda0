import { EventEmitter, once } from 'node:events';
import { expect, it } from 'vitest';
import { trail } from '../../src/demo/trail.ts';
import type { VerifyRequest } from '../../src/verify/verify.ts';
import { collect } from '../support/heap.ts';
import { requestFor, sourceOf, stepsOf } from '../support/verify-trail.ts';

const HOURS = 20;
const LOGS = 500;
// Long keys weigh more.
const built = trail({ recordsPerLog: 0, prefix: 'x'.repeat(600) })
  .hours(HOURS)
  .logs(LOGS)
  .build();

/** Kilobytes that a run holds while it waits for the last digest of a Region, all logs before it judged. */
async function heldBeforeTheLast(inventory: VerifyRequest['inventory']): Promise<number> {
  const source = sourceOf(built);
  const heap: number[] = [];
  const measure = async () => {
    await new Promise((resolve) => setTimeout(resolve, 20));
    source.opened.length = 0;
    collect();
    heap.push(process.memoryUsage().heapUsed);
  };
  const last = built.digests.at(-1)?.key;
  const isDigest = (key: string) => key.includes('CloudTrail-Digest');
  // The last digest but one is judged when the last is read.
  let left = (HOURS - 2) * LOGS;
  const judged = new EventEmitter();
  const open = source.open.bind(source);
  source.open = async (location, version) => {
    if (location.key === last) await once(judged, 'all').then(measure);
    if (!isDigest(location.key) && --left === 0) judged.emit('all');
    return open(location, version);
  };
  for await (const _ of stepsOf({ ...requestFor(built, source), inventory, concurrency: 1 }));
  await measure();
  const [then = 0, after = 0] = heap;
  return (then - after) / 1024;
}

it.each(['off', 'digests'] as const)(
  'no log is remembered where none is looked for: inventory %s',
  async (inventory) => {
    // The keys alone have 6 MB.
    expect(await heldBeforeTheLast(inventory)).toBeLessThan(4_000);
  },
);
