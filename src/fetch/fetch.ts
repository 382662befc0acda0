import { MalformedDigest, parseDigest } from '../chain/digest.ts';
import {
  chainId,
  type DigestKey,
  dayPath,
  digestFolder,
  HOUR,
  logFolder,
  parseDigestKey,
  parseLogKey,
} from '../chain/location.ts';
import { readObject } from '../source/reading.ts';
import { type ListedObject, type Location, type Source, SourceError } from '../source/source.ts';
import { untilGivenUp } from '../stream/give-up.ts';
import { mapOrdered } from '../stream/map-ordered.ts';
import { discover, isMarker, type RegionTree } from '../verify/discover.ts';
import { LOOKBACK, newestDay } from '../verify/list-digests.ts';
import { presentOf } from '../verify/scope.ts';
import { findStrays, walkedFolders } from '../verify/strays.ts';
import type { VerifyRequest } from '../verify/verify.ts';
import type { CopyFolder } from './copy-folder.ts';
import type { MetadataLog } from './metadata-log.ts';

export interface FetchRequest
  extends Pick<VerifyRequest, 'source' | 'scope' | 'range' | 'now' | 'relocation' | 'concurrency'> {
  readonly signal: AbortSignal;
  readonly folder: CopyFolder;
  readonly metadata: MetadataLog;
  /** The copy as `verify` will read it. */
  readonly copy: Source;
}

export type FetchStep =
  | { readonly type: 'copied'; readonly key: string; readonly size: number }
  /** It was there with the same size. */
  | { readonly type: 'kept'; readonly key: string }
  /** Not copied although it is in the bucket, or may be: the copy is not whole. */
  | { readonly type: 'left'; readonly key: string; readonly reason: string }
  /** The bucket does not have it, so the copy is right not to. */
  | { readonly type: 'absent'; readonly key: string }
  /** A folder of CloudTrail's that digests do not speak of. */
  | { readonly type: 'uncovered'; readonly folder: string }
  /** Digests of a Region in the copy: they are proven by keys of that stretch (epoch milliseconds). */
  | { readonly type: 'digests'; readonly region: string; readonly from: number; readonly to: number };

const DAY = 24 * HOUR;
/** Days of logs whose listings are fetched ahead; each is held whole. */
const DAYS_AHEAD = 2;
/** How long what is in flight may take to end after the signal. */
const PATIENCE_MS = 2_000;
const LIMITS = { inflated: 256 * 1024 * 1024 };

/**
 * Copies what `verify` would look at in a bucket: the digests of the range with their metadata, every object in the log
 * folders of its days, logs that a digest names elsewhere in the bucket, and what bears witness to trails that have no
 * digest in the range. All trails of a Region tree are copied: only together do they say which log nobody names.
 */
export async function* fetchCopy(request: FetchRequest): AsyncGenerator<FetchStep> {
  const steps = mapOrdered(jobs(request), request.concurrency, (job) => finish(request, job));
  for await (const step of untilGivenUp(steps, request.signal, PATIENCE_MS, () => null)) {
    if (step !== null) yield step;
  }
}

type Job =
  | FetchStep
  | { readonly type: 'object'; readonly object: ListedObject }
  /** Known from a digest only. */
  | { readonly type: 'named'; readonly location: Location };

/** `null` where the run was ended before. */
function finish(request: FetchRequest, job: Job): FetchStep | null | Promise<FetchStep> {
  if (job.type !== 'object' && job.type !== 'named') return job;
  if (request.signal.aborted) return null;
  if (job.type === 'object') return copy(request, job.object);
  return copyNamed(request, job.location);
}

type Part =
  | FetchStep
  | { readonly type: 'open'; readonly tree: RegionTree }
  | { readonly type: 'digest'; readonly key: DigestKey; readonly object: ListedObject }
  | { readonly type: 'object'; readonly object: ListedObject }
  | { readonly type: 'named'; readonly location: Location }
  | { readonly type: 'close' };

interface Open {
  readonly tree: RegionTree;
  first: number | null;
  last: number;
  backfill: boolean;
}

/** Copies the digests, Region by Region, and says what else has to be copied. */
async function* jobs(request: FetchRequest): AsyncGenerator<Job> {
  const { concurrency, signal, now } = request;
  let region: Open | null = null;
  const parts = mapOrdered(listAll(request), concurrency, async (part) =>
    part.type === 'digest' ? { ...part, ...(await copyDigest(request, part.object)) } : part,
  );
  for await (const part of parts) {
    if (signal.aborted) return;
    switch (part.type) {
      case 'open':
        region = { tree: part.tree, first: null, last: 0, backfill: false };
        break;
      case 'digest': {
        yield part.step;
        if (!region) break;
        const { endTime, chain } = part.key;
        region.first = Math.min(region.first ?? endTime, endTime);
        region.last = Math.max(region.last, endTime);
        region.backfill ||= chain.backfill;
        for (const named of part.logs) yield* asJob(request, region, endTime, named);
        break;
      }
      case 'close':
        if (!region || region.first === null) break;
        yield* logsOf(request, region, region.first);
        // A backfill digest is signed when it is made, not in its hour.
        yield {
          type: 'digests',
          region: region.tree.region,
          from: region.first,
          to: region.backfill ? now : region.last,
        };
        break;
      default:
        yield part;
    }
  }
}

