import type { Subject } from '../report/finding.ts';
import { formatTime, HOUR } from './location.ts';
import { type Verdict, verdict } from './verdict.ts';

/** What each object must carry. */
export interface LockDemand {
  readonly mode: 'COMPLIANCE' | 'GOVERNANCE';
  readonly days: number;
}

/** Retention as a read or `GetObjectRetention` told it; `null` where the object has none. */
export interface Retention {
  readonly mode: 'COMPLIANCE' | 'GOVERNANCE' | null;
  /** Epoch milliseconds. */
  readonly retainUntil: number | null;
}

/** S3 counts from the creation instant, `LastModified` is rounded to seconds. */
const SLACK = 2_000;

export function judgeLock(
  demand: LockDemand,
  retention: Retention | null,
  lastModified: number,
  about: Subject,
): Verdict {
  const required = `${demand.mode} for ${demand.days} days`;
  const { mode = null, retainUntil = null } = retention ?? {};
  if (mode === null || retainUntil === null) return verdict('lock-absent', about, { required });
  const until = formatTime(retainUntil);
  if (mode === 'GOVERNANCE' && demand.mode === 'COMPLIANCE')
    return verdict('lock-governance', about, { required, until });
  const owed = lastModified + demand.days * 24 * HOUR - SLACK;
  if (retainUntil < owed) return verdict('lock-short', about, { required, until });
  return verdict('lock-retained', about, { mode, until });
}
