import { mapOrdered } from '../stream/map-ordered.ts';
import { type Discovered, discover, type RegionTree } from './discover.ts';
import { type ListedDigest, listDigests } from './list-digests.ts';
import type { Session } from './session.ts';

/** How many Region trees are listed ahead of the one that is read. */
const LISTED_AHEAD = 8;

/** The trees that were found and, between `open` and `close`, the digests of each. */
export type Listed =
  | Exclude<Discovered, { type: 'region' }>
  | ListedDigest
  | { readonly type: 'open'; readonly tree: RegionTree }
  | { readonly type: 'close' };

/** All listings as one stream of pages, the first of the next Regions fetched ahead. */
export async function* listAll(session: Session): AsyncGenerator<readonly Listed[]> {
  const { source, scope, signal } = session.request;
  const ahead = mapOrdered(noticed(discover(source, scope), session), LISTED_AHEAD, async (found) =>
    found.type === 'region' ? { ...found, digests: await begun(listDigests(session, found.tree)) } : found,
  );
  for await (const found of ahead) {
    if (signal?.aborted) return;
    if (found.type !== 'region') {
      yield [found];
      continue;
    }
    yield [{ type: 'open', tree: found.tree }];
    for await (const some of found.digests) {
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

/** The same items, the first of them already under way. */
async function begun<T>(items: AsyncGenerator<T>): Promise<AsyncIterable<T>> {
  const first = await items.next();
  return (async function* () {
    if (first.done) return;
    yield first.value;
    yield* items;
  })();
}
