import type { Range } from '../chain/coverage.ts';
import { type Chain, type DigestKey, dayPath, digestFolder, HOUR, parseDigestKey } from '../chain/location.ts';
import { type Source, SourceError, type Trouble } from '../source/source.ts';
import { isMarker, type RegionTree } from './discover.ts';
import type { Observed } from './lister.ts';
import type { Session } from './session.ts';

export type ListedDigest =
  | { readonly type: 'digest'; readonly key: DigestKey }
  /** A chain that has digests outside the range. */
  | { readonly type: 'seen'; readonly chain: Chain }
  | { readonly type: 'foreign'; readonly key: string; readonly reason: string }
  /** A digest key in the range that has a history. */
  | { readonly type: 'versions'; readonly chain: Chain; readonly observed: Observed }
  | { readonly type: 'refused'; readonly prefix: string; readonly trouble: Trouble };

const DAY = 24 * HOUR;
/** A chain whose newest digest lies up to so long before the range still owes digests in it. */
export const LOOKBACK = 7 * DAY;

/**
 * Lists the digests of a Region whose window touches the range, in key order: day by day, and within a day trail by
 * trail. Nothing is skipped and nothing ends early because of what a name says: what does not fit is told as foreign.
 */
export async function* listDigests({ request, lister }: Session, tree: RegionTree): AsyncGenerator<ListedDigest> {
  const { range, now } = request;
  const prefix = digestFolder(tree.root, tree.region);
  const after = range.start === null ? undefined : prefix + dayPath(range.start - LOOKBACK);
  // Up to the present there is nothing behind the range, so what lies there is looked at as well.
  const last = range.end >= now ? null : `${prefix}${dayPath(range.end + HOUR)}/`;
  try {
    for await (const observed of lister.objects(prefix, after)) {
      if (last !== null && observed.key.slice(0, last.length) > last) return;
      yield* place(observed, range, now);
    }
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    yield { type: 'refused', prefix, trouble: error.trouble };
  }
}

function* place(observed: Observed, { start, end }: Range, now: number): Generator<ListedDigest> {
  const { key, current, versions } = observed;
  if (current && isMarker(current)) return;
  const parsed = parseDigestKey(key);
  if (!parsed) {
    if (current) yield { type: 'foreign', key, reason: 'the key is not one that CloudTrail gives a digest' };
    return;
  }
  const { chain, endTime } = parsed;
  if (end >= now && endTime > now + DAY) {
    yield { type: 'foreign', key, reason: 'its hour is still to come' };
    return;
  }
  // A digest that ends with the range's first instant, or begins with its last, touches it.
  const touches = (start === null || endTime >= start) && endTime <= end + HOUR;
  if (!touches) {
    yield { type: 'seen', chain };
    return;
  }
  if (versions.length > 1 || current === null) yield { type: 'versions', chain, observed };
  yield current ? { type: 'digest', key: parsed } : { type: 'seen', chain };
}

/** The chains with the newest digests of a Region tree, whenever that was: who owes the digests that are not there. */
export async function newestChains(source: Source, tree: RegionTree): Promise<Chain[]> {
  const folder = await newestDay(source, tree);
  if (folder === null) return [];
  const chains = new Map<string, Chain>();
  for await (const object of source.list(folder)) {
    const chain = parseDigestKey(object.key)?.chain;
    if (chain) chains.set(`${chain.trail}|${chain.homeRegion}`, chain);
  }
  return [...chains.values()];
}

/** The last day folder with digests of a Region tree; `null` where there is none. Throws `SourceError`. */
export async function newestDay(source: Source, tree: RegionTree): Promise<string | null> {
  let folder = digestFolder(tree.root, tree.region);
  for (let level = 0; level < 3; level++) {
    const newest = (await source.folders(folder)).folders.at(-1);
    if (newest === undefined) return null;
    folder = newest;
  }
  return folder;
}
