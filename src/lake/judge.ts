import { verify } from 'node:crypto';
import type { KeyAnswer } from '../chain/attestation.ts';
import { formatTime } from '../chain/location.ts';
import type { PublicKey } from '../chain/signing.ts';
import type { Subject } from '../report/finding.ts';
import { NOT_COVERED } from './meaning.ts';
import { type ResultFile, type SignFile, signedBytes } from './sign-file.ts';
import { type LakeVerdict, lakeVerdict } from './verdict.ts';

export interface LakeKeys {
  /** The key of the fingerprint that the sign file names. */
  readonly named: KeyAnswer;
  /** Keys at hand, each under the fingerprint that it really has. */
  readonly others: readonly PublicKey[];
  /** Fingerprints that the user vouches for. */
  readonly trusted: ReadonlySet<string>;
}

/**
 * Judges the signature. Under which key it was made is a stranger's word, as the sign file does not sign its fingerprint:
 * a key under another fingerprint proves nothing unless the user says that it is CloudTrail's.
 */
export function judgeSignature(
  signFile: SignFile,
  subject: Subject,
  { named, others, trusted }: LakeKeys,
): LakeVerdict {
  const { fingerprint } = signFile;
  const signed = (notes: readonly string[], by: string): LakeVerdict =>
    lakeVerdict('lake-signed', subject, {
      fingerprint: by,
      files: signFile.files.length,
      notes: [NOT_COVERED, ...notes],
    });
  if (named.ok && verifies(signFile, named.key)) {
    return signed(validity(signFile, named.key), named.key.fingerprint);
  }
  const other = others.find((key) => key.fingerprint !== fingerprint && verifies(signFile, key));
  if (other && trusted.has(other.fingerprint)) {
    const note = `the sign file names the key ${fingerprint}; the trust in ${other.fingerprint} is yours`;
    return signed([note, ...validity(signFile, other)], other.fingerprint);
  }
  if (named.ok) return lakeVerdict('lake-signature-invalid', subject, { fingerprint });
  const facts = { fingerprint, reason: named.reason, verifiesUnder: other?.fingerprint ?? null };
  return lakeVerdict('lake-key-unknown', subject, facts);
}

/** As with digests this is told, not failed; here it may as well be the time that is wrong. */
function validity({ completedAt }: SignFile, { validFrom, validTo, fingerprint }: PublicKey): string[] {
  if (completedAt === null || (completedAt >= validFrom && completedAt <= validTo)) return [];
  const span = `${formatTime(validFrom)} to ${formatTime(validTo)}`;
  return [
    `the sign file gives ${formatTime(completedAt)}, outside the validity of key ${fingerprint} (${span}), as its time`,
  ];
}

function verifies(signFile: SignFile, { key }: PublicKey): boolean {
  return verify('RSA-SHA256', signedBytes(signFile), key, Buffer.from(signFile.signature, 'hex'));
}

/** What reading a result file gave: the SHA-256 of its bytes as stored. */
export type ResultReading =
  | { readonly kind: 'hash'; readonly sha256: Uint8Array }
  | {
      readonly kind: 'trouble';
      readonly trouble: { readonly kind: string; readonly code: string; readonly message: string };
    };

/** `signature` is the verdict on the sign file: only a signed one can vouch for a file. */
export function judgeFile(
  file: ResultFile,
  subject: Subject,
  signature: LakeVerdict,
  reading: ResultReading,
): LakeVerdict {
  const expected = file.hashText.toLowerCase();
  const found = reading.kind === 'hash' ? Buffer.from(reading.sha256).toString('hex') : null;
  if (signature.kind !== 'lake-signed') {
    const compared = found === null ? '' : `; its SHA-256 is ${found === expected ? '' : 'not '}the one named there`;
    const reason = `its sign file is ${signature.kind.replace(/^lake-/, '')}${compared}`;
    return lakeVerdict('lake-file-unattested', subject, { reason });
  }
  if (found === expected) return lakeVerdict('lake-file-intact', subject, { sha256: expected });
  if (reading.kind === 'hash') return lakeVerdict('lake-file-altered', subject, { expected, found: found ?? '' });
  const { kind, code, message } = reading.trouble;
  return kind === 'absent'
    ? lakeVerdict('lake-file-missing', subject, { expected })
    : lakeVerdict('lake-file-unreadable', subject, { code, detail: message });
}
