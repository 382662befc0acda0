import { createHash } from 'node:crypto';

export type Outcome = 'pass' | 'fail' | 'inconclusive' | 'not-applicable' | 'waived';
export type Severity = 'critical' | 'high' | 'medium' | 'low' | 'info';

export const OUTCOMES = [
  'pass',
  'fail',
  'inconclusive',
  'not-applicable',
  'waived',
] as const satisfies readonly Outcome[];
/** Most severe first. */
export const SEVERITIES = ['critical', 'high', 'medium', 'low', 'info'] as const satisfies readonly Severity[];

export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json | undefined };

/** What a finding is about. Keys are present as far as they apply; all values are strings as AWS writes them. */
export interface Subject {
  readonly type:
    | 'run'
    | 'chain'
    | 'digest'
    | 'log'
    | 'object'
    | 'trail'
    | 'bucket'
    | 'access-point'
    | 'key'
    | 'log-group'
    | 'role'
    | 'event-data-store'
    | 'account'
    | 'event'
    | 'waiver';
  readonly arn?: string;
  readonly account?: string;
  readonly region?: string;
  readonly trail?: string;
  readonly bucket?: string;
  readonly key?: string;
  readonly versionId?: string;
  /** End of the digest's hour, or "start/end" of an interval; ISO 8601 UTC. */
  readonly hour?: string;
}

/** An exception somebody accepted, as it is shown beside the finding it covers. */
export interface WaiverTerms {
  readonly id: string;
  readonly reason: string;
  readonly acceptedBy: string;
  readonly owner: string;
  readonly expires: string;
}

/** The one unit of every report. Its JSON form is public: spec "reports", section 1. */
export interface Finding {
  readonly v: 1;
  readonly id: string;
  /** Control id (`LOCK-02`), verdict kind (`log-altered`) or rule id. */
  readonly control: string;
  readonly kind: 'integrity' | 'posture' | 'event';
  readonly outcome: Outcome;
  readonly severity: Severity;
  readonly subject: Subject;
  readonly message: string;
  readonly evidence: { readonly [key: string]: Json | undefined };
  readonly remedy: string;
  readonly references: readonly string[];
  readonly waiver: WaiverTerms | null;
}

/** The same trouble has the same id tomorrow: a hash of control, subject and, for events, the event's id. */
export function findingId(control: string, subject: Subject, eventId = ''): string {
  const parts = Object.entries(subject)
    .filter(([, value]) => value !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return `f_${createHash('sha256')
    .update(JSON.stringify([control, parts, eventId]))
    .digest('hex')
    .slice(0, 12)}`;
}
