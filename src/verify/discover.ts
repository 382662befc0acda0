import { ACCOUNT_ID, digestFolder, logFolder, ORGANIZATION_ID, REGION_NAME } from '../chain/location.ts';
import { areCredentialsGone } from '../source/credentials-gone.ts';
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
  | {
      readonly type: 'foreign';
      /** Of which of the two folders it is a stray. */
      readonly tree: 'digests' | 'logs';
      readonly key: string;
      readonly reason: string;
    }
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

/** A folder that may lead to accounts. */
interface Lead {
  readonly prefix: string;
  readonly depth: number;
  /** It lies in an `AWSLogs/` folder, where there ought to be none but those of accounts and organizations. */
  readonly inAwsLogs: boolean;
}

async function* findAccounts(source: Source, scope: Scope): AsyncGenerator<Account | Discovered> {
  const queue: Lead[] = [{ prefix: scope.prefix ?? '', depth: 0, inAwsLogs: false }];
  let looked = 0;
  let tooDeep: string | null = null;
  for (let next = queue.shift(); next; next = queue.shift()) {
    if (++looked > MAX_FOLDERS) {
      const message = `more than ${MAX_FOLDERS} folders without reaching the end`;
      yield { type: 'refused', prefix: next.prefix, trouble: { kind: 'error', code: 'TooManyFolders', message } };
      return;
    }
    const { prefix, depth, inAwsLogs } = next;
    const answer = await foldersOf(source, prefix);
    if (!answer.ok) {
      yield answer.refused;
      continue;
    }
    const strays = inAwsLogs ? strayAccount(prefix, answer.folders) : [];
    if (scope.share === undefined || isInShare(scope.share, prefix, '')) yield* strays;
    if (strays.length > 0) continue;
    for (const folder of answer.folders) {
      // A named prefix is the trail's own: what lies deeper belongs to other trails, save what strayed among accounts.
      const isNamed = scope.prefix !== null;
      const isTree = folder === `${prefix}AWSLogs/` && !(isNamed && depth > 0);
      const others = isTree ? yield* accountsUnder(source, scope, folder) : [folder];
      if (isNamed && !isTree && (!inAwsLogs || depth > 1)) continue;
      if (depth >= MAX_DEPTH) tooDeep ??= others[0] ?? null;
      else for (const other of others) queue.push({ prefix: other, depth: depth + 1, inAwsLogs: inAwsLogs || isTree });
    }
  }
  if (tooDeep === null) return;
  const message = `not searched for trails, nor what else lies more than ${MAX_DEPTH} folders deep`;
  yield { type: 'refused', prefix: tooDeep, trouble: { kind: 'error', code: 'TooDeep', message } };
}

/** Nothing but an account's number has as many digits: dates have eight. */
const NEARLY_ACCOUNT = /\/\d{9,}\/$/;

/** What a folder in the place of an account's, which is none, holds that only an account's does. */
function strayAccount(folder: string, inside: readonly string[]): Discovered[] {
  const stray = (tree: 'digests' | 'logs', key: string): Discovered[] => {
    return [{ type: 'foreign', tree, key, reason: 'no account has this number' }];
  };
  const [digests, logs] = [`${folder}CloudTrail-Digest/`, `${folder}CloudTrail/`];
  const found = [
    ...(inside.includes(digests) ? stray('digests', digests) : []),
    ...(inside.includes(logs) ? stray('logs', logs) : []),
  ];
  // A prefix may have any name, but then accounts lie deeper.
  const isPrefix = inside.includes(`${folder}AWSLogs/`) || !NEARLY_ACCOUNT.test(folder);
  return found.length > 0 || isPrefix ? found : stray('logs', folder);
}

/** Returns the folders that are no account's, of organizations those of their members: a prefix may begin with `AWSLogs/` as well. */
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
        if (!ACCOUNT_ID.test(account)) others.push(member);
        else if (wants(scope.accounts, account)) yield { type: 'account', root: member, account };
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
  const needed = beside.ok || !areCredentialsGone(beside.refused.trouble.code) ? [digests, logs] : [beside];
  for (const answer of needed) if (!answer.ok) found.push(answer.refused);
  for (const folder of beside.ok && alone ? beside.folders : []) {
    if (UNCOVERED.test(folder.slice(root.length))) found.push({ type: 'uncovered', folder });
  }
  const looked = [
    ['digests', digests],
    ['logs', logs],
  ] as const;
  for (const [tree, answer] of looked) {
    for (const object of answer.ok && alone ? answer.objects : []) {
      if (isMarker(object)) continue;
      found.push({ type: 'foreign', tree, key: object.key, reason: 'it lies beside the Region folders' });
    }
  }
  const inDigests = regionsIn(digests);
  const inLogs = regionsIn(logs);
  for (const region of [...new Set([...inDigests, ...inLogs])].sort()) {
    const tree = { root, account, region, digests: inDigests.has(region), logs: inLogs.has(region) };
    if (REGION_NAME.test(region)) {
      if (!wants(scope.regions, region)) continue;
      found.push({ type: share === undefined || isInShare(share, account, region) ? 'region' : 'elsewhere', tree });
    } else if (alone) {
      const reason = 'no Region has this name';
      if (tree.digests) found.push({ type: 'foreign', tree: 'digests', key: digestFolder(root, region), reason });
      if (tree.logs) found.push({ type: 'foreign', tree: 'logs', key: logFolder(root, region), reason });
    }
  }
  return found;
}

/** `CloudTrail-Insight/` and its like. */
const UNCOVERED = /^CloudTrail-(?!Digest\/)/;

function regionsIn(answer: Folders): Set<string> {
  return new Set(answer.ok ? answer.folders.map((folder) => folder.split('/').at(-2) ?? '') : []);
}

/** AWS writes zero-byte objects that stand for folders. What has gone is no object either. */
export function isMarker(object: ListedObject): boolean {
  return (object.key.endsWith('/') && object.size === 0) || object.isGone === true;
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
