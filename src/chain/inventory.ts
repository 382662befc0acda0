import type { Interval } from './coverage.ts';
import { dayPath, HOUR, parseLogKey } from './location.ts';

const MINUTE = 60_000;
/** The name of a log tells its delivery only roughly: from 5 min before to 18 min after in real deliveries, with room. */
const EARLIEST = 10 * MINUTE;
const LATEST = 30 * MINUTE;
const DAY = 24 * HOUR;

export interface LogObject {
  readonly key: string;
  /** Epoch milliseconds. */
  readonly lastModified: number;
  /** It has gone since it was listed. */
  readonly isGone?: boolean;
}

/** The stretch that every chain of a Region was read for, and where in it a chain's digests could not be heard. */
export interface Heard {
  readonly from: number;
  readonly to: number;
  readonly deaf: readonly Interval[];
  /** Where a trail that is not asked for could not be heard, which nothing else tells. */
  readonly doubtful: readonly (Omit<Interval, 'state'> & { readonly trail: string })[];
}

export interface Undigested extends LogObject {
  /** The trail that may name it all the same. */
  readonly doubt: string | null;
}

/**
 * Which log objects of one Region tree does no digest of any trail name? Claims and listings come in day by day; only
 * two or three days of claims are held at a time, whatever the range.
 */
export interface Inventory {
  /** A digest names this log. */
  claim(key: string): void;
  /** Days (`YYYY/MM/DD`) whose logs the hourly digests have spoken of, now that those up to that instant are read. */
  dueDays(digestEnd: number): string[];
  /** The first day that was or will be due; `null` before any digest. */
  firstDay(): string | null;
  /** The days that are still open when the last digest is read. */
  remainingDays(): string[];
  /**
   * A listed object of a due day; `false` when its key is not one that CloudTrail gives a log file. `deaf`: as in `Heard`, as
   * far as it is known by now; what lies there is not remembered, which may be every log of a trail without keys.
   */
  listed(object: LogObject, deaf: Heard['deaf']): boolean;
  /** All objects of that due day are listed. */
  listedAll(day: string): void;
  /** Logs that no digest names, among those that some digest in the heard stretch would have to name. */
  undigested(heard: Heard): Undigested[];
}

export function createInventory(): Inventory {
  const claimed = new Map<string, Set<string>>();
  const suspects = new Map<string, LogObject>();
  // Claims that come after their day was closed: late deliveries and backfill.
  const late = new Set<string>();
  let nextDay: number | null = null;
  /** Of that day, the least a claim can have that is not late. */
  let nextFolder = '';
  let firstDay: string | null = null;
  let lastDay = Number.NEGATIVE_INFINITY;

  function closeDays(before: number): string[] {
    const days: string[] = [];
    for (; nextDay !== null && nextDay < before; nextDay += DAY) days.push(dayPath(nextDay));
    if (days.length > 0 && nextDay !== null) nextFolder = dayPath(nextDay);
    return days;
  }

  return {
    claim(key) {
      const day = parseLogKey(key)?.day;
      if (day === undefined) return; // an object of such a name is told as foreign, claimed or not
      if (day < nextFolder) {
        late.add(key);
        return;
      }
      const keys = claimed.get(day) ?? new Set<string>();
      claimed.set(day, keys.add(key));
    },
    dueDays(digestEnd) {
      const day = Math.floor(digestEnd / DAY) * DAY;
      lastDay = Math.max(lastDay, day);
      // The first digest can cover the end of the day before its own.
      if (nextDay === null) {
        nextDay = day - DAY;
        nextFolder = dayPath(nextDay);
      }
      firstDay ??= nextFolder;
      return closeDays(day - DAY);
    },
    firstDay: () => firstDay,
    remainingDays: () => closeDays(lastDay + DAY),
    listed(object, deaf) {
      // Most are claimed, and what is claimed has been parsed.
      for (const keys of claimed.values()) if (keys.has(object.key)) return true;
      const parsed = parseLogKey(object.key);
      if (parsed === null) return false;
      const isExcused = object.isGone === true || deaf.some((hole) => mayTellOf(hole, parsed.nameTime));
      if (!isExcused) suspects.set(object.key, { key: object.key, lastModified: object.lastModified });
      return true;
    },
    listedAll: (day) => void claimed.delete(day),
    undigested({ from, to, deaf, doubtful }) {
      return [...suspects.values()].flatMap((object) => {
        const time = parseLogKey(object.key)?.nameTime ?? Number.NaN;
        const isIn = (hole: Omit<Interval, 'state'>) => mayTellOf(hole, time);
        if (deaf.some(isIn) || late.has(object.key) || time - EARLIEST < from || time + LATEST > to) return [];
        return [{ ...object, doubt: doubtful.find(isIn)?.trail ?? null }];
      });
    },
  };
}

/** Whether a log whose name says that time may have been delivered within the interval. */
function mayTellOf({ from, to }: Omit<Interval, 'state'>, nameTime: number): boolean {
  return from < nameTime + LATEST && nameTime - EARLIEST < to;
}
