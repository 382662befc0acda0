import type { ScopeField } from './scope-fields.ts';
import type { Waiver } from './waiver-schema.ts';

export const DAY_MS = 86_400_000;
const LONGEST_DAYS = 400;

/** What no acceptance can stand in for: hours nobody vouches for, a signature that does not verify, a cut-off run. */
const NEVER: ReadonlySet<string> = new Set([
  'digest-signature-invalid',
  'digest-missing',
  'link-discontinuous',
  'coverage-gap',
  'coverage-head-missing',
  'coverage-tail-stale',
  'coverage-nothing-found',
  'coverage-unseen',
  'coverage-due',
  'coverage-pending',
  'coverage-elsewhere',
  'checkpoint-rewritten',
  'checkpoint-truncated',
  'checkpoint-restarted',
  'checkpoint-absent',
  'run-interrupted',
  'run-unrecorded',
]);

const OBJECT = ['bucket', 'key', 'sha256'] as const;

/**
 * Integrity failures that can be waived, and what must be named literally: the one object and the bytes it had when it was
 * accepted; for a gap that an event explains and a trail made anew elsewhere, the one time. Other integrity failures leave no hash to hold a waiver to.
 */
const EXACT: ReadonlyMap<string, readonly ScopeField[]> = new Map<string, readonly ScopeField[]>([
  ['log-altered', OBJECT],
  ['log-recoverable', OBJECT],
  ['link-broken', OBJECT],
  ['coverage-gap-explained', ['account', 'region', 'trail', 'hour']],
  ['coverage-moved', ['account', 'region', 'trail', 'hour']],
]);

/** The fields that a waiver of an integrity failure must name; `null` where none can cover it. */
export const exactFields = (control: string): readonly ScopeField[] | null => EXACT.get(control) ?? null;

/** First instant at which a waiver no longer holds: it holds through 23:59:59Z of its day. */
export function endOfTerm(waiver: Waiver): number {
  return Date.parse(waiver.expires) + DAY_MS;
}

export function neverWaivable(control: string): boolean {
  return NEVER.has(control);
}

export function termProblems(
  waivers: readonly Waiver[],
  nowMs: number,
): { readonly path: readonly PropertyKey[]; readonly message: string }[] {
  const today = nowMs - (nowMs % DAY_MS);
  return waivers.flatMap((waiver, index) => {
    const problems: { path: readonly PropertyKey[]; message: string }[] = [];
    if (Date.parse(waiver.expires) - today > LONGEST_DAYS * DAY_MS) {
      problems.push({ path: ['waivers', index, 'expires'], message: `is more than ${LONGEST_DAYS} days ahead` });
    }
    if (Object.values(waiver.scope).every((value) => value === undefined)) {
      problems.push({
        path: ['waivers', index, 'scope'],
        message: 'must name at least one thing: a waiver for everything is no waiver',
      });
    }
    if (neverWaivable(waiver.control)) {
      problems.push({ path: ['waivers', index, 'control'], message: `${waiver.control} can never be waived` });
    }
    return problems;
  });
}
