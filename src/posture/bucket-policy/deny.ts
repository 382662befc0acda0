import { ACTIONS_ON, type Scope, selects, selectsAction } from './action.ts';
import type { Condition } from './condition.ts';
import { both, evaluateAll, type Facts, factsWhenFalse } from './facts.ts';
import type { Glob } from './glob.ts';
import type { Policy, Statement } from './parse.ts';
import { type Principal, selectsPrincipal } from './principal.ts';
import { selectsResource, type Target } from './resource.ts';

/** A set of requests by one caller: every action on every resource, under the same facts. */
export interface Requests {
  readonly scope: Scope;
  readonly actions: readonly string[];
  readonly open: readonly Glob[];
  readonly resources: readonly Glob[];
  readonly facts: Facts;
  readonly limitedBy: readonly number[];
}

type Hit = 'yes' | 'no' | 'maybe';

interface Deny {
  readonly statement: Statement;
  readonly actions: ReadonlyMap<string, Hit>;
  /** By text of the pattern; filled as patterns are met. */
  readonly resources: Map<string, Hit>;
}

/** Past these the Denies count as limits only, so that a hostile policy costs its length and not its square. */
const MAX_PIECES = 64;
const MAX_CUTS = 50_000;

/** The Denies of one policy, ready to be asked about many callers. */
export class Denies {
  private readonly list: readonly Deny[];
  private cuts = 0;

  constructor(policy: Policy, target: Target) {
    const known = (['bucket', 'object', 'account', 'key'] as const)
      .filter((scope) => target[scope] !== undefined)
      .flatMap((scope) => ACTIONS_ON[scope]);
    this.list = policy.statements
      .filter((statement) => statement.effect === 'Deny')
      .map((statement) => ({
        statement,
        actions: new Map(known.map((action) => [action, selectsAction(statement.actions, action)])),
        resources: new Map(),
      }));
  }

  /** The requests of this caller that are not surely refused. */
  remainder(principal: Principal, requests: Requests): readonly Requests[] {
    let pieces: readonly Requests[] = [requests].filter(isSome);
    for (const deny of this.list) {
      const who = selectsPrincipal(deny.statement.principals, principal);
      if (who === 'no' || pieces.length === 0) continue;
      this.cuts += pieces.length;
      const mayCut = who === 'yes' && pieces.length < MAX_PIECES && this.cuts < MAX_CUTS;
      pieces = pieces.flatMap((piece) => (mayCut ? subtract(piece, deny) : [limit(piece, deny)])).filter(isSome);
    }
    return pieces;
  }
}

const isSome = ({ actions, open, resources }: Requests): boolean =>
  actions.length + open.length > 0 && resources.length > 0;

function resourceHits({ statement, resources }: Deny, piece: Requests): readonly Hit[] {
  return piece.resources.map((resource) => {
    const seen = resources.get(resource.text);
    if (seen !== undefined) return seen;
    const hit = selectsResource(statement.resources, resource);
    resources.set(resource.text, hit);
    return hit;
  });
}

/** The same requests, noted as limited by a Deny that may refuse some of them. */
function limit(piece: Requests, deny: Deny): Requests {
  const touched = piece.actions.some((action) => deny.actions.get(action) !== 'no') || piece.open.length > 0;
  if (!touched || resourceHits(deny, piece).every((hit) => hit === 'no')) return piece;
  if (evaluateAll(deny.statement.conditions, piece.facts) === 'no') return piece;
  return { ...piece, limitedBy: [...piece.limitedBy, deny.statement.index] };
}

/** What is left of `piece` after a Deny that meets its caller. Only where it surely holds is anything removed. */
function subtract(piece: Requests, deny: Deny): readonly Requests[] {
  const when = evaluateAll(deny.statement.conditions, piece.facts);
  const exempt = when === 'yes' ? 'nobody' : exemptedBy(deny.statement.conditions, piece.facts);
  const open = piece.open.map((pattern) => selects(deny.statement.actions, pattern));
  const resources = resourceHits(deny, piece);
  if (when === 'no' || exempt === null || !resources.includes('yes')) return [limit(piece, deny)];

  const split = (hit: boolean) => ({
    actions: piece.actions.filter((action) => (deny.actions.get(action) === 'yes') === hit),
    open: piece.open.filter((_, index) => (open[index] === 'yes') === hit),
  });
  const resourcesWhere = (hit: boolean) => piece.resources.filter((_, index) => (resources[index] === 'yes') === hit);
  const untouched = limit({ ...piece, ...split(false) }, deny);
  const elsewhere = limit({ ...piece, ...split(true), resources: resourcesWhere(false) }, deny);
  if (exempt === 'nobody') return [untouched, elsewhere];
  return [untouched, elsewhere, { ...piece, ...split(true), resources: resourcesWhere(true), facts: exempt }];
}

/**
 * A Deny with one condition that is not sure, and negated (`ArnNotLike aws:PrincipalArn […]`), spares exactly the
 * requests whose key has one of its values. `null` where that cannot be said.
 */
function exemptedBy(conditions: readonly Condition[], facts: Facts): Facts | 'nobody' | null {
  const unsure = conditions.filter((condition) => evaluateAll([condition], facts) !== 'yes');
  const [only] = unsure;
  if (only === undefined || unsure.length > 1) return null;
  const spared = factsWhenFalse(only);
  return spared === null ? null : (both(facts, spared) ?? 'nobody');
}
