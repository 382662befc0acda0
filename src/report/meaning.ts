import { type Finding, findingId, type Json, type Outcome, type Severity, type Subject } from './finding.ts';

/** What a kind of verdict means to its reader; each kind of facts has its own. */
export interface Meaning<Facts> {
  readonly outcome: Exclude<Outcome, 'waived'>;
  readonly severity: Severity;
  /** One sentence: what was found. The subject names the object. */
  readonly message: (facts: Facts) => string;
  /** What to do next; empty for a pass. */
  readonly remedy: string | ((facts: Facts) => string);
}

export function pass<F>(message: (facts: F) => string): Meaning<F> {
  return { outcome: 'pass', severity: 'info', message, remedy: '' };
}

export function fail<F>(severity: Severity, message: (facts: F) => string, remedy: string): Meaning<F> {
  return { outcome: 'fail', severity, message, remedy };
}

export function inconclusive<F>(message: (facts: F) => string, remedy: Meaning<F>['remedy']): Meaning<F> {
  return { outcome: 'inconclusive', severity: 'high', message, remedy };
}

/** A verdict on the integrity of something, in the form that every report reads. */
export function integrityFinding<F extends object>(
  { kind, subject, facts }: { readonly kind: string; readonly subject: Subject; readonly facts: F },
  { outcome, severity, message, remedy }: Meaning<F>,
): Finding {
  return {
    v: 1,
    id: findingId(kind, subject),
    control: kind,
    kind: 'integrity',
    outcome,
    severity,
    subject,
    message: message(facts),
    evidence: facts as { readonly [key: string]: Json },
    remedy: typeof remedy === 'string' ? remedy : remedy(facts),
    references: [],
    waiver: null,
  };
}
