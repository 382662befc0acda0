import type { FieldSelector } from '../trail-facts.ts';

/** The values that a field takes over the events in scope. */
export type Domain =
  | { readonly kind: 'exactly'; readonly value: string }
  /** Every string that starts with `prefix` and ends with `suffix`. */
  | { readonly kind: 'between'; readonly prefix: string; readonly suffix: string }
  | { readonly kind: 'other-than'; readonly values: readonly string[] };

/** How much of a domain a condition selects. `some` may be too generous; `all` and `none` are proofs. */
export type Share = 'all' | 'some' | 'none';

const OPERATORS = [
  'Equals',
  'StartsWith',
  'EndsWith',
  'NotEquals',
  'NotStartsWith',
  'NotEndsWith',
] as const satisfies readonly (keyof FieldSelector)[];
type Operator = (typeof OPERATORS)[number];
type Test = 'Equals' | 'StartsWith' | 'EndsWith';

/**
 * The share of the domain that a field selector lets through. Values of one positive operator are alternatives; all
 * negative conditions must hold. AWS's pages do not agree on two positive operators in one field (either, or both):
 * `all` and `none` are said only where both readings give it.
 */
export function selectedShare(field: FieldSelector, domain: Domain): Share {
  const present = OPERATORS.filter((operator) => (field[operator]?.length ?? 0) > 0);
  if (present.length === 0) return 'some';
  const positives: Share[] = [];
  const negatives: Share[] = [];
  for (const operator of present) {
    const test = withoutNot(operator);
    const shares = (field[operator] ?? []).map((value) => shareOf(test, value, domain));
    if (test === operator) positives.push(either(shares));
    else negatives.push(...shares.map(complement));
  }
  const positive =
    positives.length === 0 || positives.every((share) => share === 'all')
      ? 'all'
      : positives.every((share) => share === 'none')
        ? 'none'
        : 'some';
  return both([positive, ...negatives]);
}

function withoutNot(operator: Operator): Test {
  switch (operator) {
    case 'Equals':
    case 'NotEquals':
      return 'Equals';
    case 'StartsWith':
    case 'NotStartsWith':
      return 'StartsWith';
    case 'EndsWith':
    case 'NotEndsWith':
      return 'EndsWith';
  }
}

const TESTS: Record<Test, (text: string, value: string) => boolean> = {
  Equals: (text, value) => text === value,
  StartsWith: (text, value) => text.startsWith(value),
  EndsWith: (text, value) => text.endsWith(value),
};

function shareOf(test: Test, value: string, domain: Domain): Share {
  switch (domain.kind) {
    case 'exactly':
      return TESTS[test](domain.value, value) ? 'all' : 'none';
    case 'other-than':
      return test === 'Equals' && domain.values.includes(value) ? 'none' : 'some';
    case 'between':
      return shareBetween(test, value, domain.prefix, domain.suffix);
  }
}

function shareBetween(test: Test, value: string, prefix: string, suffix: string): Share {
  switch (test) {
    case 'Equals':
      return value.length >= prefix.length + suffix.length && value.startsWith(prefix) && value.endsWith(suffix)
        ? 'some'
        : 'none';
    case 'StartsWith':
      return prefix.startsWith(value) ? 'all' : value.startsWith(prefix) ? 'some' : 'none';
    case 'EndsWith':
      return suffix.endsWith(value) ? 'all' : value.endsWith(suffix) ? 'some' : 'none';
  }
}

const either = (shares: readonly Share[]): Share =>
  shares.includes('all') ? 'all' : shares.includes('some') ? 'some' : 'none';

const both = (shares: readonly Share[]): Share =>
  shares.includes('none') ? 'none' : shares.includes('some') ? 'some' : 'all';

const complement = (share: Share): Share => (share === 'all' ? 'none' : share === 'none' ? 'all' : 'some');
