import type { TroubleFacts } from '../chain/verdict.ts';
import type { Finding } from '../report/finding.ts';
import { fail, inconclusive, integrityFinding, type Meaning, pass } from '../report/meaning.ts';
import type { LakeVerdict, LakeVerdictFacts, LakeVerdictKind } from './verdict.ts';

const trouble = (what: string) => (t: TroubleFacts) => `${what}: ${t.detail} (${t.code})`;

const ANEW = 'Take the result anew from its bucket, or run the query again; find who wrote the object.';
const READ = 'Grant s3:GetObject on it (and kms:Decrypt on its key), or make the file readable; then run again.';

/** What the signature of a query result says nothing about. */
export const NOT_COVERED = 'file names, Region, query and time are not signed: only the contents, in their order';

/** The one table from a kind to what it means. */
export const lakeMeaning: { readonly [K in LakeVerdictKind]: Meaning<LakeVerdictFacts[K]> } = {
  'lake-signed': pass((f) =>
    [`the signature over the hashes of ${f.files} file${f.files === 1 ? '' : 's'} verifies`, ...f.notes].join('; '),
  ),
  'lake-signature-invalid': fail(
    'critical',
    (f) =>
      `the signature does not verify under the key ${f.fingerprint}: a hash, their order or the signature was altered`,
    ANEW,
  ),
  'lake-key-unknown': inconclusive(
    (f) =>
      `no public key with fingerprint ${f.fingerprint}: ${f.reason}${
        f.verifiesUnder === null
          ? ''
          : `; the signature verifies under the given key ${f.verifiesUnder}, which nothing shows to be CloudTrail's`
      }`,
    "Grant cloudtrail:ListPublicKeys in the Region, or give the key with --public-keys. If you know from elsewhere that another key is CloudTrail's, name its fingerprint with --trust-key.",
  ),
  'lake-sign-malformed': fail('critical', (f) => `not a sign file as CloudTrail writes it: ${f.reason}`, ANEW),
  'lake-sign-missing': fail('critical', (f) => `result files in ${f.folder} and no result_sign.json beside them`, ANEW),
  'lake-sign-unreadable': inconclusive(trouble('the sign file could not be read'), READ),

  'lake-file-intact': pass((f) => `its SHA-256 is the signed ${f.sha256}`),
  'lake-file-altered': fail('critical', (f) => `its SHA-256 is ${f.found}, signed is ${f.expected}`, ANEW),
  'lake-file-missing': fail('critical', (f) => `the file is not there; its signed SHA-256 is ${f.expected}`, ANEW),
  'lake-file-unattested': inconclusive(
    (f) => `nothing vouches for it: ${f.reason}`,
    'See the verdict on its sign file.',
  ),
  'lake-file-unreadable': inconclusive(trouble('the file could not be read'), READ),
  'lake-file-unnamed': fail(
    'high',
    (f) => `looks like a part of the result, and ${f.signFile} does not name it`,
    'Leave it out of what you present as the result, and find who wrote it.',
  ),

  'lake-unlisted': inconclusive(
    trouble('the folder could not be listed, so files that are not signed cannot be seen'),
    'Grant s3:ListBucket on the prefix; in a directory, take what cannot be listed out of it, or name a folder beside it.',
  ),
  'lake-nothing-found': fail(
    'critical',
    (f) => `no query result in ${f.looked}`,
    'Name the folder that holds result_sign.json, or a folder above it.',
  ),
};

export function toLakeFinding<K extends LakeVerdictKind>(verdict: LakeVerdict<K>): Finding {
  const { kind, subject, facts } = verdict as { kind: K; subject: Finding['subject']; facts: LakeVerdictFacts[K] };
  return integrityFinding({ kind, subject, facts }, lakeMeaning[kind] as unknown as Meaning<LakeVerdictFacts[K]>);
}
