import { describe, expect, it } from 'vitest';
import { type Verdict, verdict } from '../../src/chain/verdict.ts';
import { createElsewhere } from '../../src/verify/elsewhere.ts';
import { collect } from '../support/heap.ts';

const COUNT = 20_000;
const bucket = 'old-logs';
const key = (n: number) => `${'x'.repeat(600)}${n}`;
const stray = (n: number) => verdict('object-foreign', { type: 'object', bucket, key: key(n) }, { reason: 'r' });
const intact = (n: number) => verdict('log-intact', { type: 'log', bucket, key: key(n) }, { notes: [] });

describe('what is remembered of a bucket that chains are followed into', () => {
  /** Bytes that each of many verdicts leaves behind. */
  function kept(verdictOf: (n: number) => Verdict): number {
    const elsewhere = createElsewhere({});
    for (let n = 0; n < 100; n++) elsewhere.isNews(verdictOf(n));
    collect();
    const before = process.memoryUsage().heapUsed;
    for (let n = 0; n < COUNT; n++) elsewhere.isNews(verdictOf(n));
    collect();
    const bytes = (process.memoryUsage().heapUsed - before) / COUNT;
    expect(elsewhere.isNews(stray(COUNT))).toBe(true);
    return bytes;
  }

  it('is nothing of logs that are intact', () => {
    // Even a hash of each would be about a hundred.
    expect(kept(intact)).toBeLessThan(50);
  });

  it('is little of what does not belong there, however long its key', () => {
    expect(kept(stray)).toBeLessThan(200);
  });
});

it.each<[string, Verdict, Verdict, boolean]>([
  ['the same stray', stray(1), stray(1), false],
  ['another stray', stray(1), stray(2), true],
  [
    'another fault of it',
    stray(1),
    verdict('object-overwritten', stray(1).subject, { versions: 2, versionIds: [] }),
    true,
  ],
  ['a log, of which each chain tells its own', intact(1), intact(1), true],
])('whether it is news: %s', (_name, first, second, isNews) => {
  const elsewhere = createElsewhere({});
  expect([elsewhere.isNews(first), elsewhere.isNews(second)]).toEqual([true, isNews]);
});
