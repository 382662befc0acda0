import type { Subject } from '../report/finding.ts';
import type { Digest, PreviousDigest } from './digest.ts';
import { type DigestKey, formatTime } from './location.ts';
import { type AttestedDigest, attest, type PublicKey, SIGNATURE_ALGORITHM } from './signing.ts';
import { judgeTrouble, type ReadTrouble } from './trouble.ts';
import { type Verdict, verdict } from './verdict.ts';

/** Where an object ought to live by its own words; a directory does not know its bucket. */
export interface Place {
  readonly bucket: string | null;
  readonly key: string;
}

/** What reading the object behind a listed digest key gave. */
export type DigestReading =
  | {
      readonly kind: 'content';
      readonly digest: Digest;
      /** SHA-256 of the uncompressed bytes. */
      readonly sha256: Uint8Array;
      /** Hex from the object's metadata; `null` where there is none. */
      readonly signature: string | null;
      readonly publicKey: KeyAnswer;
      readonly notes: readonly string[];
    }
  | { readonly kind: 'malformed'; readonly reason: string; readonly sha256: Uint8Array | null }
  | { readonly kind: 'trouble'; readonly trouble: ReadTrouble };

export type KeyAnswer =
  | { readonly ok: true; readonly key: PublicKey }
  /** `code`: the service's own word where it was asked and did not answer. */
  | { readonly ok: false; readonly reason: string; readonly code?: string };

/** One listed digest with what reading it gave. */
export interface DigestEntry {
  readonly key: DigestKey;
  /** Where it ought to live: the place it was found in, unless the copy was relocated. */
  readonly place: Place;
  readonly subject: Subject;
  readonly reading: DigestReading;
  /** When the object was written, epoch milliseconds; `null` where it could not be read. */
  readonly lastModified: number | null;
}

export interface Attestation {
  readonly verdict: Verdict;
  /** Only here when the signature verified. */
  readonly digest: AttestedDigest | null;
}

export function samePlace(said: { readonly bucket: string; readonly key: string }, place: Place): boolean {
  return said.key === place.key && (place.bucket === null || said.bucket === place.bucket);
}

export function showPlace(place: Place): string {
  return place.bucket === null ? place.key : `s3://${place.bucket}/${place.key}`;
}

/**
 * Judges one digest by itself. A copy without metadata has lost its signature, but the successor repeats it as
 * `previousDigestSignature`, and a signature proves itself wherever it was found.
 */
export function judgeDigest(entry: DigestEntry, successor: PreviousDigest | null): Attestation {
  const { reading, subject, place, key } = entry;
  const failed = (judged: Verdict): Attestation => ({ verdict: judged, digest: null });
  if (reading.kind === 'trouble') return failed(judgeUnread(subject, reading.trouble));
  if (reading.kind === 'malformed') return failed(verdict('digest-malformed', subject, { reason: reading.reason }));

  const { digest, sha256, publicKey } = reading;
  if (!samePlace(digest, place)) {
    return failed(verdict('digest-misplaced', subject, { expected: showPlace(digest), found: showPlace(place) }));
  }
  for (const [field, found, expected] of [
    ['awsAccountId', digest.account, key.chain.account],
    ['digestSignatureAlgorithm', digest.signatureAlgorithm, SIGNATURE_ALGORITHM],
    // AWS documents that a backfill digest is named for its end as well; as long as none was seen, it need not be.
    ['digestEndTime', digest.endTimeText, key.chain.backfill ? digest.endTimeText : formatTime(key.endTime)],
  ] as const) {
    if (found !== expected) return failed(verdict('digest-mismatched', subject, { field, expected, found }));
  }

  const signature = reading.signature ?? (successor && samePlace(successor, place) ? successor.signatureText : null);
  if (signature === null) {
    const reason = 'the object carries no signature and no later digest repeats it';
    return failed(verdict('digest-unsigned', subject, { reason }));
  }
  if (!publicKey.ok) {
    const { fingerprint } = digest;
    const { reason, code } = publicKey;
    return failed(verdict('digest-key-unknown', subject, { fingerprint, reason, ...(code !== undefined && { code }) }));
  }
  const attested = attest(digest, sha256, signature, publicKey.key);
  if (!attested) {
    const facts = { fingerprint: digest.fingerprint, sha256: Buffer.from(sha256).toString('hex') };
    return failed(verdict('digest-signature-invalid', subject, facts));
  }
  const facts = {
    fingerprint: digest.fingerprint,
    signatureFrom: reading.signature === null ? ('successor' as const) : ('metadata' as const),
    notes: [...reading.notes, ...validity(digest, publicKey.key)],
  };
  return { verdict: verdict('digest-signed', subject, facts), digest: attested };
}

function judgeUnread(subject: Subject, { kind, code, message }: ReadTrouble): Verdict {
  if (kind !== 'absent') return judgeTrouble('digest', subject, { kind, code, message });
  return verdict('digest-missing', subject, { reason: 'it was listed, and gone when it was read', namedBy: null });
}

/** AWS publishes validity windows without saying that a signature outside one is worthless, so it is told, not failed. */
function validity(digest: Digest, { validFrom, validTo, fingerprint }: PublicKey): string[] {
  if (digest.endTime >= validFrom && digest.endTime <= validTo) return [];
  return [`signed outside the validity of key ${fingerprint} (${formatTime(validFrom)} to ${formatTime(validTo)})`];
}
