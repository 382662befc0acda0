import type { ObjectLockConfiguration } from './bucket-facts.ts';
import type { Retention } from './object-facts.ts';

const DAY = 86_400_000;
/** S3 counts from the creation in milliseconds, `LastModified` is rounded to seconds: a correct lock may look short. */
const SLACK = 2_000;

type DefaultRetention = NonNullable<NonNullable<ObjectLockConfiguration['Rule']>['DefaultRetention']>;

/**
 * The period of a default retention in days; `null`: none is set. Days or Years, never both: a zero beside the other is
 * an artefact of serialisers, and a year counts as the shortest, 365 days.
 */
export function defaultRetentionDays({ Days = 0, Years = 0 }: DefaultRetention): number | null {
  if (Days > 0) return Days;
  return Years > 0 ? Years * 365 : null;
}

export type RetentionVerdict =
  /** In the mode demanded, for as long as demanded. */
  | 'retained'
  /** No retention at all. */
  | 'unlocked'
  /** GOVERNANCE where COMPLIANCE is demanded. */
  | 'governance'
  /** Protected until an event hold is released, but in no retention mode. */
  | 'event-hold-only'
  | 'short'
  /** Short, and over by now. */
  | 'expired'
  /** The answer cannot be read: an unknown mode, a date that is none. */
  | 'unreadable';

export interface RetentionDemand {
  readonly mode: 'COMPLIANCE' | 'GOVERNANCE';
  readonly days: number;
}

/** One object version against the retention it ought to have. `lastModified` ISO 8601, `now` epoch milliseconds. */
export function judgeRetention(
  retention: Retention | null,
  lastModified: string,
  demand: RetentionDemand,
  now: number,
): RetentionVerdict {
  if (retention?.Mode === undefined) return retention?.EventHold === 'ON' ? 'event-hold-only' : 'unlocked';
  if (retention.Mode !== 'COMPLIANCE' && retention.Mode !== 'GOVERNANCE') return 'unreadable';
  if (retention.Mode === 'GOVERNANCE' && demand.mode === 'COMPLIANCE') return 'governance';
  const until = Date.parse(retention.RetainUntilDate ?? '');
  const wanted = Date.parse(lastModified) + demand.days * DAY - SLACK;
  if (Number.isNaN(until) || Number.isNaN(wanted)) return 'unreadable';
  if (until >= wanted) return 'retained';
  return until < now ? 'expired' : 'short';
}
