import type { DigestEntry, Place } from '../chain/attestation.ts';
import type { Range } from '../chain/coverage.ts';
import { logFolder } from '../chain/location.ts';
import { judgeLog } from '../chain/log.ts';
import type { LogClaim } from '../chain/signing.ts';
import { type Verdict, verdict } from '../chain/verdict.ts';
import type { WalkOptions } from '../chain/walk.ts';
import type { KeySource } from '../keys/key-source.ts';
import type { Subject } from '../report/finding.ts';
import { readObject } from '../source/reading.ts';
import { type Source, SourceError, type Trouble } from '../source/source.ts';
import { mapOrdered } from '../stream/map-ordered.ts';
import { type Discovered, discover, isMarker, type RegionTree } from './discover.ts';
import { type ListedDigest, listDigests, newestChains } from './list-digests.ts';
import { type ReadEntry, readDigest } from './read-digest.ts';
import { asked, type ChainRecord, createRegion, nothingFound, type Region } from './region.ts';
import { homeOf, presentOf, type Relocation, type Scope, wantsChain } from './scope.ts';

export interface VerifyRequest {
  readonly source: Source;
  readonly keys: KeySource;
  readonly scope: Scope;
  readonly range: Range;
  /** Epoch milliseconds. */
  readonly now: number;
  /** How old the newest digest may be, milliseconds. */
  readonly grace: number;
  /** Whether to look for what no digest names. */
  readonly inventory: 'full' | 'digests' | 'off';
  readonly relocation: Relocation | null;
  /** Objects in flight in each of the two stages. */
  readonly concurrency: number;
  /** Ends the run early; what was judged until then stands. */
  readonly signal?: AbortSignal;
  /** Told of each digest of the scope as it was read, in chain order, before anything is judged of it. */
  readonly watch?: (entry: DigestEntry) => void;
}

/** What `verify` yields: each verdict as it is reached, in the order of the bucket, and each chain when it is done. */
export type VerifyStep =
  | { readonly type: 'verdict'; readonly verdict: Verdict; readonly record: ChainRecord | null }
  | { readonly type: 'chain'; readonly record: ChainRecord };

/** How many Region trees are listed ahead of the one that is read. */
const LISTED_AHEAD = 8;

/**
 * Proves a bucket: list, read, attest, link, hash, judge. Two flat windows do the waiting: one over the digests of all
 * chains, one over the log files that attested digests name. Nothing flows back, and memory is bounded by the windows.
 */
export async function* verify(request: VerifyRequest): AsyncGenerator<VerifyStep> {
  const tasks = mapOrdered(judgeDigests(request), request.concurrency, (task) => finish(request, task));
  let judged = 0;
  let refused = false;
  for await (const steps of tasks) {
    for (const step of steps) {
      if (step.type === 'chain') judged++;
      else if (step.verdict.kind.startsWith('digest-') || step.verdict.kind.startsWith('coverage-')) refused = true;
      yield step;
    }
  }
  if (request.signal?.aborted) {
    const reason = String(request.signal.reason);
    yield { type: 'verdict', verdict: verdict('run-interrupted', { type: 'run' }, { reason }), record: null };
  } else if (judged === 0 && !refused) {
    const { source, range } = request;
    const subject: Subject = { type: 'run', ...(source.bucket === null ? {} : { bucket: source.bucket }) };
    const facts = { ...asked(range), reason: 'no digest in the scope that was asked for' };
    yield { type: 'verdict', verdict: verdict('coverage-nothing-found', subject, facts), record: null };
  }
}

/** Work for the second stage, in the order of the report. */
type Task =
  | VerifyStep
  | { readonly type: 'claim'; readonly claim: LogClaim; readonly subject: Subject; readonly record: ChainRecord }
  | { readonly type: 'day'; readonly region: Region; readonly day: string; readonly listing: Listings }
  | { readonly type: 'undigested'; readonly region: Region; readonly listing: Listings };

