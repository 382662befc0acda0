import type { Selection } from './parse.ts';

/**
 * One entry of `Principal`, as written in `text`. An `account` is every identity of that account which its own IAM
 * lets; `dangling` is the id AWS shows where the role or user no longer exists; `unrecognised` is text AWS would
 * refuse (a wildcard within an ARN): it may stand for anybody.
 */
export type Principal =
  | { readonly kind: 'everyone' | 'unrecognised' | 'federated' | 'canonical-user' | 'dangling'; readonly text: string }
  | { readonly kind: 'service'; readonly text: string }
  | { readonly kind: 'account'; readonly text: string; readonly account: string }
  | { readonly kind: 'identity'; readonly text: string; readonly account: string };

export const EVERYONE: Principal = { kind: 'everyone', text: '*' };

const ACCOUNT = /^\d{12}$/;
const ACCOUNT_ROOT = /^arn:[\w-]+:iam::(\d{12}):root$/;
const IDENTITY = /^arn:[\w-]+:(?:iam|sts)::([\w-]+):.+$/;
const UNIQUE_ID = /^A[A-Z]{3}[A-Z0-9]{12,28}$/;
const WILDCARD = /[*?]|\$\{/;

/** One value under `AWS`, `Service`, `Federated` or `CanonicalUser`; `null` for another key. */
export function parsePrincipal(key: string, text: string): Principal | null {
  if (key === 'AWS') return parseAwsPrincipal(text);
  if (key !== 'Service' && key !== 'Federated' && key !== 'CanonicalUser') return null;
  if (WILDCARD.test(text)) return { kind: 'unrecognised', text };
  if (key === 'Service') return { kind: 'service', text };
  return { kind: key === 'Federated' ? 'federated' : 'canonical-user', text };
}

function parseAwsPrincipal(text: string): Principal {
  if (text === '*') return EVERYONE;
  if (WILDCARD.test(text)) return { kind: 'unrecognised', text };
  if (ACCOUNT.test(text)) return { kind: 'account', text, account: text };
  const root = ACCOUNT_ROOT.exec(text)?.[1];
  if (root !== undefined) return { kind: 'account', text, account: root };
  const account = IDENTITY.exec(text)?.[1];
  if (account !== undefined) return { kind: 'identity', text, account };
  return { kind: UNIQUE_ID.test(text) ? 'dangling' : 'unrecognised', text };
}

/** Whom an Allow may let in: `NotPrincipal` and anything unrecognised count as everyone. */
export function allowedPrincipals(selection: Selection<Principal>): readonly Principal[] {
  if (selection.except) return [EVERYONE];
  return selection.list.map((entry) =>
    entry.kind === 'unrecognised' ? { kind: 'everyone', text: entry.text } : entry,
  );
}

/** Whether `Principal` or `NotPrincipal` takes in every request of `caller` (`yes`), none (`no`), or neither is sure. */
export function selectsPrincipal(selection: Selection<Principal>, caller: Principal): 'yes' | 'no' | 'maybe' {
  if (!selection.except) {
    if (selection.list.some((entry) => covers(entry, caller))) return 'yes';
    return selection.list.every((entry) => apart(entry, caller)) ? 'no' : 'maybe';
  }
  if (selection.list.every((entry) => isNotExempted(entry, caller))) return 'yes';
  const exempt = selection.list.some((entry) => entry.kind === caller.kind && entry.text === caller.text);
  return exempt && caller.kind !== 'account' ? 'no' : 'maybe';
}

function covers(entry: Principal, caller: Principal): boolean {
  if (entry.kind === 'everyone') return true;
  if (entry.kind === 'unrecognised') return false;
  if (entry.kind === 'account') return 'account' in caller && caller.account === entry.account;
  return entry.kind === caller.kind && entry.text === caller.text;
}

/** Provably no request is made by both. */
function apart(a: Principal, b: Principal): boolean {
  if ('account' in a && 'account' in b) {
    if (a.account !== b.account) return true;
    return a.kind === 'identity' && b.kind === 'identity' && areDifferentIdentities(a.text, b.text);
  }
  if (a.kind === 'service') return b.kind === 'service' ? a.text !== b.text : 'account' in b;
  return b.kind === 'service' && 'account' in a;
}

/**
 * `NotPrincipal` exempts exactly whom it lists: naming an account's root does not exempt the account's roles, but
 * naming a role session would exempt a part of the role.
 */
function isNotExempted(listed: Principal, caller: Principal): boolean {
  if (listed.kind === 'account' && caller.kind === 'identity') return true;
  return apart(listed, caller);
}

/** Only roles and users can be told apart by their ARNs: a session is part of its role. */
function areDifferentIdentities(a: string, b: string): boolean {
  const plain = /^arn:[\w-]+:iam::[\w-]+:(?:role|user)\//;
  return a !== b && plain.test(a) && plain.test(b);
}
