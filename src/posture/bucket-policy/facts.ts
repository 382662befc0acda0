import { type Condition, isMultivalued } from './condition.ts';
import { contains, foldCase, type Glob, glob, intersects, literal } from './glob.ts';
import type { Principal } from './principal.ts';

export type Truth = 'yes' | 'no' | 'maybe';

/** What holds of one condition key in every request of a class. */
export interface Fact {
  readonly present: boolean | null;
  /** If present, the value lies in each of these sets (each the union of its globs). */
  readonly within: readonly (readonly Glob[])[];
  /** If present, the value lies in none of these. */
  readonly without: readonly Glob[];
  /** If present, the value is a number less than this. */
  readonly below: number | null;
  /** If present, the value is a number no less than this. */
  readonly from: number | null;
}

/** By lower-cased key; a key that is not in the map may be anything, or lacking. */
export type Facts = ReadonlyMap<string, Fact>;

export const NO_FACTS: Facts = new Map();
const ANYTHING: Fact = { present: null, within: [], without: [], below: null, from: null };

export const absent: Fact = { ...ANYTHING, present: false };
export const oneOf = (...texts: readonly string[]): Fact => ({
  ...ANYTHING,
  present: true,
  within: [texts.map(literal)],
});
export const like = (...texts: readonly string[]): Fact => ({ ...ANYTHING, present: true, within: [texts.map(glob)] });
/** Lacking, or a value outside all of these patterns. */
export const unlike = (...texts: readonly string[]): Fact => ({ ...ANYTHING, without: texts.map(glob) });
/** Lacking, or one of these. */
export const ifPresent = (...texts: readonly string[]): Fact => ({ ...ANYTHING, within: [texts.map(literal)] });
export const lessThan = (limit: number): Fact => ({ ...ANYTHING, present: true, below: limit });
export const atLeast = (limit: number): Fact => ({ ...ANYTHING, present: true, from: limit });

/** Facts that hold of both; `null` when no request can meet them. */
export function both(a: Facts, b: Facts): Facts | null {
  const merged = new Map(a);
  for (const [key, fact] of b) {
    const known = merged.get(key) ?? ANYTHING;
    if (known.present !== null && fact.present !== null && known.present !== fact.present) return null;
    const joined: Fact = {
      present: known.present ?? fact.present,
      within: [...known.within, ...fact.within],
      without: [...known.without, ...fact.without],
      below: least(known.below, fact.below),
      from: known.from ?? fact.from,
    };
    if (joined.present === true && isEmpty(joined)) return null;
    merged.set(key, joined);
  }
  return merged;
}

const least = (a: number | null, b: number | null): number | null =>
  a === null || b === null ? (a ?? b) : Math.min(a, b);

/** Sets are compared pair by pair up to here; beyond, nothing is proved. */
const MAX_PAIRS = 4_096;

function isEmpty(fact: Fact): boolean {
  const [first, ...rest] = fact.within;
  if (first === undefined) return false;
  if (first.length * (rest.flat().length + fact.without.length) > MAX_PAIRS) return false;
  return first.every(
    (one) =>
      rest.some((set) => !set.some((other) => intersects(one, other))) ||
      fact.without.some((excluded) => contains(excluded, one)),
  );
}

