import type { Range } from '../chain/coverage.ts';
import type { Pace } from '../verify/pace.ts';

/** Foresees how much of a run over several buckets is done. */
export interface Forecast {
  /** For the next of them. */
  next(): Pace;
  /** From 0 to 1; `null` as long as it is not known what there is. */
  share(): number | null;
  /** Objects that are asked for at this moment, the first for the longest time. */
  waiting(): Waiting | null;
}

export interface Waiting {
  /** Its key, unescaped. */
  readonly first: string;
  readonly more: number;
}

export function forecast(buckets: number, { start, end }: Range): Forecast {
  let begun = 0;
  const open = new Set<string>();
  let bucket = { found: 0, closed: 0, all: false, from: start ?? Number.NaN, reached: Number.NaN };
  return {
    next() {
      begun++;
      const own = { found: 0, closed: 0, all: false, from: start ?? Number.NaN, reached: Number.NaN };
      bucket = own;
      return {
        found: () => void own.found++,
        foundAll() {
          own.all = true;
        },
        reached(instant) {
          // Without a start, the first digest of a tree is it.
          if (Number.isNaN(own.from)) own.from = instant;
          own.reached = instant;
        },
        closed() {
          own.closed++;
          own.reached = Number.NaN;
          own.from = start ?? Number.NaN;
        },
        asked: (key) => void open.add(key),
        answered: (key) => void open.delete(key),
      };
    },
    waiting() {
      const [first] = open;
      return first === undefined ? null : { first, more: open.size - 1 };
    },
    share() {
      const { all, found, closed, from, reached } = bucket;
      if (!all || found === 0) return null;
      const ofTree = Math.min(1, Math.max(0, (reached - from) / (end - from))) || 0;
      return (begun - 1 + Math.min(1, (closed + ofTree) / found)) / Math.max(1, buckets);
    },
  };
}
