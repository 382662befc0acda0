import { mapOrdered } from '../stream/map-ordered.ts';
import { type Discovered, discover, type RegionTree } from './discover.ts';
import { type ListedDigest, listDigests } from './list-digests.ts';
import type { Session } from './session.ts';

/** Region trees that are listed ahead of the one that is read: an organization has thousands, most of them quiet. */
const TREES_AHEAD = 64;
/** Entries that are listed ahead of each, and of all of them together; the rest of a long one follows when it is read. */
const AHEAD_OF_TREE = 200;
const AHEAD = 16_384;

/** The trees that were found and, between `open` and `close`, the digests of each. */
export type Listed =
  | Exclude<Discovered, { type: 'region' }>
  | ListedDigest
  | { readonly type: 'open'; readonly tree: RegionTree }
  | { readonly type: 'close' };

/** All listings as one stream of pages, those of the next Regions fetched ahead. */
export async function* listAll(session: Session): AsyncGenerator<readonly Listed[]> {
  const { source, scope, signal } = session.request;
  const begin = async (found: Discovered) =>
    found.type === 'region' ? { ...found, digests: await begun(listDigests(session, found.tree)) } : found;
  const room = {
    most: AHEAD,
    weigh: (found: Awaited<ReturnType<typeof begin>>) => (found.type === 'region' ? found.digests.listed : 0),
  };
  for await (const found of mapOrdered(noticed(discover(source, scope), session), TREES_AHEAD, begin, room)) {
    if (signal?.aborted) return;
    if (found.type !== 'region') {
      yield [found];
      continue;
    }
    yield [{ type: 'open', tree: found.tree }];
    for await (const some of found.digests.pages) {
      if (signal?.aborted) return;
      yield some;
    }
    yield [{ type: 'close' }];
  }
}

async function* noticed(all: AsyncIterable<Discovered>, { request, reach }: Session): AsyncGenerator<Discovered> {
  let refused = false;
  for await (const found of all) {
    refused ||= found.type === 'refused';
    if (found.type === 'region') {
      request.pace?.found();
      reach.found(found.tree);
    }
    yield found;
  }
  request.pace?.foundAll();
  if (!refused) reach.foundAll();
}

interface Begun<T> {
  /** The same pages, the first of them there already. */
  readonly pages: AsyncIterable<readonly T[]>;
  /** Entries in those. */
  readonly listed: number;
}

async function begun<T>(pages: AsyncGenerator<readonly T[]>): Promise<Begun<T>> {
  const first: (readonly T[])[] = [];
  let listed = 0;
  while (listed < AHEAD_OF_TREE) {
    const next = await pages.next();
    if (next.done) break;
    first.push(next.value);
    listed += next.value.length;
  }
  return {
    listed,
    pages: (async function* () {
      yield* first;
      yield* pages;
    })(),
  };
}
