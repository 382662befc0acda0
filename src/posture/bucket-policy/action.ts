import { contains, foldCase, type Glob, glob, hasWildcard, intersects, literal } from './glob.ts';
import { KMS_KEY_ACTIONS } from './kms-actions.ts';
import type { Selection } from './parse.ts';
import { S3_ACCOUNT_ACTIONS, S3_BUCKET_ACTIONS, S3_OBJECT_ACTIONS } from './s3-actions.ts';

/** What an action acts on; a statement grants it only if its `Resource` names such a thing. */
export type Scope = 'bucket' | 'object' | 'account' | 'key';

const named = (service: string, names: readonly string[]): readonly string[] =>
  names.map((name) => `${service}:${name}`);

/** The known actions of each scope, as AWS spells them (`s3:GetObject`). */
export const ACTIONS_ON: { readonly [scope in Scope]: readonly string[] } = {
  bucket: named('s3', S3_BUCKET_ACTIONS),
  object: named('s3', S3_OBJECT_ACTIONS),
  account: named('s3', S3_ACCOUNT_ACTIONS),
  key: named('kms', KMS_KEY_ACTIONS),
};

const WHOLE_SERVICE: { readonly [scope in Scope]: Glob } = {
  bucket: glob('s3:*'),
  object: glob('s3:*'),
  account: glob('s3:*'),
  key: glob('kms:*'),
};

const FOLDED = new Map(
  Object.values(ACTIONS_ON)
    .flat()
    .map((action) => [action, foldCase(literal(action))]),
);
const folded = (action: string): Glob => FOLDED.get(action) ?? foldCase(literal(action));

/** Actions of a statement as sets: known ones by name, and wildcards that would take in an action AWS adds later. */
export interface ActionSet {
  readonly known: readonly string[];
  readonly open: readonly Glob[];
}

/** All that an Allow with this `Action` or `NotAction` may grant on things of one scope. */
export function allowedActions(selection: Selection<Glob>, scope: Scope): ActionSet {
  const service = WHOLE_SERVICE[scope];
  const known = ACTIONS_ON[scope].filter((action) => selects(selection, folded(action)) !== 'no');
  if (selection.except) return { known, open: [service] };
  const open = selection.list
    .filter((pattern) => hasWildcard(pattern) && intersects(pattern, service))
    .map((pattern) => (contains(pattern, service) ? service : pattern));
  return { known, open };
}

/** Whether `Action` or `NotAction` takes in all of `actions` for certain (`yes`), none of them (`no`), or neither is sure. */
export function selects(selection: Selection<Glob>, actions: Glob): 'yes' | 'no' | 'maybe' {
  const covers = selection.list.some((pattern) => contains(pattern, actions));
  if (covers) return selection.except ? 'no' : 'yes';
  if (selection.list.some((pattern) => intersects(pattern, actions))) return 'maybe';
  return selection.except ? 'yes' : 'no';
}

export const actionGlob = (pattern: string): Glob => foldCase(glob(pattern));

/** The known actions, of every scope, that these patterns name; `actionsNamed(['s3:Delete*'])`. */
export function actionsNamed(patterns: readonly string[]): readonly string[] {
  const globs = patterns.map(actionGlob);
  return Object.values(ACTIONS_ON)
    .flat()
    .filter((action) => globs.some((pattern) => contains(pattern, folded(action))));
}

export const selectsAction = (selection: Selection<Glob>, action: string): 'yes' | 'no' | 'maybe' =>
  selects(selection, folded(action));
