import { describe, expect, it } from 'vitest';
import { gridOf, offsetOf, rangeOf, statesOf } from '../../src/report/html/coverage.ts';
import { CHAINS } from './sample.ts';

const at = (iso: string) => Date.parse(iso);
const range = (from: string, to: string) => ({ from: at(from), to: at(to) });
const DAY = range('2026-03-01T00:00:00Z', '2026-03-02T00:00:00Z');
const hours = (count: number, from = DAY.from) =>
  Array.from({ length: count }, (_, i) => ({ from: from + i * 3_600_000, to: from + (i + 1) * 3_600_000 }));

describe('states of a row', () => {
  const interval = (from: string, to: string, state: 'proven' | 'failed' | 'gap' | 'pending' | 'inconclusive') => ({
    from: `2026-03-01T${from}:00Z`,
    to: `2026-03-01T${to}:00Z`,
    state,
  });

  it.each([
    ['all told', [interval('00:00', '03:00', 'proven')], ['proven', 'proven', 'proven']],
    ['nothing told is not proven', [], ['unknown', 'unknown', 'unknown']],
    ['half an hour untold', [interval('00:00', '02:30', 'proven')], ['proven', 'proven', 'unknown']],
    [
      'a hole',
      [interval('00:00', '01:00', 'proven'), interval('02:00', '03:00', 'proven')],
      ['proven', 'unknown', 'proven'],
    ],
    [
      'a hole inside',
      [interval('00:00', '01:10', 'proven'), interval('01:20', '03:00', 'proven')],
      ['proven', 'unknown', 'proven'],
    ],
    [
      'the worst wins',
      [
        interval('00:00', '00:20', 'proven'),
        interval('00:20', '00:30', 'failed'),
        interval('00:30', '03:00', 'pending'),
      ],
      ['failed', 'pending', 'pending'],
    ],
    ['a gap over hours', [interval('00:30', '02:30', 'gap')], ['gap', 'gap', 'gap']],
  ])('%s', (_, intervals, expected) => {
    expect(statesOf(intervals, hours(3), range('2026-03-01T00:00:00Z', '2026-03-01T03:00:00Z'))).toEqual(expected);
  });

  it('knows what is outside the range', () => {
    const inner = range('2026-03-01T01:30:00Z', '2026-03-01T02:00:00Z');
    expect(statesOf([interval('01:30', '02:00', 'proven')], hours(3), inner)).toEqual(['outside', 'proven', 'outside']);
  });
});

describe('grid', () => {
  it.each([
    ['a day', DAY, 2, 'hour', [24]],
    ['a week', range('2026-03-01T00:00:00Z', '2026-03-08T00:00:00Z'), 17, 'hour', [48, 48, 48, 24]],
    ['three days from the evening before', range('2026-02-28T23:00:00Z', '2026-03-04T00:00:00Z'), 1, 'hour', [25, 48]],
    ['a month', range('2026-03-01T00:00:00Z', '2026-04-01T00:00:00Z'), 17, 'day', [31]],
    ['a year by quarters', range('2025-03-01T00:00:00Z', '2026-03-01T00:00:00Z'), 17, 'day', [92, 92, 91, 90]],
    ['a year from mid-month', range('2025-03-15T12:00:00Z', '2026-03-15T12:00:00Z'), 17, 'day', [78, 92, 91, 90, 15]],
    ['a year of a large organization', range('2025-03-01T00:00:00Z', '2026-03-01T00:00:00Z'), 5_000, 'week', [53]],
  ])('%s', (_, over, rows, unit, blocks) => {
    const grid = gridOf(over, rows);
    expect([grid.unit, grid.blocks.map(({ length }) => length)]).toEqual([unit, blocks]);
    const all = grid.blocks.flat();
    expect(all[0]?.from).toBeLessThanOrEqual(over.from);
    expect(all.at(-1)?.to).toBeGreaterThanOrEqual(over.to);
    for (const [i, bucket] of all.entries()) if (i > 0) expect(bucket.from).toBe(all[i - 1]?.to);
  });

  it('begins its hours where the digests do, so that a missing digest is one cell', () => {
    const offset = offsetOf([{ ...CHAINS[0], from: '2026-03-01T00:23:11Z' } as never]);
    const [cells = []] = gridOf(DAY, 1, offset).blocks;
    expect(new Date(cells[0]?.from ?? 0).toISOString()).toBe('2026-02-28T23:23:11.000Z');
    const gap = { from: '2026-03-01T05:23:11Z', to: '2026-03-01T06:23:11Z', state: 'gap' } as const;
    expect(statesOf([gap], cells, DAY).filter((state) => state === 'gap')).toHaveLength(1);
  });
});

it.each([
  ['none was asked for', null],
  ['it was asked for from the beginning', { start: 'beginning', end: '2026-03-02T00:00:00Z' }],
])('takes the range from the coverage where %s', (_, window) => {
  const chains = CHAINS.map((chain) => ({ ...chain, verdicts: {} }));
  expect(rangeOf(window, chains)).toEqual(DAY);
  expect(rangeOf(window, [])).toBeNull();
});
