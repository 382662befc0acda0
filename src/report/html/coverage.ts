import type { Span } from '../hours.ts';
import type { ChainTotals, CoverageInterval, CoverageState } from '../report.ts';

/** `unknown`: inside the range and told by no interval. `outside`: no part of the range. */
export type CellState = CoverageState | 'unknown' | 'outside';

/** Columns that fit side by side on a page; a long range is a stack of such grids. */
export interface Grid {
  readonly unit: 'hour' | 'day' | 'week';
  readonly blocks: readonly (readonly Span[])[];
}

const HOUR = 3_600_000;
const UNITS = { hour: HOUR, day: 24 * HOUR, week: 7 * 24 * HOUR } as const;
const PER_BLOCK = { hour: 48, day: 93, week: 105 } as const;

/**
 * Hours up to a week, days while a page can hold that many cells, weeks beyond. Hours begin `offset` milliseconds after
 * the full hour, where the digests' hours do: a missing digest is one cell.
 */
export function gridOf(range: Span, rows: number, offset = 0): Grid {
  const columns = (unit: keyof typeof UNITS) => Math.ceil((range.to - range.from) / UNITS[unit]) + 1;
  const unit = columns('hour') <= 7 * 24 + 1 ? 'hour' : columns('day') * rows <= MOST_CELLS ? 'day' : 'week';
  const step = UNITS[unit];
  const buckets: Span[] = [];
  const shift = unit === 'hour' ? offset : 0;
  for (let from = Math.floor((range.from - shift) / step) * step + shift; from < range.to; from += step) {
    buckets.push({ from, to: from + step });
  }
  const blocks: Span[][] = [];
  for (const bucket of buckets) {
    const block = blocks.at(-1);
    const full = block === undefined || block.length === PER_BLOCK[unit];
    if (full || breaks(unit, bucket, block.length)) blocks.push([bucket]);
    else block.push(bucket);
  }
  return { unit, blocks };
}

/** Blocks begin at midnight or at the first of a month where they can: two days of hours, three months of days. */
function breaks(unit: Grid['unit'], { from }: Span, length: number): boolean {
  const date = new Date(from);
  return (
    (unit === 'hour' && length > 24 && date.getUTCHours() === 0) ||
    (unit === 'day' && length > 62 && date.getUTCDate() === 1)
  );
}

/** A year of days in a hundred chains. */
const MOST_CELLS = 40_000;

/** What a reader must see first where a cell holds several states. */
const WORST_FIRST = ['failed', 'gap', 'inconclusive', 'unknown', 'pending', 'proven'] as const;

/** The worst state in each bucket. Time in the range that no interval tells of is never taken for proven. */
export function statesOf(intervals: readonly CoverageInterval[], buckets: readonly Span[], range: Span): CellState[] {
  const spans = intervals.map(({ from, to, state }) => ({ from: Date.parse(from), to: Date.parse(to), state }));
  let first = 0;
  return buckets.map((bucket) => {
    const from = Math.max(bucket.from, range.from);
    const to = Math.min(bucket.to, range.to);
    if (from >= to) return 'outside';
    while ((spans[first]?.to ?? Number.POSITIVE_INFINITY) <= from) first += 1;
    const found = new Set<CellState>();
    let told = from;
    for (let i = first; i < spans.length; i++) {
      const span = spans[i];
      if (span === undefined || span.from >= to) break;
      found.add(span.state);
      if (span.from > told) found.add('unknown');
      told = Math.max(told, span.to);
    }
    if (told < to) found.add('unknown');
    return WORST_FIRST.find((state) => found.has(state)) ?? 'unknown';
  });
}

/** Where in the hour the digests of most chains begin; they do so at the same instant in all Regions of a trail. */
export function offsetOf(chains: readonly ChainTotals[]): number {
  const counts = new Map<number, number>();
  for (const { from } of chains) {
    if (from === null) continue;
    const offset = Date.parse(from) % HOUR;
    counts.set(offset, (counts.get(offset) ?? 0) + 1);
  }
  return [...counts].reduce((best, each) => (each[1] > best[1] ? each : best), [0, 0])[0];
}

/** The range of the map: what was asked for; where that has no beginning, what the chains tell of. */
export function rangeOf(
  window: { readonly start: string; readonly end: string } | null,
  chains: readonly ChainTotals[],
): Span | null {
  const told = chains.flatMap(({ coverage = [] }) =>
    coverage.flatMap(({ from, to }) => [Date.parse(from), Date.parse(to)]),
  );
  const [start, end] = window === null ? [Number.NaN, Number.NaN] : [Date.parse(window.start), Date.parse(window.end)];
  if (told.length === 0) return null;
  return {
    from: Number.isNaN(start) ? told.reduce((a, b) => Math.min(a, b)) : start,
    to: Number.isNaN(end) ? told.reduce((a, b) => Math.max(a, b)) : end,
  };
}
