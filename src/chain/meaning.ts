import type { Finding } from '../report/finding.ts';
import { fail, inconclusive, integrityFinding, type Meaning, pass } from '../report/meaning.ts';
import type { TroubleFacts, Verdict, VerdictFacts, VerdictKind } from './verdict.ts';

const trouble = (what: string) => (t: TroubleFacts) => `${what}: ${t.detail} (${t.code})`;
const withNotes = (text: string) => (facts: { notes: readonly string[] }) => [text, ...facts.notes].join('; ');
const span = (from: string | null, to: string) => `${from ?? 'the beginning'} to ${to}`;

const INCIDENT =
  'Treat as an incident: keep the bucket as it is, find who wrote or deleted the object (S3 data events, access logs), and recover the object from a version, replica or backup.';
const GRANT_READ = 'Grant s3:GetObject on the object (and kms:Decrypt on its key), then run again.';
const RETRY = 'Run again; if it stays, look at the network, the endpoint and the credentials.';
const RESTORE = 'Restore the object from the archive storage class, then run again.';

/** The one table from a kind to what it means. A kind without a meaning does not compile. */
export const meaning: { readonly [K in VerdictKind]: Meaning<VerdictFacts[K]> } = {
  'digest-signed': pass(withNotes('the signature verifies')),
  'digest-signature-invalid': fail(
    'critical',
    (f) => `the signature does not verify under the key ${f.fingerprint}: the digest or its signature was altered`,
    INCIDENT,
  ),
  'digest-malformed': fail('critical', (f) => `not a digest as CloudTrail writes it: ${f.reason}`, INCIDENT),
  'digest-misplaced': fail(
    'critical',
    (f) => `the digest says it lives at ${f.expected}, it was found at ${f.found}`,
    'If the bucket is a copy, name the original with --relocated-from; otherwise treat as an incident.',
  ),
  'digest-mismatched': fail('critical', (f) => `${f.field} is ${f.found}, its place says ${f.expected}`, INCIDENT),
  'digest-missing': fail('critical', (f) => `the digest is not there; ${f.reason}`, INCIDENT),
  'digest-unsigned': inconclusive(
    (f) => `no signature to check: ${f.reason}`,
    'Copy the object metadata as well (trailseal fetch, or --metadata), or read the original bucket.',
  ),
  'digest-key-unknown': inconclusive(
    (f) => `no public key with fingerprint ${f.fingerprint}: ${f.reason}`,
    'Grant cloudtrail:ListPublicKeys in the Region, or give the key with --public-keys.',
  ),
  'digest-unreadable': inconclusive(trouble('reading was refused'), GRANT_READ),
  'digest-archived': inconclusive(trouble('the object is archived'), RESTORE),
  'digest-error': inconclusive(trouble('reading failed'), RETRY),

  'link-linked': pass(() => 'linked to the digest before it'),
  'link-genesis': pass(() => 'a starting digest, nothing earlier is known'),
  'link-anchored': pass((f) => `the digest before it, ${f.predecessor}, lies before the range`),
  'link-broken': fail(
    'critical',
    (f) => `the ${f.what} of the digest before it is ${f.found}, this digest attests ${f.expected}`,
    INCIDENT,
  ),
  'link-discontinuous': fail(
    'high',
    (f) => `${f.reason}: expected ${f.expected}, found ${f.found}`,
    'Find out whether logging was stopped and started (StopLogging, UpdateTrail) at that time.',
  ),

  'log-intact': pass(withNotes('the hash is the one its digest attests')),
  'log-altered': fail('critical', (f) => `its SHA-256 is ${f.found}, the digest attests ${f.expected}`, INCIDENT),
  'log-missing': fail('critical', (f) => `the log file is not there; a digest attests ${f.expected}`, INCIDENT),
  'log-malformed': fail(
    'critical',
    (f) => `not one clean gzip member: ${f.reason}; the digest attests ${f.expected}`,
    INCIDENT,
  ),
  'log-recoverable': fail(
    'critical',
    (f) => `the current version is ${f.current}; version ${f.versionId} has the attested ${f.expected}`,
    'Restore that version, and find who replaced or hid it.',
  ),
  'log-unattested': inconclusive((f) => `nothing vouches for it: ${f.reason}`, 'See the verdict on its digest.'),
  'log-unreadable': inconclusive(trouble('reading was refused'), GRANT_READ),
  'log-archived': inconclusive(trouble('the object is archived'), RESTORE),
  'log-error': inconclusive(trouble('reading failed'), RETRY),

  'object-undigested': fail(
    'high',
    (f) => `no digest names this log file (last modified ${f.lastModified})`,
    'Only CloudTrail should write here. Find who wrote it; if validation was off at that time, nothing can prove it.',
  ),
  'object-foreign': fail(
    'high',
    (f) => `does not belong in CloudTrail's tree: ${f.reason}`,
    'Only CloudTrail should write here. Find who wrote it.',
  ),
  'object-overwritten': fail(
    'high',
    (f) => `has ${f.versions} versions (${f.versionIds.join(', ')}); CloudTrail writes each key once`,
    'Find who wrote the later version; the bucket policy should let only CloudTrail put objects.',
  ),
  'object-hidden': fail(
    'high',
    (f) =>
      `hidden by a delete marker since ${f.since} (version ${f.versionId}); ${f.kept === 0 ? 'no version of it is left' : `versions kept: ${f.kept}`}`,
    'Remove the delete marker to bring the object back, and find who placed it (a lifecycle rule, or a person).',
  ),
  'object-uncovered': {
    outcome: 'not-applicable',
    severity: 'info',
    message: (f) => `digests do not cover ${f.folder}: nothing here is proven or disproven`,
    remedy: '',
  },
  'object-unlisted': inconclusive(
    trouble('not all could be listed, so objects that do not belong here may go unseen'),
    'Grant s3:ListBucket (and s3:ListBucketVersions), or say --inventory off and accept not to know.',
  ),

  'coverage-full': pass((f) => `attested digests cover ${span(f.from, f.to)}`),
  'coverage-gap': fail(
    'critical',
    (f) => `no digest covers ${span(f.from, f.to)}, and no attested event explains it`,
    'Find out why delivery stopped: StopLogging, UpdateTrail, a bucket policy that refused CloudTrail.',
  ),
  'coverage-gap-explained': fail(
    'medium',
    (f) => `no digest covers ${span(f.from, f.to)}; ${f.event} by ${f.actor} at ${f.at} (event ${f.eventId})`,
    'Confirm that the change was authorised.',
  ),
  'coverage-moved': fail(
    'medium',
    (f) =>
      `the digests of its home Region ${f.homeBefore} end at ${f.ended}; a trail of this name goes on from ${f.home}, logging since ${f.since}`,
    'Confirm that the trail was made anew in the other Region by somebody who may (DeleteTrail, CreateTrail).',
  ),
  'coverage-head-missing': fail(
    'high',
    (f) => `no digest covers the head of the range, ${span(f.from, f.to)}`,
    'If logging began only then, start the range there; otherwise the oldest digests are gone.',
  ),
  'coverage-tail-stale': fail(
    'critical',
    (f) => `no digest since ${f.newest}, although ${f.reason}`,
    'Look at GetTrailStatus: is the trail logging, does digest delivery report an error?',
  ),
  'coverage-nothing-found': fail(
    'critical',
    (f) => `nothing to prove ${span(f.from, f.to)}: ${f.reason}`,
    'Check bucket, prefix and range; is log file validation on for the trail?',
  ),
  'coverage-pending': pass((f) => `digests for ${span(f.from, f.to)} are still due`),
  'coverage-elsewhere': pass(() => 'another shard of this run looks at it'),

  'lock-retained': pass((f) => `${f.mode} retention until ${f.until}`),
  'lock-absent': fail('critical', (f) => `no retention; ${f.required} is required`, lockRemedy()),
  'lock-governance': fail(
    'critical',
    (f) => `GOVERNANCE retention until ${f.until}; ${f.required} is required`,
    lockRemedy(),
  ),
  'lock-short': fail('critical', (f) => `retention ends ${f.until}; ${f.required} is required`, lockRemedy()),
  'lock-unknown': inconclusive(
    (f) => `retention could not be seen: ${f.detail} (${f.code}); ${f.required} is required`,
    'Grant s3:GetObjectRetention, then run again.',
  ),

  'checkpoint-continuous': pass((f) => `the digest of the last run is unchanged: ${f.digest}`),
  'checkpoint-rewritten': fail(
    'critical',
    (f) => `${f.digest} was verified before with ${f.what} ${f.expected}; now it is ${f.found}`,
    INCIDENT,
  ),
  'checkpoint-truncated': fail(
    'critical',
    (f) => `the last run verified up to ${f.digest}; now the newest digest is ${f.newest ?? 'none'}`,
    INCIDENT,
  ),
  'checkpoint-restarted': fail(
    'high',
    (f) => `the chain starts anew at ${f.startedAt}, after ${f.digest}, without a link to it`,
    'Find out whether logging was stopped and started at that time.',
  ),
  'checkpoint-absent': inconclusive(
    (f) => `no checkpoint at ${f.place}`,
    'The first run is explicit: --init-checkpoint. If there was one before, find out who removed it.',
  ),

  'checkpoint-unreadable': inconclusive(
    (f) => `what was verified before is not known: ${f.detail}`,
    'Make the checkpoints readable (s3:GetObject and s3:ListBucket on their place), then run again.',
  ),

  'run-interrupted': inconclusive(
    (f) => `the run was cut short: ${f.reason}${notReached(f.notReached ?? [])}`,
    (f) =>
      f.code === undefined
        ? 'Run again, with a narrower range or more time.'
        : 'Renew the credentials (a longer session, or a profile or role that is refreshed by itself) and run the same command again: with --checkpoint it goes on after what is proven, without one narrow it to what was not reached.',
  ),
};

/** All of it is in the evidence; the sentence stays readable. */
const MOST_NAMED = 5;

function notReached(parts: readonly string[]): string {
  if (parts.length === 0) return '';
  const more = parts.length > MOST_NAMED ? ` and ${parts.length - MOST_NAMED} more` : '';
  return `; not reached: ${parts.slice(0, MOST_NAMED).join(', ')}${more}`;
}

function lockRemedy(): string {
  return 'Set a default retention on the bucket for new objects, and extend the retention of this one (S3 Batch Operations for many).';
}

export function outcomeOf(kind: VerdictKind): Meaning<never>['outcome'] {
  return meaning[kind].outcome;
}

/** A verdict in the form that every report reads. */
export function toFinding<K extends VerdictKind>(verdict: Verdict<K>): Finding {
  // The compiler cannot follow that kind and facts of one verdict belong together.
  const { kind, subject, facts } = verdict as { kind: K; subject: Verdict['subject']; facts: VerdictFacts[K] };
  return integrityFinding({ kind, subject, facts }, meaning[kind] as unknown as Meaning<VerdictFacts[K]>);
}
