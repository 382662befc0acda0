import { ACCOUNT_ID, ORGANIZATION_ID, REGION_NAME } from '../chain/location.ts';
import { type ListedObject, type Source, SourceError, type Trouble } from '../source/source.ts';
import { mapOrdered } from '../stream/map-ordered.ts';
import { type Scope, wants } from './scope.ts';
import { isInShare } from './share.ts';

/** The digests and logs of one account and Region: what one or more trails wrote there. */
export interface RegionTree {
  /** `[prefix/]AWSLogs/[o-xxxx/]{account}/` */
  readonly root: string;
  readonly account: string;
  readonly region: string;
  /** Which of the two folders are there. */
  readonly digests: boolean;
  readonly logs: boolean;
}

export type Discovered =
  | { readonly type: 'region'; readonly tree: RegionTree }
  /** Another share of the run looks at it. */
  | { readonly type: 'elsewhere'; readonly tree: RegionTree }
  | { readonly type: 'foreign'; readonly key: string; readonly reason: string }
  /** A folder of CloudTrail's that digests do not speak of. */
  | { readonly type: 'uncovered'; readonly folder: string }
  | { readonly type: 'refused'; readonly prefix: string; readonly trouble: Trouble };

/** A bucket that holds other things than trails is searched no deeper and no wider than this. */
const MAX_DEPTH = 6;
const MAX_FOLDERS = 2_000;
/** Accounts whose folders are listed at once. */
const PARALLEL = 16;

/** Finds every Region tree in the scope, in key order, by listing folders only. */
export async function* discover(source: Source, scope: Scope): AsyncGenerator<Discovered> {
  const regions = mapOrdered(findAccounts(source, scope), PARALLEL, (found) =>
    found.type === 'account' ? findRegions(source, scope, found) : [found],
  );
  for await (const found of regions) yield* found;
}

interface Account {
  readonly type: 'account';
  readonly root: string;
  readonly account: string;
}

async function* findAccounts(source: Source, scope: Scope): AsyncGenerator<Account | Discovered> {
  const queue = [{ prefix: scope.prefix ?? '', depth: 0 }];
  let looked = 0;
  for (let next = queue.shift(); next; next = queue.shift()) {
    if (++looked > MAX_FOLDERS) {
      const message = `more than ${MAX_FOLDERS} folders without reaching the end; name the trail's prefix`;
      yield { type: 'refused', prefix: next.prefix, trouble: { kind: 'error', code: 'TooManyFolders', message } };
      return;
    }
    const { prefix, depth } = next;
    const answer = await foldersOf(source, prefix);
    if (!answer.ok) {
      yield answer.refused;
      continue;
    }
    for (const folder of answer.folders) {
      const elsewhere = folder === `${prefix}AWSLogs/` ? yield* accountsUnder(source, scope, folder) : [folder];
      // A named prefix is the trail's own: what lies deeper belongs to other trails.
      if (scope.prefix !== null || depth >= MAX_DEPTH) continue;
      for (const deeper of elsewhere) queue.push({ prefix: deeper, depth: depth + 1 });
    }
  }
}

/** Returns the folders that are no account's and no organization's: a prefix may begin with `AWSLogs/` as well. */
async function* accountsUnder(
  source: Source,
  scope: Scope,
  awsLogs: string,
): AsyncGenerator<Account | Discovered, readonly string[]> {
  const answer = await foldersOf(source, awsLogs);
  if (!answer.ok) {
    yield answer.refused;
    return [];
  }
  const others: string[] = [];
  for (const folder of answer.folders) {
    const name = folder.slice(awsLogs.length, -1);
    if (ACCOUNT_ID.test(name)) {
      if (wants(scope.accounts, name)) yield { type: 'account', root: folder, account: name };
    } else if (ORGANIZATION_ID.test(name)) {
      const members = await foldersOf(source, folder);
      if (!members.ok) {
        yield members.refused;
        continue;
      }
      for (const member of members.folders) {
        const account = member.slice(folder.length, -1);
        if (ACCOUNT_ID.test(account) && wants(scope.accounts, account))
          yield { type: 'account', root: member, account };
      }
    } else {
      others.push(folder);
    }
  }
  return others;
}

async function findRegions(source: Source, scope: Scope, { root, account }: Account): Promise<Discovered[]> {
  const [beside, digests, logs] = await Promise.all([
    foldersOf(source, root),
    foldersOf(source, `${root}CloudTrail-Digest/`),
    foldersOf(source, `${root}CloudTrail/`),
  ]);
  const found: Discovered[] = [];
  // What belongs to no Region falls to one share as well, so that it is told once.
  const { share } = scope;
  const alone = share === undefined || isInShare(share, account, '');
  for (const answer of [digests, logs]) if (!answer.ok) found.push(answer.refused);
  for (const folder of beside.ok && alone ? beside.folders : []) {
    if (UNCOVERED.test(folder.slice(root.length))) found.push({ type: 'uncovered', folder });
  }
  for (const object of digests.ok && alone ? digests.objects : []) {
    if (!isMarker(object))
      found.push({ type: 'foreign', key: object.key, reason: 'it lies beside the Region folders' });
  }
  const inDigests = regionsIn(digests);
  const inLogs = regionsIn(logs);
  for (const region of [...new Set([...inDigests, ...inLogs])].sort()) {
    const tree = { root, account, region, digests: inDigests.has(region), logs: inLogs.has(region) };
    if (REGION_NAME.test(region)) {
      if (!wants(scope.regions, region)) continue;
      found.push({ type: share === undefined || isInShare(share, account, region) ? 'region' : 'elsewhere', tree });
    } else if (tree.digests && alone) {
      found.push({ type: 'foreign', key: `${root}CloudTrail-Digest/${region}/`, reason: 'no Region has this name' });
    }
  }
  return found;
}

/** `CloudTrail-Insight/` and its like. */
const UNCOVERED = /^CloudTrail-(?!Digest\/)/;

function regionsIn(answer: Folders): Set<string> {
  return new Set(answer.ok ? answer.folders.map((folder) => folder.split('/').at(-2) ?? '') : []);
}

/** AWS writes zero-byte objects that stand for folders. */
export function isMarker(object: ListedObject): boolean {
  return object.size === 0 && object.key.endsWith('/');
}

type Folders =
  | { readonly ok: true; readonly folders: readonly string[]; readonly objects: readonly ListedObject[] }
  | { readonly ok: false; readonly refused: Extract<Discovered, { type: 'refused' }> };

async function foldersOf(source: Source, prefix: string): Promise<Folders> {
  try {
    return { ok: true, ...(await source.folders(prefix)) };
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    return { ok: false, refused: { type: 'refused', prefix, trouble: error.trouble } };
  }
}