/** The log listings of a Region that were started; a refused one is told once. */
interface Listings {
  readonly started: Promise<void>[];
  refused: boolean;
}

async function* judgeDigests(request: VerifyRequest): AsyncGenerator<Task> {
  const { source, keys, inventory, scope } = request;
  const place = (key: string): Place => homeOf(source.bucket, request.relocation, key);
  const options: WalkOptions = { range: request.range, now: request.now, grace: request.grace, place };
  const read = (part: Listed): Promise<Part> | Part => {
    if (part.type !== 'digest') return part;
    // Trails that are not asked for are read all the same where logs are held against the digests of all trails.
    const wanted = inventory === 'full' || wantsChain(scope, part.key.chain);
    return wanted
      ? readDigest(source, keys, part.key, place(part.key.key)).then((entry) => ({ type: 'entry', entry }))
      : part;
  };
  let region: Region | null = null;
  let listing: Listings = { started: [], refused: false };
  for await (const part of mapOrdered(listAll(request), request.concurrency, read)) {
    if (request.signal?.aborted) return;
    if (part.type === 'foreign') {
      if (inventory !== 'off') yield foreign(request, part.key, part.reason);
    } else if (part.type === 'refused') {
      yield refusal(request, part.prefix, part.trouble);
    } else if (part.type === 'open') {
      region = createRegion(part.tree, options, (chain) => wantsChain(scope, chain));
      listing = { started: [], refused: false };
    } else if (region && part.type === 'seen') {
      region.seen(part.chain);
    } else if (region && part.type === 'entry') {
      if (wantsChain(scope, part.entry.key.chain)) request.watch?.(part.entry);
      for (const step of region.step(part.entry)) yield step;
      if (inventory === 'full')
        for (const day of region.inventory.dueDays(part.entry.key.endTime)) yield { type: 'day', region, day, listing };
    } else if (region && part.type === 'close') {
      yield* closeRegion(request, options, region, listing);
      region = null;
    }
  }
}

async function* closeRegion(
  request: VerifyRequest,
  options: WalkOptions,
  region: Region,
  listing: Listings,
): AsyncGenerator<Task> {
  const { steps, records, absent } = region.end();
  yield* steps;
  for (const chain of absent) yield { type: 'verdict', verdict: nothingFound(chain, options), record: null };
  if (records.length === 0 && absent.length === 0) yield* missingTree(request, options, region.tree);
  if (request.inventory === 'full') {
    for (const day of region.inventory.remainingDays()) yield { type: 'day', region, day, listing };
    yield { type: 'undigested', region, listing };
  }
  for (const record of records) yield { type: 'chain', record };
}

/** A Region tree without any digest in or shortly before the range: who owes them? */
async function* missingTree(request: VerifyRequest, options: WalkOptions, tree: RegionTree): AsyncGenerator<Task> {
  const { source, scope, range } = request;
  let chains: Awaited<ReturnType<typeof newestChains>>;
  try {
    chains = await newestChains(source, tree);
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    return; // the listing of this folder was refused already, and that is told
  }
  const wanted = chains.filter((chain) => wantsChain(scope, chain));
  for (const chain of wanted) yield { type: 'verdict', verdict: nothingFound(chain, options), record: null };
  if (chains.length > 0 || scope.trails !== undefined) return;
  const { account, region } = tree;
  const subject: Subject = { type: 'chain', account, region, ...bucketOf(source) };
  const reason = tree.logs ? 'there are log files and no digests' : 'the digest folder is empty';
  yield {
    type: 'verdict',
    verdict: verdict('coverage-nothing-found', subject, { ...asked(range), reason }),
    record: null,
  };
}