/** What a request's caller says about its context. Kept to what AWS documents for every request of such a caller. */
export function principalFacts(principal: Principal): Facts {
  if (principal.kind === 'service') return new Map([['aws:principalisawsservice', oneOf('true')]]);
  if (principal.kind !== 'account' && principal.kind !== 'identity') return NO_FACTS;
  if (!/^\d{12}$/.test(principal.account)) return NO_FACTS;
  const facts = new Map<string, Fact>([
    ['aws:principalaccount', oneOf(principal.account)],
    ['aws:principalisawsservice', oneOf('false')],
    ['aws:principalarn', like(`arn:*:*::${principal.account}:*`)],
  ]);
  if (/^arn:[\w-]+:iam::\d+:(?:role|user)\//.test(principal.text)) facts.set('aws:principalarn', oneOf(principal.text));
  return facts;
}

/** What is known of a request for which the condition is true. */
export function factsWhenTrue(condition: Condition): Facts {
  const { operator, key, values } = condition;
  if (operator.comparison === 'unknown' || values.length === 0) return NO_FACTS;
  if (operator.comparison === 'null') {
    const wanted = new Set(values.map((value) => value.toLowerCase()));
    return wanted.size === 1 ? new Map([[key, { ...ANYTHING, present: wanted.has('false') }]]) : NO_FACTS;
  }
  if (operator.quantifier !== null || isMultivalued(key)) {
    return operator.quantifier === 'any' && !operator.ifExists
      ? new Map([[key, { ...ANYTHING, present: true }]])
      : NO_FACTS;
  }
  // Folding widens: a value equal to `abc` but for its case lies in no glob we could write.
  const globs = operator.comparison === 'string-fold' && !operator.negated ? null : condition.globs;
  if (operator.negated) {
    const without = globs?.filter((pattern) => pattern.exact && (operator.comparison !== 'arn' || isPlainArn(pattern)));
    return without === undefined ? NO_FACTS : new Map([[key, { ...ANYTHING, without }]]);
  }
  const present = operator.ifExists ? null : true;
  return new Map([[key, { ...ANYTHING, present, within: globs === null ? [] : [globs] }]]);
}

/** What is known of a request for which a negated condition is false: the key is there and has one of the values. */
export function factsWhenFalse(condition: Condition): Facts | null {
  const { operator, key } = condition;
  if (!operator.negated || operator.quantifier !== null || isMultivalued(key)) return null;
  if (operator.comparison === 'string-fold') return null;
  const globs = condition.globs;
  return globs === null || globs.length === 0
    ? null
    : new Map([[key, { ...ANYTHING, present: true, within: [globs] }]]);
}

/** Whether the condition holds in every request of which the facts hold (`yes`), in none (`no`), or neither is sure. */
export function evaluate(condition: Condition, facts: Facts): Truth {
  const fact = facts.get(condition.key) ?? ANYTHING;
  const ifThere = whenPresent(condition, fact);
  const ifNot = whenAbsent(condition);
  if (fact.present !== null) return fact.present ? ifThere : ifNot;
  return ifThere === ifNot ? ifThere : 'maybe';
}

export function evaluateAll(conditions: readonly Condition[], facts: Facts): Truth {
  const truths = conditions.map((condition) => evaluate(condition, facts));
  if (truths.includes('no')) return 'no';
  return truths.includes('maybe') ? 'maybe' : 'yes';
}

function whenAbsent({ operator, values }: Condition): Truth {
  if (operator.comparison === 'unknown' || values.length === 0) return 'maybe';
  if (operator.comparison === 'null') return nullTruth(values, 'true');
  if (operator.quantifier === 'any') return operator.ifExists ? 'maybe' : 'no';
  return operator.ifExists || operator.negated || operator.quantifier === 'all' ? 'yes' : 'no';
}

function whenPresent(condition: Condition, fact: Fact): Truth {
  const { operator, values } = condition;
  if (operator.comparison === 'null') return nullTruth(values, 'false');
  if (operator.comparison === 'less-than') {
    const limit = values.length === 1 ? Number(values[0]) : Number.NaN;
    if (fact.from !== null && limit <= fact.from) return 'no';
    return fact.below !== null && limit >= fact.below ? 'yes' : 'maybe';
  }
  const globs = condition.globs;
  if (globs === null || globs.length === 0 || isMultivalued(condition.key)) return 'maybe';
  const matched = matchesAny(globs, fact, operator.comparison);
  return operator.negated ? opposite(matched) : matched;
}

/** Whether every value the fact admits matches one of the globs. */
function matchesAny(globs: readonly Glob[], fact: Fact, comparison: string): Truth {
  const fold = comparison === 'string-fold' || comparison === 'bool' ? foldCase : (pattern: Glob) => pattern;
  const covers = comparison === 'arn' ? arnContains : contains;
  for (const set of fact.within) {
    if (set.length * globs.length > MAX_PAIRS) continue;
    const values = set.map(fold);
    if (values.every((value) => globs.some((pattern) => covers(pattern, value)))) return 'yes';
    if (!values.some((value) => globs.some((pattern) => intersects(pattern, value)))) return 'no';
  }
  const excluded = fact.without.map(fold);
  // A value outside `Abc` may still equal it but for its case.
  const comparable = comparison !== 'string-fold' && comparison !== 'bool';
  if (
    comparable &&
    globs.length * excluded.length <= MAX_PAIRS &&
    globs.every((pattern) => excluded.some((out) => contains(out, pattern)))
  )
    return 'no';
  return 'maybe';
}

/**
 * AWS compares ARNs colon by colon, so that a `*` before the last part does not reach past its colon. True is a proof
 * only if both sides are cut at the same colons.
 */
export function arnContains(outer: Glob, inner: Glob): boolean {
  const outerParts = arnParts(outer.text);
  const innerParts = arnParts(inner.text);
  if (outerParts === null || innerParts === null || !outer.exact || !inner.exact) return false;
  const runsOn = innerParts.slice(0, 5).some((part) => part.includes('*'));
  if (runsOn) return outer.text === inner.text;
  return outerParts.every((part, index) => contains(glob(part), glob(innerParts[index] ?? '')));
}

/** An ARN pattern whose wildcards all stand in its last part means the same read as an ARN and as plain text. */
const isPlainArn = (pattern: Glob): boolean =>
  arnParts(pattern.text)
    ?.slice(0, 5)
    .every((part) => !/[*?]/.test(part)) === true;

function arnParts(text: string): readonly string[] | null {
  const parts = text.split(':');
  return parts.length < 6 ? null : [...parts.slice(0, 5), parts.slice(5).join(':')];
}

const nullTruth = (values: readonly string[], wanted: 'true' | 'false'): Truth => {
  const lower = values.map((value) => value.toLowerCase());
  if (lower.every((value) => value === wanted)) return 'yes';
  return lower.includes(wanted) ? 'maybe' : 'no';
};
const opposite = (truth: Truth): Truth => (truth === 'yes' ? 'no' : truth === 'no' ? 'yes' : 'maybe');
