import { ACTIONS_ON, allowedActions, type Scope } from './action.ts';
import type { Condition } from './condition.ts';
import { Denies, type Requests } from './deny.ts';
import { both, evaluateAll, type Facts, factsWhenTrue, NO_FACTS, principalFacts } from './facts.ts';
import type { Glob } from './glob.ts';
import type { Policy, Statement } from './parse.ts';
import { allowedPrincipals, EVERYONE, type Principal } from './principal.ts';
import { allowedResources, selectsResource, type Target } from './resource.ts';

/**
 * What one Allow statement may let one principal do on things of one scope, less what the Denies surely take away.
 * Identity policies of the resource's own account, organization policies, session policies and VPC endpoint policies
 * are out of sight.
 */
export interface Grant {
  readonly principal: Principal;
  readonly scope: Scope;
  /** Known actions, in AWS's spelling. */
  readonly actions: readonly string[];
  /** Wildcards of the statement that would also take in actions we do not know. */
  readonly open: readonly string[];
  /** ARN patterns. */
  readonly resources: readonly string[];
  /** Those of the statement, as written. */
  readonly conditions: readonly Condition[];
  /** What is known of every request the grant lets through, from the principal, the conditions and the Denies. */
  readonly facts: Facts;
  /**
   * `definite`: nothing limits it. `conditional`: some requests may pass, the conditions or a Deny limit which.
   * `unknown`: whether any passes hangs on an operator or an action we do not know.
   */
  readonly verdict: 'definite' | 'conditional' | 'unknown';
  readonly statement: { readonly index: number; readonly sid: string | null };
  /** Indexes of the Denies that take away a part we could not name. */
  readonly limitedBy: readonly number[];
}

/** Every grant of a resource policy on `target`. None is left out: no grant means that no request is let through. */
export function grants(policy: Policy, target: Target): readonly Grant[] {
  const denies = new Denies(policy, target);
  return allows(policy).flatMap((allow) =>
    allowedPrincipals(allow.principals).flatMap((who) =>
      grantsTo(who, allow, target, (requests) => denies.remainder(who, requests)),
    ),
  );
}

const allows = (policy: Policy) => policy.statements.filter((statement) => statement.effect === 'Allow');

/** What is known of a caller's requests that meet the statement's conditions; `null` when none can. */
function factsOfAllowed(principal: Principal, allow: Statement): Facts | null {
  const facts = allow.conditions.reduce<Facts | null>(
    (known, condition) => known && both(known, factsWhenTrue(condition)),
    principalFacts(principal),
  );
  return facts === null || evaluateAll(allow.conditions, facts) === 'no' ? null : facts;
}

/** Somebody an Allow statement lets in, whatever for. */
export interface AllowedCaller {
  readonly principal: Principal;
  readonly facts: Facts;
  readonly statement: { readonly index: number; readonly sid: string | null };
}

/** Everyone whom a policy's Allows let in: who may assume a role, by its trust policy. Denies are not looked at. */
export function allowedCallers(policy: Policy): readonly AllowedCaller[] {
  return allows(policy).flatMap((allow) =>
    allowedPrincipals(allow.principals).flatMap((principal) => {
      const facts = factsOfAllowed(principal, allow);
      return facts === null ? [] : [{ principal, facts, statement: { index: allow.index, sid: allow.sid } }];
    }),
  );
}

function grantsTo(
  principal: Principal,
  allow: Statement,
  target: Target,
  remainder: (requests: Requests) => readonly Requests[],
): readonly Grant[] {
  const ofCaller = principalFacts(principal);
  const facts = factsOfAllowed(principal, allow);
  if (facts === null) return [];
  const unconditional = evaluateAll(allow.conditions, ofCaller) === 'yes';
  const unknown = allow.conditions.some((condition) => condition.operator.comparison === 'unknown');
  return scopesOf(target).flatMap(([scope, wanted]) => {
    const resources = allowedResources(allow.resources, wanted);
    const { known, open } = allowedActions(allow.actions, scope);
    const requests: Requests = { scope, actions: known, open, resources, facts, limitedBy: [] };
    const isWhole =
      unconditional && resources.every((resource) => selectsResource(allow.resources, resource) === 'yes');
    return remainder(requests).map((left) => ({
      principal,
      scope,
      actions: left.actions,
      open: left.open.map((pattern) => pattern.text),
      resources: left.resources.map((pattern) => pattern.text),
      conditions: allow.conditions,
      facts: left.facts,
      verdict:
        unknown || left.actions.length === 0
          ? ('unknown' as const)
          : isWhole && left.limitedBy.length === 0 && left.facts === facts
            ? ('definite' as const)
            : ('conditional' as const),
      statement: { index: allow.index, sid: allow.sid },
      limitedBy: left.limitedBy,
    }));
  });
}

/** A question to the Denies: is every such request refused? */
export interface Question {
  /** Everyone by default. */
  readonly principal?: Principal;
  readonly actions: readonly string[];
  readonly target: Target;
  /** What holds of the requests asked about: `aws:securetransport` is false, say. */
  readonly facts?: Facts;
}

/** Of the requests asked about, those the Denies do not surely refuse; empty means all of them are refused. */
export function undenied(
  policy: Policy,
  question: Question,
): readonly { readonly scope: Scope; readonly actions: readonly string[]; readonly resources: readonly string[] }[] {
  const principal = question.principal ?? EVERYONE;
  const facts = both(principalFacts(principal), question.facts ?? NO_FACTS);
  if (facts === null) return [];
  const denies = new Denies(policy, question.target);
  return scopesOf(question.target).flatMap(([scope, resources]) => {
    const known = new Set(ACTIONS_ON[scope]);
    const actions = question.actions.filter((action) => known.has(action));
    return denies.remainder(principal, { scope, actions, open: [], resources, facts, limitedBy: [] }).map((left) => ({
      scope,
      actions: left.actions,
      resources: left.resources.map((pattern) => pattern.text),
    }));
  });
}

function scopesOf(target: Target): readonly (readonly [Scope, readonly Glob[]])[] {
  return (['bucket', 'object', 'account', 'key'] as const).flatMap((scope) => {
    const wanted = target[scope];
    return wanted === undefined ? [] : [[scope, wanted] as const];
  });
}
