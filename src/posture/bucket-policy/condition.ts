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

export function parseOperator(text: string): Operator {
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

/** Keys that hold several values in one request, so that one match says nothing about the others. */
const MULTIVALUED = new Set(
  `aws:calledvia aws:principalorgpaths aws:principalservicenameslist aws:resourceorgpaths aws:sourceorgpaths
  aws:tagkeys aws:vpceorgpaths kms:encryptioncontextkeys kms:grantoperations kms:resourcealiases
  s3:requestobjecttagkeys`.split(/\s+/),
);

export const isMultivalued = (key: string): boolean => MULTIVALUED.has(key);