/** A log in the folders that are listed anyway needs no request of its own. */
function* asJob(request: FetchRequest, { tree, first }: Open, digestEnd: number, named: Location): Generator<Job> {
  const { source, relocation } = request;
  const location = presentOf(source.bucket, relocation, named);
  if (location.bucket !== source.bucket) {
    yield { type: 'left', key: location.key, reason: `it is in another bucket, ${location.bucket}` };
    return;
  }
  const day = parseLogKey(location.key)?.day ?? '';
  const folder = `${logFolder(tree.root, tree.region)}${day}/`;
  const listed = dayPath((first ?? digestEnd) - DAY) <= day && day <= dayPath(digestEnd);
  if (!listed || !location.key.startsWith(folder)) yield { type: 'named', location };
}

async function* listAll({ source, scope, range, now, signal, folder }: FetchRequest): AsyncGenerator<Part> {
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
        yield { type: 'left', key: found.prefix, reason: found.trouble.message };
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
    for await (const object of source.list(prefix, after)) {
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
      for await (const object of source.list(newest)) {
        const key = parseDigestKey(object.key);
        if (key) witnesses.set(chainId(key.chain), object);
      }
    }
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    yield { type: 'left', key: prefix, reason: error.message };
  }
  for (const object of witnesses.values()) yield { type: 'object', object };
}

/** Everything in the log folders of the days that the digests speak of. */
async function* logsOf({ source, signal }: FetchRequest, { tree, last }: Open, first: number): AsyncGenerator<Job> {
  const folder = logFolder(tree.root, tree.region);
  const days: string[] = [];
  for (let day = Math.floor(first / DAY) * DAY - DAY; day <= last; day += DAY) days.push(`${folder}${dayPath(day)}/`);
  const listings = mapOrdered(days, DAYS_AHEAD, (day) => (signal.aborted ? [] : listDay(source, day)));
  for await (const found of listings) yield* found;
}

async function listDay(source: Source, prefix: string): Promise<Job[]> {
  const found: Job[] = [];
  try {
    for await (const object of source.list(prefix)) {
      if (!isMarker(object)) found.push({ type: 'object', object });
    }
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    found.push({ type: 'left', key: prefix, reason: error.message });
  }
  return found;
}

/** A digest has metadata that the copy needs, and names logs. */
async function copyDigest(
  request: FetchRequest,
  object: ListedObject,
): Promise<{ step: FetchStep; logs: readonly Location[] }> {
  const step = await copy(request, object, true);
  if (step.type === 'left') return { step, logs: [] };
  const reading = await readObject(request.copy, { bucket: '', key: object.key }, { keep: true, limits: LIMITS });
  if (reading.kind !== 'content') return { step, logs: [] };
  try {
    return { step, logs: parseDigest(reading.content ?? new Uint8Array()).logs };
  } catch (error) {
    // `verify` will call it malformed; it names nothing.
    if (error instanceof MalformedDigest) return { step, logs: [] };
    throw error;
  }
}

async function copy(request: FetchRequest, { key, size }: ListedObject, withMetadata = false): Promise<FetchStep> {
  const { source, folder, metadata } = request;
  const placed = folder.place(key);
  if (!placed.ok) return { type: 'left', key, reason: placed.reason };
  if (placed.there?.size === size && (!withMetadata || metadata.has(key))) return { type: 'kept', key };
  const opened = await source.open({ bucket: source.bucket ?? '', key });
  if (!opened.ok) return { type: 'left', key, reason: opened.trouble.message };
  const { object } = opened;
  const reason = await folder.write(placed.path, object);
  if (reason !== null) return { type: 'left', key, reason };
  const told = object.metadata ?? {};
  if (withMetadata || Object.keys(told).length > 0) metadata.add(key, told);
  return { type: 'copied', key, size: object.size };
}

async function copyNamed(request: FetchRequest, { bucket, key }: Location): Promise<FetchStep> {
  const { source, folder } = request;
  const placed = folder.place(key);
  if (!placed.ok) return { type: 'left', key, reason: placed.reason };
  const opened = await source.open({ bucket, key });
  if (!opened.ok) {
    return opened.trouble.kind === 'absent'
      ? { type: 'absent', key }
      : { type: 'left', key, reason: opened.trouble.message };
  }
  const reason = await folder.write(placed.path, opened.object);
  return reason === null ? { type: 'copied', key, size: opened.object.size } : { type: 'left', key, reason };
}
