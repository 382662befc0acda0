import { selectsAction } from './action.ts';
import { both, evaluateAll, type Facts, principalFacts, type Truth } from './facts.ts';
import { glob } from './glob.ts';
import type { Policy, Statement } from './parse.ts';
import { type Principal, selectsPrincipal } from './principal.ts';
import { selectsResource } from './resource.ts';

/** Requests of one known shape: who asks for what, where, with which condition keys. */
export interface RequestClass {
  readonly principal: Principal;
  readonly action: string;
  /** ARN pattern. */
  readonly resource: string;
  readonly facts: Facts;
}

/**
 * Whether one Allow meets all such requests (`yes`), each leaves out some (`no`), or neither is sure. Denies apart. An
 * Allow on a part of the resources leaves out the rest.
 */
export function permits(policy: Policy, request: RequestClass): Truth {
  const met = policy.statements
    .filter(
      ({ effect, resources }) => effect === 'Allow' && selectsResource(resources, glob(request.resource)) === 'yes',
    )
    .map((allow) => meets(allow, request));
  if (met.includes('yes')) return 'yes';
  return met.includes('maybe') ? 'maybe' : 'no';
}

/** Denies that meet all such requests, and those that may meet some. */
export function denying(
  policy: Policy,
  request: RequestClass,
): { readonly all: readonly Statement[]; readonly some: readonly Statement[] } {
  const denies = policy.statements.filter(({ effect }) => effect === 'Deny');
  const meeting = (truth: Truth) => denies.filter((deny) => meets(deny, request) === truth);
  return { all: meeting('yes'), some: meeting('maybe') };
}

function meets(statement: Statement, { principal, action, resource, facts }: RequestClass): Truth {
  const known = both(principalFacts(principal), facts);
  const truths: readonly Truth[] = [
    selectsPrincipal(statement.principals, principal),
    selectsAction(statement.actions, action),
    selectsResource(statement.resources, glob(resource)),
    known === null ? 'no' : evaluateAll(statement.conditions, known),
  ];
  if (truths.includes('no')) return 'no';
  return truths.includes('maybe') ? 'maybe' : 'yes';
}
