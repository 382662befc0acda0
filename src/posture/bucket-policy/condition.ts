import { foldCase, type Glob, glob, literal } from './glob.ts';

/** What an operator compares as. `unknown`: a name we do not know, whose truth is never sure. */
export type Comparison =
  | 'string'
  | 'string-fold'
  | 'string-like'
  | 'arn'
  | 'bool'
  | 'null'
  | 'less-than'
  | 'other'
  | 'unknown';

export interface Operator {
  /** As written. */
  readonly text: string;
  readonly comparison: Comparison;
  readonly negated: boolean;
  /** `…IfExists`: true where the request lacks the key. */
  readonly ifExists: boolean;
  /** `ForAllValues:` is true where the request lacks the key, `ForAnyValue:` false. */
  readonly quantifier: 'all' | 'any' | null;
}

/** One line of a `Condition` block: true when the key's value matches any of `values` (none of them, if negated). */
export interface Condition {
  readonly operator: Operator;
  /** Lower-cased: AWS compares key names without regard to case. */
  readonly key: string;
  readonly values: readonly string[];
  /** The values as sets of strings; `null` where they are not compared as text. */
  readonly globs: readonly Glob[] | null;
}

const COMPARISONS: { readonly [name: string]: readonly [Comparison, negated?: true] } = {
  StringEquals: ['string'],
  StringNotEquals: ['string', true],
  StringEqualsIgnoreCase: ['string-fold'],
  StringNotEqualsIgnoreCase: ['string-fold', true],
  StringLike: ['string-like'],
  StringNotLike: ['string-like', true],
  ArnEquals: ['arn'],
  ArnLike: ['arn'],
  ArnNotEquals: ['arn', true],
  ArnNotLike: ['arn', true],
  Bool: ['bool'],
  Null: ['null'],
  NumericLessThan: ['less-than'],
  NumericLessThanEquals: ['other'],
  NumericGreaterThan: ['other'],
  NumericGreaterThanEquals: ['other'],
  NumericEquals: ['other'],
  NumericNotEquals: ['other', true],
  DateLessThan: ['other'],
  DateLessThanEquals: ['other'],
  DateGreaterThan: ['other'],
  DateGreaterThanEquals: ['other'],
  DateEquals: ['other'],
  DateNotEquals: ['other', true],
  IpAddress: ['other'],
  NotIpAddress: ['other', true],
  BinaryEquals: ['other'],
};

function parseOperator(text: string): Operator {
  const [, prefix, name = '', suffix] = /^(?:(ForAllValues|ForAnyValue):)?(.*?)(IfExists)?$/.exec(text) ?? [];
  const known = Object.hasOwn(COMPARISONS, name) ? COMPARISONS[name] : undefined;
  const [comparison, negated] = known ?? (['unknown'] as const);
  return {
    text,
    comparison,
    negated: negated === true,
    ifExists: suffix !== undefined,
    quantifier: prefix === undefined ? null : prefix === 'ForAllValues' ? 'all' : 'any',
  };
}

/** One line of a policy's `Condition` block: operator and key as written. */
export function parseCondition(operatorText: string, key: string, values: readonly string[]): Condition {
  const operator = parseOperator(operatorText);
  return { operator, key: key.toLowerCase(), values, globs: globsOf(operator.comparison, values) };
}

function globsOf(comparison: Comparison, values: readonly string[]): readonly Glob[] | null {
  switch (comparison) {
    case 'string':
      return values.map(literal);
    case 'string-fold':
      return values.map((value) => foldCase(literal(value)));
    case 'bool':
      return values.every((value) => /^(?:true|false)$/i.test(value))
        ? values.map((value) => literal(value.toLowerCase()))
        : null;
    case 'string-like':
    case 'arn':
      return values.map(glob);
    default:
      return null;
  }
}

/** Keys that hold several values in one request, so that one match says nothing about the others. */
const MULTIVALUED = new Set(
  `aws:calledvia aws:principalorgpaths aws:principalservicenameslist aws:resourceorgpaths aws:sourceorgpaths
  aws:tagkeys aws:vpceorgpaths kms:encryptioncontextkeys kms:grantoperations kms:resourcealiases
  s3:requestobjecttagkeys`.split(/\s+/),
);

export const isMultivalued = (key: string): boolean => MULTIVALUED.has(key);
