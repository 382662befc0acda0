import { type Finding, findingId, type Json, type Outcome, type Severity, type Subject } from '../report/finding.ts';

interface Meaning {
  readonly outcome: Outcome;
  readonly severity: Severity;
  readonly remedy: string;
}

const GET_ANEW = 'Ask for the bundle anew from whoever keeps it, over another way.';
const pass: Meaning = { outcome: 'pass', severity: 'info', remedy: '' };
const note: Meaning = { outcome: 'not-applicable', severity: 'info', remedy: '' };
const fail = (remedy: string): Meaning => ({ outcome: 'fail', severity: 'critical', remedy });
const inconclusive = (remedy: string): Meaning => ({ outcome: 'inconclusive', severity: 'high', remedy });

/** What can be said of an evidence bundle, and what each means. */
export const evidenceMeaning = {
  'evidence-file-intact': pass,
  'evidence-file-altered': fail(GET_ANEW),
  'evidence-file-missing': fail(GET_ANEW),
  'evidence-file-unreadable': inconclusive('Make the file readable, then run again.'),
  'evidence-file-unlisted': note,
  'evidence-manifest-absent': fail('Name the directory that --evidence wrote.'),
  'evidence-manifest-malformed': fail(GET_ANEW),
  'evidence-signed': pass,
  'evidence-signer': note,
  'evidence-unsigned': note,
  'evidence-signature-missing': fail('Ask for the signed bundle, or leave out --trust and accept hashes alone.'),
  'evidence-signature-invalid': fail(GET_ANEW),
  'evidence-signer-unknown': fail('Compare the fingerprint with the one the signer published.'),
  'evidence-timestamped': pass,
  'evidence-time': note,
  'evidence-timestamp-missing': fail('Ask for the bundle with its timestamp, or leave out --trust-tsa.'),
  'evidence-timestamp-invalid': fail(GET_ANEW),
  'evidence-run': note,
  'evidence-run-incomplete': inconclusive('The run that is evidenced was cut short; ask for a whole one.'),
} as const satisfies Record<string, Meaning>;

export type EvidenceKind = keyof typeof evidenceMeaning;

export function evidenceFinding(
  kind: EvidenceKind,
  path: string,
  message: string,
  evidence: { readonly [name: string]: Json } = {},
): Finding {
  const subject: Subject = { type: 'object', key: path };
  return {
    v: 1,
    id: findingId(kind, subject),
    control: kind,
    kind: 'integrity',
    ...evidenceMeaning[kind],
    subject,
    message,
    evidence,
    references: [],
    waiver: null,
  };
}