/** Second stage: what takes reading of logs or log folders. */
async function finish(request: VerifyRequest, task: Task): Promise<VerifyStep[]> {
  if (task.type === 'verdict' || task.type === 'chain') return [task];
  if (task.type === 'claim') return [await checkLog(request, task)];
  if (task.type === 'day') {
    const looked = listLogs(request, task.region, task.day, task.listing);
    task.listing.started.push(looked.then(() => undefined));
    return looked;
  }
  await Promise.all(task.listing.started);
  return task.region.inventory.undigested(task.region.heard()).map(({ key, lastModified }) => {
    const { account, region } = task.region.tree;
    const subject: Subject = { type: 'object', account, region, ...bucketOf(request.source), key };
    const facts = { lastModified: new Date(lastModified).toISOString() };
    return { type: 'verdict', verdict: verdict('object-undigested', subject, facts), record: null };
  });
}

async function checkLog(request: VerifyRequest, task: Extract<Task, { type: 'claim' }>): Promise<VerifyStep> {
  const { source, relocation } = request;
  const { claim, subject, record } = task;
  const reading = await readObject(source, presentOf(source.bucket, relocation, claim), { keep: false });
  record.logs++;
  if (reading.kind !== 'trouble') record.bytes += reading.storedBytes;
  return { type: 'verdict', verdict: judgeLog(claim, subject, reading), record };
}

async function listLogs(
  request: VerifyRequest,
  { tree, inventory }: Region,
  day: string,
  listing: Listings,
): Promise<VerifyStep[]> {
  const steps: VerifyStep[] = [];
  const prefix = `${logFolder(tree.root, tree.region)}${day}/`;
  try {
    for await (const object of request.source.list(prefix)) {
      if (!inventory.listed(object) && !isMarker(object)) {
        steps.push(foreign(request, object.key, 'the key is not one that CloudTrail gives a log file'));
      }
    }
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    if (!listing.refused) steps.push(refusal(request, prefix, error.trouble));
    listing.refused = true;
  }
  inventory.listedAll(day);
  return steps;
}

type Listed =
  | Exclude<Discovered, { type: 'region' }>
  | ListedDigest
  | { readonly type: 'open'; readonly tree: RegionTree }
  | { readonly type: 'close' };
type Part = Listed | { readonly type: 'entry'; readonly entry: ReadEntry };

/** All listings as one stream, the first pages of the next Regions fetched ahead. */
async function* listAll({ source, scope, range, now, signal }: VerifyRequest): AsyncGenerator<Listed> {
  const ahead = mapOrdered(discover(source, scope), LISTED_AHEAD, async (found) =>
    found.type === 'region' ? { ...found, digests: await begun(listDigests(source, found.tree, range, now)) } : found,
  );
  for await (const found of ahead) {
    if (signal?.aborted) return;
    if (found.type !== 'region') {
      yield found;
      continue;
    }
    yield { type: 'open', tree: found.tree };
    for await (const item of found.digests) {
      if (signal?.aborted) return;
      yield item;
    }
    yield { type: 'close' };
  }
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

function bucketOf(source: Source): { bucket?: string } {
  return source.bucket === null ? {} : { bucket: source.bucket };
}

function foreign({ source }: VerifyRequest, key: string, reason: string): VerifyStep {
  const subject: Subject = { type: 'object', ...bucketOf(source), key };
  return { type: 'verdict', verdict: verdict('object-foreign', subject, { reason }), record: null };
}

/** A folder that could not be listed: of digests it leaves chains unproven, of logs it only hides what no digest names. */
function refusal({ source }: VerifyRequest, prefix: string, trouble: Trouble): VerifyStep {
  const subject: Subject = { type: 'object', ...bucketOf(source), key: prefix };
  const facts = { code: trouble.code, detail: trouble.message };
  const kind = /\/CloudTrail\/([^/]*\/)?(\d{4}\/\d{2}\/\d{2}\/)?$/.test(prefix)
    ? 'object-unlisted'
    : trouble.kind === 'denied'
      ? 'digest-unreadable'
      : 'digest-error';
  return { type: 'verdict', verdict: verdict(kind, subject, facts), record: null };
}
