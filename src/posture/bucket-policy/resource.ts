import type { Scope } from './action.ts';
import { arnContains } from './facts.ts';
import { contains, type Glob, glob, intersects } from './glob.ts';
import type { Selection } from './parse.ts';

/** What a policy is asked about: for each scope, the ARN patterns of the things in question. */
export type Target = { readonly [scope in Scope]?: readonly Glob[] };

/** A bucket and its objects; with `keys`, only the objects whose key matches (`AWSLogs/*`). */
export function bucketTarget(bucketArn: string, keys = '*'): Target {
  return { bucket: [glob(bucketArn)], object: [glob(`${bucketArn}/${keys}`)] };
}

/** An access point or multi-Region access point, as its own policy names it. */
export function accessPointTarget(accessPointArn: string): Target {
  return { bucket: [glob(accessPointArn)], object: [glob(`${accessPointArn}/object/*`)] };
}

/** The key that a key policy stands on: there `*` means that key. */
export const KEY_TARGET: Target = { key: [glob('*')] };

/** As far as the statement may reach: a subset of `wanted`, or a pattern of the statement that lies within one. */
export function allowedResources(selection: Selection<Glob>, wanted: readonly Glob[]): readonly Glob[] {
  return wanted.flatMap((target) => {
    if (selection.except) return selection.list.some((entry) => covers(entry, target)) ? [] : [target];
    const reached = selection.list.map(completed).filter((entry) => intersects(entry, target));
    if (reached.some((entry) => !contains(target, entry))) return [target];
    return reached;
  });
}

/** Whether `Resource` or `NotResource` takes in all of `resource` for certain (`yes`), none of it (`no`), or neither is sure. */
export function selectsResource(selection: Selection<Glob>, resource: Glob): 'yes' | 'no' | 'maybe' {
  const touched = selection.list.some((entry) => intersects(completed(entry), resource));
  if (selection.except)
    return touched ? (selection.list.some((entry) => covers(entry, resource)) ? 'no' : 'maybe') : 'yes';
  if (selection.list.some((entry) => covers(entry, resource))) return 'yes';
  return touched ? 'maybe' : 'no';
}

const covers = (entry: Glob, resource: Glob): boolean =>
  (entry.text === '*' && entry.exact) || entry.text === resource.text || arnContains(entry, resource);

/** AWS fills up a short ARN with wildcards. */
const completed = (entry: Glob): Glob => (entry.text.split(':').length < 6 ? glob(`${entry.text}*`) : entry);
