/**
 * What a policy lets through, closed-world and three-valued: sound for "nobody may", helpful for "somebody may".
 * `parsePolicy`, then `grants` on a target (`bucketTarget`, `accessPointTarget`, `KEY_TARGET`), then ask of each grant
 * whom it reaches (`isHeldBy`) and under what (`isPinned`). `undenied` asks the Denies alone; `permits` and `denying` ask
 * about requests of one known shape (CloudTrail's deliveries).
 */
export { ACTIONS_ON, actionGlob, actionsNamed, type Scope } from './action.ts';
export type { Condition } from './condition.ts';
export {
  absent as absentKey,
  atLeast,
  evaluate,
  evaluateAll,
  type Fact,
  type Facts,
  ifPresent,
  lessThan,
  like,
  oneOf,
  type Truth,
  unlike,
} from './facts.ts';
export { contains, glob, intersects, matches } from './glob.ts';
export {
  type AllowedCaller,
  allowedCallers,
  type Grant,
  grants,
  type Question,
  undenied,
} from './grants.ts';
export { isHeldBy, isPinned } from './holders.ts';
export { type ParsedPolicy, type Policy, type PolicyError, parsePolicy, type Statement } from './parse.ts';
export { EVERYONE, type Principal, parsePrincipal } from './principal.ts';
export { publicStatements } from './public.ts';
export { denying, permits, type RequestClass } from './request.ts';
export { accessPointTarget, bucketTarget, KEY_TARGET, type Target } from './resource.ts';
