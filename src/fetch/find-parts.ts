import { chainId, type DigestKey, dayPath, digestFolder, HOUR, logFolder, parseDigestKey } from '../chain/location.ts';
import { each } from '../source/pages.ts';
import { type ListedObject, type Location, type Source, SourceError } from '../source/source.ts';
import { discover, isMarker, type RegionTree } from '../verify/discover.ts';
import { LOOKBACK, newestDay } from '../verify/list-digests.ts';
import { findStrays, walkedFolders } from '../verify/strays.ts';
import type { CopyFolder } from './copy-folder.ts';
import { isOfChain, type Origin } from './elsewhere.ts';
import { type FetchRequest, type FetchStep, notHad } from './request.ts';

export type Part =
  | Exclude<FetchStep, { type: 'digests' }>
  | { readonly type: 'open'; readonly tree: RegionTree }
  | { readonly type: 'digest'; readonly key: DigestKey; readonly object: ListedObject }
  | { readonly type: 'object'; readonly object: ListedObject }
  | { readonly type: 'named'; readonly location: Location }
  | { readonly type: 'close' };

/** What is there to copy of an origin; of a single chain, its digests. */
export async function* findParts(request: FetchRequest, { source, range, chain }: Origin): AsyncGenerator<Part> {
  const { scope, now, signal, folder } = request;
  if (chain !== null) {
    const tree: RegionTree = { ...chain, digests: true, logs: true };
    yield { type: 'open', tree };
    for await (const part of digestsOf(source, tree, range, now)) {
      if (part.type === 'left' || (part.type === 'digest' && isOfChain(chain, part.key))) yield part;
    }
    yield { type: 'close' };
    return;
  }
  for await (const found of discover(source, scope)) {
    if (signal.aborted) return;
    switch (found.type) {
      case 'region':
        if (found.tree.digests) folder.makeFolder(digestFolder(found.tree.root, found.tree.region));
        if (found.tree.logs) folder.makeFolder(logFolder(found.tree.root, found.tree.region));
        yield { type: 'open', tree: found.tree };
        yield* digestsOf(source, found.tree, range, now);
        yield* straysOf(source, found.tree, range, now, folder);
        yield { type: 'close' };
        break;
      case 'uncovered':
        folder.makeFolder(found.folder);
        yield found;
        break;
      case 'foreign':
        yield* stray(source, found.key, folder);
        break;
      case 'refused':
        yield notHad(found.prefix, found.trouble);
        break;
    }
  }
}

/** A folder is enough to be told. */
function* stray({ bucket }: Source, key: string, folder: CopyFolder): Generator<Part> {
  if (key.endsWith('/')) folder.makeFolder(key);
  else yield { type: 'named', location: { bucket: bucket ?? '', key } };
}

async function* straysOf(
  source: Source,
  tree: RegionTree,
  range: FetchRequest['range'],
  now: number,
  folder: CopyFolder,
): AsyncGenerator<Part> {
  for (const walked of walkedFolders(tree, range, now)) {
    try {
      for (const { key } of await findStrays(source, walked, now)) yield* stray(source, key, folder);
    } catch (error) {
      if (!(error instanceof SourceError)) throw error;
      yield { type: 'left', key: walked.folder, reason: error.message };
    }
  }
}

/** The objects in the digest folder that `verify` would see: as `listDigests` has it. */
async function* digestsOf(
  source: Source,
  tree: RegionTree,
  { start, end }: FetchRequest['range'],
  now: number,
): AsyncGenerator<Part> {
  const prefix = digestFolder(tree.root, tree.region);
  const after = start === null ? undefined : prefix + dayPath(start - LOOKBACK);
  const last = end >= now ? null : `${prefix}${dayPath(end + HOUR)}/`;
  // Of each chain that lies outside the range, one digest: that the chain is there.
  const witnesses = new Map<string, ListedObject>();
  let any = false;
  try {
    for await (const object of each(source.list(prefix, after))) {
      if (after !== undefined && object.key <= after) continue;
      if (last !== null && object.key.slice(0, last.length) > last) break;
      if (isMarker(object)) continue;
      const key = parseDigestKey(object.key);
      if (!key) yield { type: 'object', object };
      else if ((start === null || key.endTime >= start) && key.endTime <= end + HOUR) {
        yield { type: 'digest', key, object };
      } else witnesses.set(chainId(key.chain), object);
      any ||= key !== null;
    }
    const newest = any ? null : await newestDay(source, tree);
    if (newest !== null) {
      for await (const object of each(source.list(newest))) {
        const key = parseDigestKey(object.key);
        if (key) witnesses.set(chainId(key.chain), object);
      }
    }
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    yield notHad(prefix, error.trouble);
  }
  for (const object of witnesses.values()) yield { type: 'object', object };
}
