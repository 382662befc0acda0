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
/** The bucket holds so much else that trails may lie where nobody looked. */
const UNSEARCHED: ReadonlySet<string> = new Set(['TooDeep', 'TooManyFolders']);
const NAME_PREFIX =
  'Say where the trail lies: --s3-prefix PREFIX, which is what stands before AWSLogs/ in its keys (--s3-prefix / where nothing does), or --trail-arn, which finds it out. Then the rest of the bucket is not searched.';
const NAME_REGIONS =
  'If the trail logged that Region in that time, its digests and logs are gone: find who removed them. If it did not (it logs all Regions only since later, or this is a copy of a part), name the Regions to prove with --region.';
const MEND_DIGEST =
  'Mend what keeps that digest from being attested (see the finding on it), then run again: it names the one before it, here or in another place.';
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
    (f) => `the digest says that it belongs at ${f.expected}, and it was found at ${f.found}`,
    'If the bucket is a copy, name the original with --relocated-from; otherwise treat as an incident.',
  ),
  'digest-mismatched': fail(
    'critical',
    (f) => `the digest says ${f.field} ${f.found}, its key says ${f.expected}`,
    INCIDENT,
  ),
  'digest-missing': fail('critical', (f) => `the digest is not there: ${f.reason}`, INCIDENT),
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
  'digest-error': inconclusive(trouble('reading failed'), (t) => (UNSEARCHED.has(t.code) ? NAME_PREFIX : RETRY)),

  'link-linked': pass(() => 'linked to the digest before it'),
  'link-genesis': pass(() => 'a starting digest: it names none before it'),
  'link-anchored': pass(
    (f) => `the digest before it, ${f.predecessor}, lies ${f.elsewhere ? 'in another place' : 'before the range'}`,
  ),
  'link-broken': fail(
    'critical',
    (f) => `the ${f.what} of the digest before it is ${f.found}; this digest says that it was ${f.expected}`,
    INCIDENT,
  ),
  'link-discontinuous': fail(
    'high',
    (f) => `${f.reason}: expected ${f.expected}, found ${f.found}`,
    'Find out whether logging was stopped and started (StopLogging, UpdateTrail) at that time.',
  ),

  'log-intact': pass(withNotes('the hash is the one its digest attests')),
  'log-altered': fail('critical', (f) => `its SHA-256 is ${f.found}; the digest attests ${f.expected}`, INCIDENT),
  'log-missing': fail(
    'critical',
    (f) => `the log file is not there; a digest attests one with the SHA-256 ${f.expected}`,
    INCIDENT,
  ),
  'log-malformed': fail(
    'critical',
    (f) => `the log file is not one whole gzip file: ${f.reason}; the digest attests the SHA-256 ${f.expected}`,
    INCIDENT,
  ),
  'log-recoverable': fail(
    'critical',
    (f) =>
      `the attested bytes (SHA-256 ${f.expected}) are in version ${f.versionId}; the object as it is now is ${f.current}`,
    'Copy that version over the object, and find who replaced or hid it.',
  ),
  'log-unattested': inconclusive(
    (f) => `nothing vouches for it: ${f.reason}`,
    'Mend what keeps its digest from being attested: see the finding on the digest.',
  ),
  'log-unreadable': inconclusive(trouble('reading was refused'), GRANT_READ),
  'log-archived': inconclusive(trouble('the object is archived'), RESTORE),
  'log-error': inconclusive(trouble('reading failed'), RETRY),

  'object-undigested': fail(
    'high',
    (f) => `no digest names this log file (last modified ${f.lastModified})`,
    'Only CloudTrail should write here. Find who wrote it; if validation was off at that time, nothing can prove it.',
  ),
  'object-unattested': inconclusive(
    (f) =>
      `no digest that could be proven names this log file (last modified ${f.lastModified}); one of the trail ${f.trail} may, which was not asked for`,
    'Prove that trail too: leave out --trail-name, or name it as well.',
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
    'Find out why no digest was delivered: StopLogging, UpdateTrail, a bucket policy that refused CloudTrail, digests that are gone.',
  ),
  'coverage-gap-explained': fail(
    'medium',
    (f) => `no digest covers ${span(f.from, f.to)}; ${f.event} by ${f.actor} at ${f.at} (event ${f.eventId})`,
    'Confirm with whoever made the change that it was meant; nothing proves what happened in that time.',
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
    'If logging or validation began only then, start the range there (--start-time); otherwise the oldest digests are gone: find who removed them, or the lifecycle rule that did.',
  ),
  'coverage-tail-stale': fail(
    'critical',
    (f) => `no digest since ${f.newest}: ${f.reason}`,
    'aws cloudtrail get-trail-status: is the trail logging, does digest delivery report an error? If digests are only late, --grace allows more.',
  ),
  'coverage-nothing-found': fail(
    'critical',
    (f) => `nothing to prove ${span(f.from, f.to)}: ${f.reason}`,
    'Check bucket, prefix and range; is log file validation on for the trail? The digest of an hour is delivered up to some hours after it (--grace, 4h where nothing is said): the last hour or two may hold none yet, so use --since 6h or more.',
  ),
  'coverage-unseen': inconclusive(
    (f) => `no digest found for ${span(f.from, f.to)}: ${f.reason}`,
    (f) => (f.digest === undefined ? NAME_REGIONS : MEND_DIGEST),
  ),
  'coverage-due': inconclusive(
    (f) =>
      `nothing to prove yet for ${span(f.from, f.to)}: the newest digest ends ${f.newest}, and the next may take ${f.allowed} (--grace)`,
    'Begin the range earlier (--since 6h or more): the digest of an hour is delivered up to some hours after it.',
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
  'lock-short': fail(
    'critical',
    (f) => `retention ends ${f.until}, too early; ${f.required} is required`,
    lockRemedy(),
  ),
  'lock-unknown': inconclusive(
    (f) => `retention could not be seen: ${f.detail} (${f.code}); ${f.required} is required`,
    'Grant s3:GetObjectRetention, then run again.',
  ),

  'checkpoint-continuous': pass((f) => `the last digest that an earlier run verified is unchanged: ${f.digest}`),
  'checkpoint-rewritten': fail(
    'critical',
    (f) =>
      f.what === 'object'
        ? `${f.digest} was verified by an earlier run and is not there any more`
        : `${f.digest} was verified by an earlier run with the ${f.what} ${f.expected}; now ${f.found}`,
    INCIDENT,
  ),
  'checkpoint-truncated': fail(
    'critical',
    (f) =>
      `an earlier run verified up to ${f.digest}; now ${f.newest === null ? 'there is no digest at all' : `the newest digest ends ${f.newest}`}`,
    INCIDENT,
  ),
  'checkpoint-restarted': fail(
    'high',
    (f) => `the chain starts anew at ${f.startedAt} with no link to ${f.digest}, which an earlier run verified`,
    'Find out whether logging was stopped and started at that time.',
  ),
  'checkpoint-absent': inconclusive(
    (f) => `no checkpoint at ${f.place}${f.chain === undefined ? '' : ', and no digest of the chain that it was of'}`,
    'The first run is explicit: --init-checkpoint. If there was one before (chains.txt beside it names it), find out who removed it; to begin anew take its line out of chains.txt.',
  ),

  'checkpoint-unreadable': inconclusive(
    (f) => `what earlier runs verified is not known: ${f.detail}`,
    'Make the checkpoints readable (s3:GetObject and s3:ListBucket on their place), then run again.',
  ),

  'run-interrupted': inconclusive(
    (f) => `the run was cut short: ${f.reason}${notReached(f.notReached ?? [])}`,
    (f) =>
      f.code === undefined
        ? 'Run again, with a narrower range or more time.'
        : 'Renew the credentials (a longer session, or a profile or role that is refreshed by itself) and run the same command again: with --checkpoint it goes on after what is proven, without one narrow it to what was not reached.',
  ),
  'run-unrecorded': inconclusive(
    (f) => `not all is written that this run was to leave behind: ${f.lost.join('; ')}`,
    'Make room or mend what is named, and run again.',
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
