import type { Facts } from './answer.ts';
import { type Grant, type Policy, parsePolicy } from './bucket-policy/index.ts';
import { type CallName, namedIn } from './calls.ts';
import { type Evidence, known, unknown } from './evidence.ts';

type PolicyCall = Extract<
  CallName,
  | 'GetBucketPolicy'
  | 'GetAccessPointPolicy'
  | 'GetMultiRegionAccessPointPolicy'
  | 'GetKeyPolicy'
  | 'GetRole'
  | 'GetRolePolicy'
  | 'GetPolicyVersion'
>;

/** The policy in a document; a document that is no policy is unknown, with its first fault as the code. */
export function policyIn(
  text: Evidence<string>,
  call: PolicyCall,
  kind: 'resource' | 'identity' | 'trust' = 'resource',
): Evidence<Policy> {
  if (text.state !== 'known') return text;
  const parsed = parsePolicy(text.value, kind);
  if (parsed.ok) return known(parsed.policy);
  const [first] = parsed.errors;
  return unknown('parse', namedIn(call), `MalformedPolicy ${first?.path ?? ''}: ${first?.problem ?? ''}`);
}

/** What a resource policy cannot show; said with every pass that rests on one. */
export const RESOURCE_POLICY_ONLY =
  "resource policy only: identities of the bucket's own account may still be allowed by their own policies unless a Deny or an organization policy stops them";

/** `Statement` as people look for it: its Sid, or its place. */
export const nameOf = ({ index, sid }: { readonly index: number; readonly sid: string | null }): string =>
  sid === null ? `Statement[${index}]` : sid;

const MOST_ACTIONS = 8;

/** A grant as evidence: at most eight actions are named, the rest counted. */
export function grantFacts(
  { principal, statement, resources, conditions, verdict }: Grant,
  actions: readonly string[],
): Facts {
  return {
    statement: nameOf(statement),
    principal: principal.text,
    actions: actions.slice(0, MOST_ACTIONS),
    ...(actions.length > MOST_ACTIONS ? { furtherActions: actions.length - MOST_ACTIONS } : {}),
    resources,
    conditions: conditions.map(({ operator, key }) => `${operator.text} ${key}`),
    verdict,
  };
}
