import type { Range } from '../chain/coverage.ts';
import { type Chain, type DigestKey, dayPath, digestFolder, HOUR, parseDigestKey } from '../chain/location.ts';
import { each } from '../source/pages.ts';
import { type ListedObject, type Source, SourceError, type Trouble } from '../source/source.ts';
import { isMarker, type RegionTree } from './discover.ts';
import type { Observed } from './lister.ts';
import type { Session } from './session.ts';
import type { Stretch } from './strays.ts';

export type ListedDigest =
  | { readonly type: 'digest'; readonly key: DigestKey }
  /** A chain that has digests outside the range. */
  | { readonly type: 'seen'; readonly digest: SeenDigest }
  | { readonly type: 'foreign'; readonly tree: 'digests'; readonly key: string; readonly reason: string }
  /** A digest key in the range that has a history. */
  | { readonly type: 'versions'; readonly chain: Chain; readonly observed: Observed }
  | { readonly type: 'refused'; readonly prefix: string; readonly trouble: Trouble };

export interface SeenDigest extends Omit<DigestKey, 'key'> {
  /** When it was written, epoch milliseconds. */
  readonly lastModified: number;
}

const DAY = 24 * HOUR;
/** The first year that CloudTrail could have written. */
export const FIRST_YEAR = 2013;
/** Who looks at a part of a trail as it was sets the clock back; no clock is off by so much. */
const FAR = 366 * DAY;
/** A chain whose newest digest lies up to so long before the range still owes digests in it. */
export const LOOKBACK = 7 * DAY;

/**
 * Lists the digests of a Region whose window touches the range, in key order, page by page: day by day, and within a day
 * trail by trail. Nothing is skipped and nothing ends early because of what a name says: what does not fit is told as foreign.
 */
export async function* listDigests(
  { request, lister }: Session,
  tree: RegionTree,
): AsyncGenerator<readonly ListedDigest[]> {
  const { source, range, now } = request;
  const prefix = digestFolder(tree.root, tree.region);
  const { after, isBehind, isBefore } = walkOver(prefix, range, now);
  try {
    for await (const page of source.list(prefix, after)) {
      const end = page.findIndex(({ key }) => isBehind(key));
      const within = (end < 0 ? page : page.slice(0, end)).filter(
        // A source may not know how to begin later.
        (object) => !(isBefore(object.key) || isMarker(object)),
      );
      yield within.map((object) => place(object, range, now));
      if (end >= 0) break;
    }
    // Apart from the walk, which must not depend on what a store makes of its versions.
    for (const folder of foldersOf(prefix, range)) {
      for await (const page of lister.history(folder)) {
        const odd = page.filter(({ kept, current }) => kept > 1 || current === null);
        yield odd.flatMap((observed): ListedDigest[] => {
          const key = parseDigestKey(observed.key);
          return key && touches(key.endTime, range) ? [{ type: 'versions', chain: key.chain, observed }] : [];
        });
      }
    }
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    yield [{ type: 'refused', prefix, trouble: error.trouble }];
  }
}

/** Which keys of a Region's digest folder the walk over the range comes by. */
interface DigestWalk {
  /** It begins behind this key. */
  readonly after: string | undefined;
  readonly isBefore: (key: string) => boolean;
  readonly isBehind: (key: string) => boolean;
  /** When it begins and ends, epoch milliseconds; `null` for as far as there is anything. */
  readonly stretch: Stretch;
}

export function walkOver(prefix: string, range: Range, now: number): DigestWalk {
  const from = range.start === null ? null : range.start - LOOKBACK;
  // Up to the present there is nothing behind the range, so what lies there is looked at as well.
  const to = range.end >= now ? null : range.end + HOUR;
  const after = from === null ? undefined : prefix + dayPath(from);
  const last = to === null ? null : `${prefix}${dayPath(to)}/`;
  return {
    after,
    isBefore: (key) => after !== undefined && key <= after,
    isBehind: (key) => last !== null && key.slice(0, last.length) > last,
    stretch: { from, to },
  };
}

function place({ key, lastModified }: ListedObject, range: Range, now: number): ListedDigest {
  const parsed = parseDigestKey(key);
  if (!parsed)
    return { type: 'foreign', tree: 'digests', key, reason: 'the key is not one that CloudTrail gives a digest' };
  const { chain, endTime } = parsed;
  // The hours behind such a digest would be too many to be missed one by one.
  if (endTime < Date.UTC(FIRST_YEAR))
    return { type: 'foreign', tree: 'digests', key, reason: 'its hour lies before CloudTrail was' };
  if (range.end >= now && endTime > now + FAR)
    return { type: 'foreign', tree: 'digests', key, reason: 'its hour is still to come' };
  if (touches(endTime, range)) return { type: 'digest', key: parsed };
  return { type: 'seen', digest: { chain, endTime, lastModified } };
}

/** A digest that ends with the range's first instant, or begins with its last, touches it. */
function touches(endTime: number, { start, end }: Range): boolean {
  return (start === null || endTime >= start) && endTime <= end + HOUR;
}

/** A few days by day, more by month, everything at once: the fewest listings that show little else. */
function foldersOf(prefix: string, { start, end }: Range): string[] {
  if (start === null) return [prefix];
  const byDay = end - start <= 3 * DAY;
  const folders = new Set<string>();
  for (let day = start; day < end + HOUR + DAY; day += DAY) {
    folders.add(`${prefix}${dayPath(Math.min(day, end + HOUR)).slice(0, byDay ? 10 : 7)}/`);
  }
  return [...folders];
}

/** The chains with the newest digests of a Region tree, whenever that was: who owes the digests that are not there. */
export async function newestChains(source: Source, tree: RegionTree): Promise<Chain[]> {
  const folder = await newestDay(source, tree);
  if (folder === null) return [];
  const chains = new Map<string, Chain>();
  for await (const object of each(source.list(folder))) {
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
