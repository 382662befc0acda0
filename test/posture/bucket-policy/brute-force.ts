/**
 * A second opinion, written from the IAM evaluation rules alone and sharing no code with the analyser: it decides one
 * concrete request at a time. Policies are given as documents.
 */
export interface Caller {
  readonly name: string;
  readonly kind: 'anonymous' | 'root' | 'identity' | 'service';
  readonly account?: string;
  /** ARN of the role or user; of the root; name of the service. */
  readonly arn?: string;
}

export interface Request {
  readonly caller: Caller;
  readonly action: string;
  readonly resource: string;
  /** By lower-cased key. */
  readonly context: { readonly [key: string]: readonly string[] };
}

export interface Document {
  readonly Version: string;
  readonly Statement: readonly StatementDocument[];
}

export interface StatementDocument {
  readonly Effect: string;
  readonly Principal?: PrincipalDocument;
  readonly NotPrincipal?: PrincipalDocument;
  readonly Action?: readonly string[];
  readonly NotAction?: readonly string[];
  readonly Resource?: readonly string[];
  readonly NotResource?: readonly string[];
  readonly Condition?: { readonly [operator: string]: { readonly [key: string]: readonly string[] } };
}

type PrincipalDocument = '*' | { readonly [type: string]: readonly string[] };

/** Whether the resource policy lets the request through, the account's own IAM being as generous as can be. */
export function isAllowed(document: Document, request: Request): boolean {
  const applying = document.Statement.filter((statement) => applies(statement, request));
  return (
    applying.some((statement) => statement.Effect === 'Allow') &&
    !applying.some((statement) => statement.Effect === 'Deny')
  );
}

export const isDenied = (document: Document, request: Request): boolean =>
  document.Statement.some((statement) => statement.Effect === 'Deny' && applies(statement, request));

function applies(statement: StatementDocument, request: Request): boolean {
  return (
    principalApplies(statement, request.caller) &&
    listed(statement.Action, statement.NotAction, (p) => wild(p.toLowerCase()).test(request.action.toLowerCase())) &&
    listed(statement.Resource, statement.NotResource, (p) => wild(p).test(request.resource)) &&
    Object.entries(statement.Condition ?? {}).every(([operator, keys]) =>
      Object.entries(keys).every(([key, values]) => holds(operator, values, request.context[key.toLowerCase()])),
    )
  );
}

const listed = (
  only: readonly string[] | undefined,
  except: readonly string[] | undefined,
  test: (pattern: string) => boolean,
): boolean => (only ? only.some(test) : !(except ?? []).some(test));

function principalApplies(statement: StatementDocument, caller: Caller): boolean {
  if (statement.Principal) return entries(statement.Principal).some((entry) => names(entry, caller));
  if (statement.Effect === 'Allow') return true;
  return !entries(statement.NotPrincipal ?? {}).some((entry) => isExactly(entry, caller));
}

const entries = (document: PrincipalDocument): readonly string[] =>
  document === '*' ? ['*'] : Object.values(document).flat();

function names(entry: string, caller: Caller): boolean {
  if (entry === '*') return true;
  if (caller.kind === 'anonymous') return false;
  if (caller.kind !== 'service' && (entry === caller.account || entry === `arn:aws:iam::${caller.account}:root`))
    return true;
  return entry === caller.arn;
}

const isExactly = (entry: string, caller: Caller): boolean =>
  entry === '*' || entry === caller.arn || (caller.kind === 'root' && entry === caller.account);

const patterns = new Map<string, RegExp>();

function wild(pattern: string): RegExp {
  const known = patterns.get(pattern);
  if (known) return known;
  const source = pattern
    .replace(/[.+^${}()|[\]\\/]/g, '\\$&')
    .replaceAll('*', '[^]*')
    .replaceAll('?', '[^]');
  const made = new RegExp(`^${source}$`, 'u');
  patterns.set(pattern, made);
  return made;
}

function holds(operator: string, wanted: readonly string[], actual: readonly string[] | undefined): boolean {
  if (operator === 'Null') return wanted.includes(actual === undefined ? 'true' : 'false');
  const forAll = operator.startsWith('ForAllValues:');
  const forAny = operator.startsWith('ForAnyValue:');
  let name = operator.replace(/^For(?:All|Any)Values?:/, '');
  const ifExists = name.endsWith('IfExists');
  name = name.replace(/IfExists$/, '');
  const negated = name.includes('Not');
  const positive = name.replace('Not', '');
  if (actual === undefined) {
    if (forAny) return false;
    return ifExists || negated || forAll;
  }
  const one = (value: string) => wanted.some((pattern) => compare(positive, pattern, value)) !== negated;
  return forAll ? actual.every(one) : actual.some(one);
}

function compare(operator: string, pattern: string, value: string): boolean {
  switch (operator) {
    case 'StringEquals':
      return value === pattern;
    case 'StringEqualsIgnoreCase':
    case 'Bool':
      return value.toLowerCase() === pattern.toLowerCase();
    case 'StringLike':
      return wild(pattern).test(value);
    case 'ArnEquals':
    case 'ArnLike': {
      const cut = (arn: string) => [...arn.split(':').slice(0, 5), arn.split(':').slice(5).join(':')];
      const parts = cut(value);
      return cut(pattern).every((part, index) => wild(part).test(parts[index] ?? ''));
    }
    case 'NumericLessThan':
      return Number(value) < Number(pattern);
    default:
      throw new Error(`no such operator in this world: ${operator}`);
  }
}
