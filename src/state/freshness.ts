import type { Checkpoint } from '../chain/checkpoint.ts';
import { formatTime } from '../chain/location.ts';
import { type Finding, findingId, type Json, type Outcome, type Severity, type Subject } from '../report/finding.ts';

interface Meaning {
  readonly outcome: Outcome;
  readonly severity: Severity;
  readonly remedy: string;
}

/** What can be said of the state itself, and what each means. */
export const freshnessMeaning = {
  'state-fresh': { outcome: 'pass', severity: 'info', remedy: '' },
  'state-stale': {
    outcome: 'fail',
    severity: 'critical',
    remedy: 'Find out why the nightly run did not run, or did not pass: its report says.',
  },
  'state-ahead': {
    outcome: 'fail',
    severity: 'critical',
    remedy: 'Compare the clocks; if they agree, find out who wrote the checkpoint.',
  },
  'state-absent': {
    outcome: 'inconclusive',
    severity: 'high',
    remedy: 'Name the place the nightly run uses. If there were checkpoints before, find out who removed them.',
  },
  'state-unreadable': {
    outcome: 'inconclusive',
    severity: 'high',
    remedy: 'Grant s3:GetObject and s3:ListBucket on the state, or make the directory readable.',
  },
} as const satisfies Record<string, Meaning>;

export type FreshnessKind = keyof typeof freshnessMeaning;

/** Clocks of two machines may differ by so much. */
const SKEW_MS = 5 * 60_000;

/** Whether a chain's last good run is recent enough: the dead man's switch. */
export function judgeFreshness(checkpoint: Checkpoint, nowMs: number, maxAgeMs: number): Finding {
  const { account, region, trail, digest, verifiedAt, sequence, totals, open } = checkpoint;
  const subject: Subject = { type: 'chain', account, region, trail };
  const age = nowMs - Date.parse(verifiedAt);
  const kind = age < -SKEW_MS ? 'state-ahead' : age > maxAgeMs ? 'state-stale' : 'state-fresh';
  const said = {
    'state-fresh': `verified ${verifiedAt}`,
    'state-stale': `last verified ${verifiedAt}, ${hours(age)} before ${formatTime(nowMs)}; ${hours(maxAgeMs)} are allowed`,
    'state-ahead': `says it was verified ${verifiedAt}, after ${formatTime(nowMs)}`,
  }[kind];
  return freshness(kind, subject, `${said}; proven through ${digest.endTime}`, {
    verifiedAt,
    provenThrough: digest.endTime,
    sequence,
    digests: totals.digests,
    logs: totals.logs,
    open: open.map(({ kind: what, key }) => `${what} ${key}`),
  });
}

export function freshness(
  kind: FreshnessKind,
  subject: Subject,
  message: string,
  evidence: { readonly [name: string]: Json } = {},
): Finding {
  return {
    v: 1,
    id: findingId(kind, subject),
    control: kind,
    kind: 'integrity',
    ...freshnessMeaning[kind],
    subject,
    message,
    evidence,
    references: [],
    waiver: null,
  };
}

function hours(ms: number): string {
  return `${(ms / 3_600_000).toFixed(1).replace(/\.0$/, '')} h`;
}
