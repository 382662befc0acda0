import type { Subject } from '../report/finding.ts';
import type { LogClaim } from './signing.ts';
import { judgeTrouble, type ReadTrouble } from './trouble.ts';
import { type Verdict, verdict } from './verdict.ts';

/** What reading a claimed log file gave. */
export type LogReading =
  | {
      readonly kind: 'content';
      /** SHA-256 of the uncompressed bytes. */
      readonly sha256: Uint8Array;
      readonly encoding: 'gzip' | 'identity';
      readonly notes: readonly string[];
    }
  | { readonly kind: 'malformed'; readonly reason: string }
  | { readonly kind: 'trouble'; readonly trouble: ReadTrouble };

export function judgeLog(claim: LogClaim, subject: Subject, reading: LogReading): Verdict {
  if (reading.kind === 'content' && claim.hash.equals(reading.sha256)) {
    const notes = reading.encoding === 'identity' ? ['stored or served uncompressed', ...reading.notes] : reading.notes;
    return verdict('log-intact', subject, { notes });
  }
  const expected = claim.hash.toString('hex');
  if (reading.kind === 'malformed') return verdict('log-malformed', subject, { expected, reason: reading.reason });
  if (reading.kind === 'trouble') {
    const { kind, code, message } = reading.trouble;
    return kind === 'absent'
      ? verdict('log-missing', subject, { expected })
      : judgeTrouble('log', subject, { kind, code, message });
  }
  // What is neither gzip nor the attested bytes is no log file at all.
  if (reading.encoding === 'identity')
    return verdict('log-malformed', subject, { expected, reason: 'it does not begin like gzip' });
  return verdict('log-altered', subject, { expected, found: Buffer.from(reading.sha256).toString('hex') });
}
