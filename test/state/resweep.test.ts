import { expect, it } from 'vitest';
import type { Checkpoint } from '../../src/chain/checkpoint.ts';
import { sampleOldDays } from '../../src/state/resweep.ts';
import { fc } from '../support/property.ts';

const DAY = 24 * 3_600_000;
const chain = (firstVerified: string, startTime: string): Checkpoint =>
  ({ firstVerified, digest: { startTime } }) as Checkpoint;
const MONTH = chain('2026-01-01T00:17:42Z', '2026-01-31T00:17:42Z');
const LATE = chain('2026-01-30T12:00:00Z', '2026-01-31T00:00:00Z');

it.each([
  [0, 0],
  [0.0001, 1],
  [0.1, 3],
  [0.101, 4],
  [1, 30],
])('a share of %d of 30 days is %d', (share, count) => {
  expect(sampleOldDays([MONTH], share, Math.random)).toHaveLength(count);
});

it('all of it covers every instant once, chain by chain', () => {
  const days = sampleOldDays([MONTH, LATE], 1, Math.random);
  const ofMonth = days.filter(({ checkpoint }) => checkpoint === MONTH);
  expect(ofMonth[0]?.start).toBe(Date.parse(MONTH.firstVerified));
  for (const [n, { end }] of ofMonth.entries())
    expect(ofMonth[n + 1]?.start ?? Date.parse(MONTH.digest.startTime)).toBe(end);
  expect(days.filter(({ checkpoint }) => checkpoint === LATE)).toEqual([
    { checkpoint: LATE, start: Date.parse(LATE.firstVerified), end: Date.parse(LATE.digest.startTime) },
  ]);
});

it('takes no day twice, and none that lies outside', () => {
  fc.assert(
    fc.property(
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.infiniteStream(fc.double({ min: 0, max: 0.999, noNaN: true })),
      (share, stream) => {
        const days = sampleOldDays([MONTH], share, () => stream.next().value);
        expect(new Set(days.map(({ start }) => start)).size).toBe(days.length);
        for (const { start, end } of days) expect(end - start).toBe(DAY);
      },
    ),
  );
});

it('any day can be chosen', () => {
  const chosen = new Set(Array.from({ length: 30 }, (_, n) => sampleOldDays([MONTH], 0.01, () => n / 30)[0]?.start));
  expect(chosen.size).toBe(30);
});

it('nothing lies before a first night', () => {
  expect(sampleOldDays([chain('2026-01-01T00:00:00Z', '2026-01-01T00:00:00Z')], 1, Math.random)).toEqual([]);
});
