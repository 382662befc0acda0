import { cannotTell, type Facts, type Inconclusive } from './answer.ts';
import { type CallName, namedIn } from './calls.ts';
import { unknown } from './evidence.ts';

/** AWS's clock and that of the run may differ by so much, milliseconds. */
const SKEW_MS = 5 * 60_000;

/** Hours from an ISO 8601 time to `now` (epoch milliseconds); infinite where there is no such time. */
export function hoursSince(time: string | undefined, now: number): number {
  const then = Date.parse(time ?? '');
  return Number.isNaN(then) ? Number.POSITIVE_INFINITY : (now - then) / 3_600_000;
}

/** The answer where a time that AWS told proves nothing of freshness: it is none, or it has not come; else `null`. */
export function misdated(field: keyof typeof TOLD_BY, facts: Facts, now: number): Inconclusive | null {
  const time = facts[field];
  if (typeof time !== 'string') return null;
  const then = Date.parse(time);
  if (then <= now + SKEW_MS) return null;
  const why = Number.isNaN(then) ? 'IsNoTime' : 'LiesInTheFuture';
  const lacking = unknown('parse', namedIn(TOLD_BY[field]), `${field}${why}`);
  return {
    ...cannotTell([lacking], facts),
    remedy: 'compare the clock of this machine with that of AWS, then run again',
  };
}

const TOLD_BY = {
  LatestDeliveryTime: 'GetTrailStatus',
  LatestDigestDeliveryTime: 'GetTrailStatus',
  LatestCloudWatchLogsDeliveryTime: 'GetTrailStatus',
} as const satisfies Record<string, CallName>;
