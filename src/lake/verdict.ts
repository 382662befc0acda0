import type { TroubleFacts } from '../chain/verdict.ts';
import type { Subject } from '../report/finding.ts';

/** Every kind of verdict on a query result with the facts that prove it. Hashes are lowercase hex, or hex as written. */
export interface LakeVerdictFacts {
  /** `notes`: what the signature says nothing about, and what is odd. */
  'lake-signed': { fingerprint: string; files: number; notes: readonly string[] };
  'lake-signature-invalid': { fingerprint: string };
  'lake-key-unknown': {
    fingerprint: string;
    reason: string;
    /** Fingerprint of a given key, other than the named one, under which the signature verifies. */
    verifiesUnder: string | null;
  };
  'lake-sign-malformed': { reason: string };
  'lake-sign-missing': { folder: string };
  'lake-sign-unreadable': TroubleFacts;

  'lake-file-intact': { sha256: string };
  'lake-file-altered': { expected: string; found: string };
  'lake-file-missing': { expected: string };
  'lake-file-unattested': { reason: string };
  'lake-file-unreadable': TroubleFacts;
  'lake-file-unnamed': { signFile: string };

  'lake-unlisted': TroubleFacts;
  'lake-nothing-found': { looked: string };
}

export type LakeVerdictKind = keyof LakeVerdictFacts;

export type LakeVerdict<K extends LakeVerdictKind = LakeVerdictKind> = {
  [Kind in K]: { readonly kind: Kind; readonly subject: Subject; readonly facts: Readonly<LakeVerdictFacts[Kind]> };
}[K];

export function lakeVerdict<K extends LakeVerdictKind>(
  kind: K,
  subject: Subject,
  facts: LakeVerdictFacts[K],
): LakeVerdict<K> {
  return { kind, subject, facts } as LakeVerdict<K>;
}
