import type { Subject } from '../report/finding.ts';

/** Why an object's bytes could not be had, in the store's own words. */
export interface TroubleFacts {
  readonly code: string;
  readonly detail: string;
}

interface Interval {
  /** ISO 8601 UTC; `null` where the range asked for has no start. */
  readonly from: string | null;
  readonly to: string;
}

/** Every kind of verdict with the facts that prove it. Times are ISO 8601 UTC, hashes lowercase hex. */
export interface VerdictFacts {
  'digest-signed': { fingerprint: string; signatureFrom: 'metadata' | 'successor'; notes: readonly string[] };
  'digest-signature-invalid': { fingerprint: string; sha256: string };
  'digest-malformed': { reason: string };
  'digest-misplaced': { expected: string; found: string };
  'digest-mismatched': { field: string; expected: string; found: string };
  'digest-missing': { reason: string; namedBy: string | null };
  'digest-unsigned': { reason: string };
  'digest-key-unknown': { fingerprint: string; reason: string; code?: string };
  'digest-unreadable': TroubleFacts;
  'digest-archived': TroubleFacts;
  'digest-error': TroubleFacts;

  'link-linked': Record<never, never>;
  'link-genesis': Record<never, never>;
  /** `elsewhere`: the predecessor lies in another place, which is not looked at on its account. */
  'link-anchored': { predecessor: string; elsewhere?: boolean };
  'link-broken': { what: 'hash' | 'signature' | 'place'; expected: string; found: string };
  'link-discontinuous': { expected: string; found: string; reason: string };

  'log-intact': { notes: readonly string[] };
  'log-altered': { expected: string; found: string };
  'log-missing': { expected: string };
  'log-malformed': { expected: string; reason: string };
  /** `found`: the SHA-256 of the object as it is now, where it could be had. */
  'log-recoverable': { expected: string; current: string; versionId: string; found?: string };
  'log-unattested': { reason: string };
  'log-unreadable': TroubleFacts;
  'log-archived': TroubleFacts;
  'log-error': TroubleFacts;

  'object-undigested': { lastModified: string };
  /** `trail`: one that was not asked for, whose digest of that hour could not be had or not be proven. */
  'object-unattested': { lastModified: string; trail: string };
  'object-foreign': { reason: string };
  'object-overwritten': { versions: number; versionIds: readonly string[] };
  'object-hidden': { versionId: string; since: string; kept: number };
  'object-uncovered': { folder: string };
  'object-unlisted': TroubleFacts;

  'coverage-full': Interval;
  'coverage-gap': Interval;
  'coverage-gap-explained': Interval & { event: string; eventId: string; at: string; actor: string };
  /** The home Regions of a trail that was made anew, when the digests of the old one ended, and since when the new one logs. */
  'coverage-moved': { homeBefore: string; home: string; ended: string; since: string };
  'coverage-head-missing': Interval;
  'coverage-tail-stale': Interval & { newest: string; reason: string };
  'coverage-nothing-found': Interval & { reason: string };
  /** `digest`: key of the one behind that time, which may tell where the trail was, and is not attested. */
  'coverage-unseen': Interval & { reason: string; digest?: string };
  /** `newest`: end of the newest digest there is; `allowed`: how late the next one may be. */
  'coverage-due': Interval & { newest: string; allowed: string };
  'coverage-pending': Interval;
  'coverage-elsewhere': Record<never, never>;

  'lock-retained': { mode: string; until: string };
  'lock-absent': { required: string };
  'lock-governance': { required: string; until: string };
  'lock-short': { required: string; until: string };
  'lock-unknown': TroubleFacts & { required: string };

  'checkpoint-continuous': { digest: string };
  'checkpoint-rewritten': { digest: string; what: string; expected: string; found: string };
  'checkpoint-truncated': { digest: string; newest: string | null };
  'checkpoint-restarted': { digest: string; startedAt: string };
  /** `chain`: nothing of it was found either, so there is nothing to begin anew with. */
  'checkpoint-absent': { place: string; chain?: 'gone' };
  'checkpoint-unreadable': TroubleFacts & { place: string };

  /** `code`: the word of the refusal, where the credentials are gone. `notReached`: one phrase for each part of the rest. */
  'run-interrupted': { reason: string; code?: string; notReached?: readonly string[] };
  /** `lost`: what could not be written of all that the run was to leave behind, and why, one line each. */
  'run-unrecorded': { lost: readonly string[] };
}

export type VerdictKind = keyof VerdictFacts;

/** A judgement on one piece of a chain: a value, never an exception. */
export type Verdict<K extends VerdictKind = VerdictKind> = {
  [Kind in K]: { readonly kind: Kind; readonly subject: Subject; readonly facts: Readonly<VerdictFacts[Kind]> };
}[K];

export function verdict<K extends VerdictKind>(kind: K, subject: Subject, facts: VerdictFacts[K]): Verdict<K> {
  return { kind, subject, facts } as Verdict<K>;
}
