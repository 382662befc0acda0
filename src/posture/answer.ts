import type { Json, Severity } from '../report/finding.ts';
import { type Evidence, gather, type Looked, type Unknown } from './evidence.ts';

/** Exact API fields and what was computed from them; becomes `evidence` of the finding. */
export type Facts = { readonly [field: string]: Json | undefined };

interface Said {
  readonly message: string;
  readonly facts: Facts;
  /** Where this answer weighs otherwise than the control does. */
  readonly severity?: Severity;
  /** Where the control's own remedy does not fit. */
  readonly remedy?: string;
}

export type Verdict = Said & { readonly outcome: 'pass' | 'fail' | 'not-applicable' };
/** Cannot tell. `lacking` is never empty: somebody must be able to do something about it. */
export type Inconclusive = Said & { readonly outcome: 'inconclusive'; readonly lacking: readonly Unknown[] };
/** What a control says about one subject. */
export type Answer = Verdict | Inconclusive;

type Weight = { readonly severity?: Severity; readonly remedy?: string };

export const pass = (message: string, facts: Facts = {}, weight: Weight = {}): Verdict => ({
  outcome: 'pass',
  message,
  facts,
  ...weight,
});
export const fail = (message: string, facts: Facts = {}, weight: Weight = {}): Verdict => ({
  outcome: 'fail',
  message,
  facts,
  ...weight,
});
export const notApplicable = (message: string, facts: Facts = {}): Verdict => ({
  outcome: 'not-applicable',
  message,
  facts,
});

/** The answer when these pieces are lacking; says which permission would have helped. */
export function cannotTell(lacking: readonly Unknown[], facts: Facts = {}): Inconclusive {
  const reasons = lacking.map((piece) => `${piece.api}: ${piece.reason} (${piece.code})`);
  return { outcome: 'inconclusive', message: `cannot tell: ${reasons.join('; ')}`, facts, lacking };
}

/**
 * Shows the evidence to `judge` only if none of it is unknown; otherwise the answer is inconclusive. Absent pieces are
 * `null` in what `judge` sees. Code that judges lives in `judge`, so it cannot take "not read" for a value.
 */
export function look<R extends { readonly [name: string]: Evidence<unknown> }>(
  pieces: R,
  judge: (seen: Looked<R>) => Answer,
): Answer {
  const gathered = gather(pieces);
  return gathered.ok ? judge(gathered.seen) : cannotTell(gathered.lacking);
}

/**
 * All have to hold. One failure decides, whatever else is unknown; then one unknown makes it inconclusive; otherwise
 * the first answer that is a pass speaks. Facts of all are merged, those of the deciding answer win.
 */
export function every(first: Answer, ...rest: readonly Answer[]): Answer {
  return decide([first, ...rest], ['fail', 'inconclusive', 'pass', 'not-applicable']);
}

/** One has to hold: a pass decides, whatever else is unknown; then ignorance; then failure. */
export function some(first: Answer, ...rest: readonly Answer[]): Answer {
  return decide([first, ...rest], ['pass', 'inconclusive', 'fail', 'not-applicable']);
}

function decide(answers: readonly [Answer, ...Answer[]], order: readonly Answer['outcome'][]): Answer {
  const rank = (answer: Answer): number => order.indexOf(answer.outcome);
  const chosen = answers.reduce((best, next) => (rank(next) < rank(best) ? next : best));
  const facts: Facts = Object.assign({}, ...answers.map((answer) => answer.facts), chosen.facts);
  if (chosen.outcome !== 'inconclusive') return { ...chosen, facts };
  const lacking = answers.flatMap((answer) => (answer.outcome === 'inconclusive' ? answer.lacking : []));
  return { ...cannotTell([...new Set(lacking)]), facts };
}
