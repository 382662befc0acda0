import { chainId, dayPath, HOUR, logFolder, parseLogKey } from '../chain/location.ts';
import { each } from '../source/pages.ts';
import { type ListedObject, type Source, SourceError } from '../source/source.ts';
import { untilGivenUp } from '../stream/give-up.ts';
import { mapOrdered } from '../stream/map-ordered.ts';
import { isMarker, type RegionTree } from '../verify/discover.ts';
import { presentOf } from '../verify/scope.ts';
import { copyDigest, copyNamed, copyObject } from './copy-object.ts';
import { type Arrival, arrivalOf, attested, earlierOrigin, type Found, type Origin, treeName } from './elsewhere.ts';
import { findParts } from './find-parts.ts';
import { type FetchRequest, type FetchStep, type Named, notHad } from './request.ts';

const DAY = 24 * HOUR;
/** Days of logs whose listings are fetched ahead; each is held whole. */
const DAYS_AHEAD = 2;
/** How long what is in flight may take to end after the signal. */
const PATIENCE_MS = 2_000;

/**
 * Copies what `verify` would look at in a bucket: the digests of the range with their metadata, every object in the log
 * folders of its days, logs that a digest names elsewhere, and what bears witness to trails that have no digest in the
 * range. All trails of a Region tree are copied: only together do they say which log nobody names. A chain that was in
 * another bucket or prefix, before or for a while, is followed there, into the same copy.
 */
export async function* fetchCopy(request: FetchRequest): AsyncGenerator<FetchStep> {
  const opened = new Set<Source>();
  const steps = mapOrdered(jobs(request, opened), request.concurrency, (job) => finish(request, job));
  try {
    for await (const step of untilGivenUp(steps, request.signal, PATIENCE_MS, () => null)) {
      if (step !== null) yield step;
    }
  } finally {
    await Promise.all([...opened].map((source) => source.close()));
  }
}

type Job =
  | FetchStep
  | { readonly type: 'object'; readonly source: Source; readonly object: ListedObject }
  | ({ readonly type: 'named' } & Named);

/** `null` where the run was ended before. */
function finish(request: FetchRequest, job: Job): FetchStep | null | Promise<FetchStep> {
  if (job.type !== 'object' && job.type !== 'named') return job;
  if (request.signal.aborted) return null;
  return job.type === 'object' ? copyObject(request, job.source, job.object) : copyNamed(request, job);
}

interface Open {
  readonly tree: RegionTree;
  first: number | null;
  last: number;
  backfill: boolean;
}

/** A trail that was moved more often than this in one range is not followed further. */
const MAX_MOVES = 8;

/** `opened`: to which the buckets are added that chains lead to. */
async function* jobs(request: FetchRequest, opened: Set<Source>): AsyncGenerator<Job> {
  const trees = new Set<string>();
  let origins: Origin[] = [{ source: request.source, range: request.range, chain: null }];
  for (let moves = 0; origins.length > 0 && moves <= MAX_MOVES; moves++) {
    const before: Origin[] = [];
    for (const origin of origins) {
      for (const arrival of yield* jobsIn(request, origin, trees)) {
        if (request.signal.aborted) return;
        const earlier = await earlierOrigin(request, origin, arrival, (tree) => trees.has(tree));
        if (earlier === null) continue;
        before.push(earlier);
        if (earlier.source !== request.source) opened.add(earlier.source);
      }
    }
    origins = before;
  }
}

/** Copies the digests of a place, Region by Region, and says what else has to be copied. Returns where its chains come from elsewhere. */
async function* jobsIn(request: FetchRequest, origin: Origin, trees: Set<string>): AsyncGenerator<Job, Arrival[]> {
  const { concurrency, signal, now } = request;
  const { source } = origin;
  const arrivals: Arrival[] = [];
  /** When the last digest of each hourly chain ends. */
  const lasts = new Map<string, number>();
  let region: Open | null = null;
  const parts = mapOrdered(findParts(request, origin), concurrency, async (part) =>
    part.type === 'digest' ? { ...part, ...(await copyDigest(request, source, part.object)) } : part,
  );
  for await (const part of parts) {
    if (signal.aborted) break;
    switch (part.type) {
      case 'open':
        region = { tree: part.tree, first: null, last: 0, backfill: false };
        if (origin.chain === null) trees.add(treeName(source.bucket, part.tree));
        break;
      case 'digest': {
        yield part.step;
        if (!region) break;
        const { key, digest } = part;
        const id = chainId(key.chain);
        if (!key.chain.backfill) {
          const arrival = digest && arrivalOf(origin, { key, digest }, lasts.get(id) ?? null);
          if (arrival) arrivals.push(arrival);
          lasts.set(id, key.endTime);
        }
        region.first = Math.min(region.first ?? key.endTime, key.endTime);
        region.last = Math.max(region.last, key.endTime);
        region.backfill ||= key.chain.backfill;
        if (digest !== null) yield* logsNamed(request, origin, region, { key, digest });
        break;
      }
      case 'close':
        if (!region || region.first === null) break;
        if (origin.chain === null) yield* logsOf(request, region, region.first);
        // A backfill digest is signed when it is made, not in its hour.
        yield {
          type: 'digests',
          region: region.tree.region,
          from: region.first,
          to: region.backfill ? now : region.last,
        };
        break;
      case 'object':
        yield { ...part, source };
        break;
      case 'named':
        yield { ...part, source, once: false };
        break;
      default:
        yield part;
    }
  }
  return arrivals;
}

/** A log in the folders that are listed anyway needs no request of its own. */
async function* logsNamed(
  request: FetchRequest,
  { source, chain }: Origin,
  { tree, first }: Open,
  { key, digest }: Found,
): AsyncGenerator<Job> {
  let believed: boolean | null = null;
  for (const named of digest.logs) {
    const location = presentOf(source.bucket, request.relocation, named);
    const day = parseLogKey(location.key)?.day ?? '';
    const folder = `${logFolder(tree.root, tree.region)}${day}/`;
    const isListed = dayPath((first ?? key.endTime) - DAY) <= day && day <= dayPath(key.endTime);
    if (location.bucket !== source.bucket) {
      believed ??= (await attested(request, source, key)) !== null;
      if (believed) yield { type: 'named', source, location, once: true };
      else yield { type: 'left', key: location.key, reason: `${IN_ANOTHER} ${location.bucket}` };
    } else if (chain !== null || !isListed || !location.key.startsWith(folder)) {
      yield { type: 'named', source, location, once: chain !== null };
    }
  }
}

const IN_ANOTHER = 'a digest that is not attested names it in another bucket,';

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
    for await (const object of each(source.list(prefix))) {
      if (!isMarker(object)) found.push({ type: 'object', source, object });
    }
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    found.push(notHad(prefix, error.trouble));
  }
  return found;
}
