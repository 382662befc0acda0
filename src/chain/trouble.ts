import type { Subject } from '../report/finding.ts';
import { type Verdict, verdict } from './verdict.ts';

/** Why an object's bytes could not be had. Absence is a fact; everything else proves nothing. */
export interface ReadTrouble {
  readonly kind: 'absent' | 'denied' | 'archived' | 'error';
  /** The store's own word. */
  readonly code: string;
  readonly message: string;
}

const ENDINGS = { denied: 'unreadable', archived: 'archived', error: 'error' } as const;

/** The verdict on a digest or log that is not absent and yet was not read. */
export function judgeTrouble(
  what: 'digest' | 'log',
  subject: Subject,
  { kind, code, message }: ReadTrouble & { readonly kind: keyof typeof ENDINGS },
): Verdict {
  return verdict(`${what}-${ENDINGS[kind]}`, subject, { code, detail: message });
}
