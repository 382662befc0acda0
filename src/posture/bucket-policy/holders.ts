import type { Fact } from './facts.ts';
import { contains, type Glob, glob, literal } from './glob.ts';
import type { Grant } from './grants.ts';

type Holder = Pick<Grant, 'principal' | 'facts'>;

const ACCOUNT_ENTRY = /^(?:arn:[\w-]+:iam::)?(\d{12})(?::root)?$/;
const SESSION = /^(arn:[\w-]+):sts::(\d{12}):assumed-role\/([^/]+)\//;

/**
 * Whether the grant reaches nobody but those listed: ARNs (wildcards allowed), account ids or root ARNs (any identity
 * of the account), service names. A grant to everyone counts when a condition or a Deny ties `aws:PrincipalArn` or
 * `aws:PrincipalAccount` to the list.
 */
export function isHeldBy(grant: Holder, listed: readonly string[]): boolean {
  const { principal } = grant;
  const accounts = listed.flatMap((entry) => ACCOUNT_ENTRY.exec(entry)?.[1] ?? []);
  if ('account' in principal && accounts.includes(principal.account)) return true;
  const patterns = listed.map(glob);
  const names = principal.kind === 'everyone' ? [] : [principal.text, ...roleOfSession(principal.text)];
  return (
    names.some((name) => patterns.some((pattern) => contains(pattern, literal(name)))) ||
    isPinned(grant, 'aws:principalarn', listed) ||
    (accounts.length > 0 && isPinned(grant, 'aws:principalaccount', accounts))
  );
}

function roleOfSession(arn: string): readonly string[] {
  const [, prefix, account, role] = SESSION.exec(arn) ?? [];
  return role === undefined ? [] : [`${prefix}:iam::${account}:role/${role}`];
}

/** Whether each request of the grant carries `key` (lower-cased) with a value within `patterns`. */
export function isPinned(grant: Pick<Grant, 'facts'>, key: string, patterns: readonly string[]): boolean {
  const fact = grant.facts.get(key);
  return fact?.present === true && isWithin(fact, patterns.map(glob));
}

const isWithin = (fact: Fact, allowed: readonly Glob[]): boolean =>
  fact.within.some((set) => set.every((value) => allowed.some((pattern) => contains(pattern, value))));
