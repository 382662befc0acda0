import type { Range } from '../chain/coverage.ts';
import { type Chain, type DigestKey, dayPath, digestFolder, HOUR, parseDigestKey } from '../chain/location.ts';
import { type Source, SourceError, type Trouble } from '../source/source.ts';
import { isMarker, type RegionTree } from './discover.ts';

export type ListedDigest =
  | { readonly type: 'digest'; readonly key: DigestKey }
  /** A chain that has digests outside the range. */
  | { readonly type: 'seen'; readonly chain: Chain }
  | { readonly type: 'foreign'; readonly key: string; readonly reason: string }
  | { readonly type: 'refused'; readonly prefix: string; readonly trouble: Trouble };

const DAY = 24 * HOUR;
/** A chain whose newest digest lies up to so long before the range still owes digests in it. */
const LOOKBACK = 7 * DAY;

/**
 * Lists the digests of a Region whose window touches the range, in key order: day by day, and within a day trail by
 * trail. Nothing is skipped and nothing ends early because of what a name says: what does not fit is told as foreign.
 */
export async function* listDigests(
  source: Source,
  tree: RegionTree,
  range: Range,
  now: number,
): AsyncGenerator<ListedDigest> {
  const prefix = digestFolder(tree.root, tree.region);
  const after = range.start === null ? undefined : prefix + dayPath(range.start - LOOKBACK);
  // Up to the present there is nothing behind the range, so what lies there is looked at as well.
  const last = range.end >= now ? null : `${prefix}${dayPath(range.end + HOUR)}/`;
  try {
    for await (const object of source.list(prefix, after)) {
      if (last !== null && object.key.slice(0, last.length) > last) return;
      if (!isMarker(object)) yield place(object.key, range, now);
    }
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    yield { type: 'refused', prefix, trouble: error.trouble };
  }
}

function place(key: string, { start, end }: Range, now: number): ListedDigest {
  const parsed = parseDigestKey(key);
  if (!parsed) return { type: 'foreign', key, reason: 'the key is not one that CloudTrail gives a digest' };
  if (end >= now && parsed.endTime > now + DAY) return { type: 'foreign', key, reason: 'its hour is still to come' };
  // A digest that ends with the range's first instant, or begins with its last, touches it.
  const touches = (start === null || parsed.endTime >= start) && parsed.endTime <= end + HOUR;
  return touches ? { type: 'digest', key: parsed } : { type: 'seen', chain: parsed.chain };
}

/** The chains with the newest digests of a Region tree, whenever that was: who owes the digests that are not there. */
export async function newestChains(source: Source, tree: RegionTree): Promise<Chain[]> {
  let folder = digestFolder(tree.root, tree.region);
  for (let level = 0; level < 3; level++) {
    const newest = (await source.folders(folder)).folders.at(-1);
    if (newest === undefined) return [];
    folder = newest;
  }
  const chains = new Map<string, Chain>();
  for await (const object of source.list(folder)) {
    const chain = parseDigestKey(object.key)?.chain;
    if (chain) chains.set(`${chain.trail}|${chain.homeRegion}`, chain);
  }
  return [...chains.values()];
}
