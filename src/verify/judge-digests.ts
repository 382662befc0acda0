import { type Place, samePlace } from '../chain/attestation.ts';
import { judgeLink, type Settled } from '../chain/link.ts';
import { type Chain, parseDigestKey } from '../chain/location.ts';
import { verdict } from '../chain/verdict.ts';
import type { Arrival } from '../chain/walk.ts';
import type { Subject } from '../report/finding.ts';
import { mapBatches } from '../stream/map-ordered.ts';
import type { RegionTree } from './discover.ts';
import { judgeVersions } from './judge-versions.ts';
import { type Listed, listAll } from './list-all.ts';
import { judgeMissingTree } from './missing-tree.ts';
import { createReach } from './reach.ts';
import { type ReadEntry, readDigest } from './read-digest.ts';
import { foreign, refusal } from './refusal.ts';
import { createRegion, type Region, type RegionStep, stepsOf } from './region.ts';
import { presentOf, type Scope, wants, wantsChain } from './scope.ts';
import { bucketOf, openSession, type Session, tellBlindness, told } from './session.ts';
import { walkedFolders } from './strays.ts';
import { createSuccessions, type Successions } from './successions.ts';
import type { Listings, Task } from './task.ts';

/**
 * Log files that digests read ahead may name. What is in flight of them is fewer, and what waits for longer than a few
 * thousand others grows old: then V8 leaves its garbage about until the next great collection.
 */
const CLAIMS_AHEAD = 1_024;
/** A trail that was moved more often than this in one range is not followed further. */
const MAX_MOVES = 8;

/** Whether the chain that a moved one names was found: the place may hold none, or may not show it. */
export type Followed = 'followed' | 'absent' | 'refused';

/**
 * First stage: reads and judges the digests of a bucket, Region by Region, and hands on what they claim, all that one says
 * together. `successor` is the digest elsewhere that goes on where a chain here ends, `predecessor` one elsewhere that a
 * chain here may go on from.
 */
export async function* judgeDigests(
  session: Session,
  successor: Settled | null,
  predecessor: Settled | null = null,
  moves = 0,
): AsyncGenerator<readonly Task[], Followed> {
  const { request, reader, walk } = session;
  const { source, keys, inventory, scope, concurrency, signal, pace } = request;
  const successions = createSuccessions(session, successor !== null);
  const read = async (part: Listed): Promise<Part> => {
    if (part.type !== 'digest') return part;
    // Trails that are not asked for are read all the same where logs are held against the digests of all trails.
    if (inventory !== 'full' && !wantsChain(scope, part.key.chain)) return part;
    const { key } = part.key;
    pace?.asked(key);
    const entry = await readDigest(source, keys, part.key, walk.place(key), (...asked) => reader.read(...asked));
    pace?.answered(key);
    return { type: 'entry', entry };
  };
  let region: OpenRegion | null = null;
  let refused = false;
  const room = { most: CLAIMS_AHEAD, weigh: claimsIn };
  for await (const parts of mapBatches(listAll(session), concurrency, read, room)) {
    let tasks: Task[] = [];
    for (const part of parts) {
      if (signal?.aborted) {
        yield tasks;
        return 'refused';
      }
      switch (part.type) {
        case 'open':
          region = openRegion(session, part.tree);
          break;
        case 'seen':
          region?.others.add(part.digest.chain.trail);
          if (wantsChain(scope, part.digest.chain)) successions.seen(part.digest.chain, part.digest);
          break;
        case 'entry':
          pace?.reached(part.entry.key.endTime);
          // One by one: a digest may name more logs than a call can have arguments.
          if (region) for (const task of judgeEntry(session, region, part.entry)) tasks.push(task);
          // Backfill digests fill no hour: a trail that has them owes hourly ones.
          if (wantsChain(scope, part.entry.key.chain)) successions.seen({ ...part.entry.key.chain, backfill: false });
          break;
        case 'close':
          pace?.closed();
          yield tasks;
          tasks = [];
          if (region) yield* closeRegion(session, region, successions);
          region = null;
          break;
        case 'versions': {
          const { account, region: name, trail } = part.chain;
          const about: Subject = { type: 'object', account, region: name, trail, ...bucketOf(session) };
          tasks.push(...judgeVersions(part.observed, about).map((judged) => told(judged)));
          break;
        }
        case 'foreign':
          if (inventory === 'full' || (inventory === 'digests' && part.tree === 'digests'))
            tasks.push(foreign(session, part.key, part.reason));
          break;
        case 'elsewhere': {
          const { account, region: name } = part.tree;
          const subject: Subject = { type: 'chain', account, region: name, ...bucketOf(session) };
          tasks.push(told(verdict('coverage-elsewhere', subject, {})));
          break;
        }
        case 'uncovered':
          if (inventory === 'full') {
            const subject: Subject = { type: 'object', ...bucketOf(session), key: part.folder };
            tasks.push(told(verdict('object-uncovered', subject, { folder: part.folder })));
          }
          break;
        case 'refused':
          refused = true;
          if (region) region.refused = true;
          tasks.push(refusal(session, part.prefix, part.trouble));
          break;
      }
    }
    yield tasks;
  }
  const followed = yield* closeChains(session, successions, { successor, predecessor, moves });
  return followed ? 'followed' : refused ? 'refused' : 'absent';
}

/** A digest without logs is no burden, but it is one. */
function claimsIn(part: Part): number {
  if (part.type !== 'entry') return 0;
  const { reading } = part.entry;
  return reading.kind === 'content' ? 1 + reading.digest.logs.length : 1;
}

type Part = Listed | { readonly type: 'entry'; readonly entry: ReadEntry };

interface OpenRegion extends Region {
  readonly listing: Listings;
  /** Trails that have digests here outside the range. */
  readonly others: Set<string>;
  entries: number;
  /** The digests could not all be listed. */
  refused: boolean;
}

function openRegion({ request, walk }: Session, tree: RegionTree): OpenRegion {
  const { source, relocation, scope, inventory } = request;
  const region = createRegion(tree, walk, {
    isJudged: (chain) => wantsChain(scope, chain),
    presentKey: inventory === 'full' ? (claim) => presentOf(source.bucket, relocation, claim).key : null,
  });
  return { ...region, listing: { started: [], refused: false }, others: new Set(), entries: 0, refused: false };
}

function* judgeEntry(session: Session, region: OpenRegion, entry: ReadEntry): Generator<Task> {
  const { source, lock, inventory, scope, watch } = session.request;
  const wanted = wantsChain(scope, entry.key.chain);
  region.entries++;
  if (wanted) watch?.(entry);
  for (const step of region.step(entry)) yield asTask(step);
  if (lock !== undefined && wanted) {
    const location = { bucket: source.bucket ?? '', key: entry.key.key };
    yield { type: 'lock', location, subject: entry.subject, head: entry.head, record: null };
  }
  if (inventory !== 'full') return;
  for (const day of region.inventory.dueDays(entry.key.endTime))
    yield { type: 'day', region, day, listing: region.listing };
}

function asTask(step: RegionStep): Task {
  if (step.type === 'claim') return step;
  const { verdict: judged, record } = step;
  if (judged.kind !== 'coverage-gap' && judged.kind !== 'coverage-tail-stale') return told(judged, record);
  return { type: 'gap', chain: record.chain, gap: judged, record };
}

async function* closeRegion(
  session: Session,
  region: OpenRegion,
  successions: Successions,
): AsyncGenerator<readonly Task[]> {
  const { steps, chains } = region.end();
  yield [...steps, ...chains.flatMap((chain) => successions.add(chain))].map(asTask);
  if (region.entries === 0 && region.others.size === 0) yield await judgeMissingTree(session, region.tree, successions);
  yield [...strays(session, region)];
  if (session.request.inventory !== 'full' || region.entries === 0) return;
  const { listing } = region;
  if (session.request.range.start === null) yield [{ type: 'before', region, listing }];
  yield region.inventory.remainingDays().map((day): Task => ({ type: 'day', region, day, listing }));
  yield [{ type: 'undigested', region, listing }];
}

function* strays({ request }: Session, { tree, listing, refused }: OpenRegion): Generator<Task> {
  const { range, now, inventory } = request;
  for (const walked of walkedFolders(tree, range, now)) {
    const isLogs = walked.tree === 'logs';
    // A refused listing is told already.
    if (isLogs ? inventory !== 'full' : inventory === 'off' || refused) continue;
    yield { type: 'strays', walked, listing: isLogs ? listing : { started: [], refused: false } };
  }
}

/** All Regions are read: chains that were moved are joined, and what is still open is closed. */
async function* closeChains(
  session: Session,
  successions: Successions,
  { successor, predecessor, moves }: { successor: Settled | null; predecessor: Settled | null; moves: number },
): AsyncGenerator<readonly Task[], boolean> {
  const handedOver = successor && successions.handOver(successor);
  yield (handedOver ?? []).map(asTask);
  const moved = successions.moved();
  const left = [predecessor, ...moved.map(({ arrival }) => arrival.left)].filter((settled) => settled !== null);
  for (const { chain, arrival } of moved) {
    const { first } = arrival;
    if (first.attestation.digest === null) continue;
    // From where a chain went away and came back, it is not followed once more.
    const earlier = left.find(({ entry }) => isNamedBy(first, entry.place));
    if (earlier) {
      yield judgeLink(first, earlier).map((judged) => told(judged, chain.record));
      continue;
    }
    const steps = isElsewhere(session, first) ? null : successions.handOver(first);
    yield (steps ?? []).map(asTask);
    const followed = steps ? 'followed' : yield* follow(session, arrival, predecessor, moves);
    if (followed !== 'absent') continue;
    yield stepsOf(chain.record, chain.walk.judgeUnfollowed(arrival)).map(asTask);
  }
  const unheard = moved.map(({ arrival }) => arrival).filter(({ first }) => first.attestation.digest === null);
  yield successions.mayHandOver(unheard).map(asTask);
  yield successions.close().map(asTask);
  yield successions.absent().map((judged) => told(judged));
  yield successions.records().map((record): Task => ({ type: 'chain', record }));
  return handedOver !== null;
}

function isNamedBy({ attestation: { digest } }: Settled, place: Place): boolean {
  return digest?.previous !== null && digest?.previous !== undefined && samePlace(digest.previous, place);
}

function isElsewhere({ request }: Session, first: Settled): boolean {
  const { bucket } = request.source;
  return bucket !== null && first.attestation.digest?.previous?.bucket !== bucket;
}

/** Proves the part of a chain that lies in another bucket, or under a prefix that was not asked for. */
async function* follow(
  session: Session,
  { first, left }: Arrival,
  predecessor: Settled | null,
  moves: number,
): AsyncGenerator<readonly Task[], Followed> {
  const { request, elsewhere } = session;
  const previous = first.attestation.digest?.previous;
  const named = previous && parseDigestKey(previous.key);
  if (!previous || !named || request.relocation || moves >= MAX_MOVES) return 'absent';
  const isAway = isElsewhere(session, first);
  const source = isAway ? elsewhere.bucket(previous.bucket) : request.source;
  if (source === null) return 'absent';
  const { root, account, region, trail, homeRegion } = named.chain;
  const scope = {
    prefix: root.slice(0, root.lastIndexOf('AWSLogs/')),
    accounts: new Set([account]),
    regions: new Set([region]),
    trails: [{ name: trail, homeRegion }],
  };
  const earlier = left ?? predecessor;
  const range = { start: left?.end ?? request.range.start, end: first.start };
  const inventory = !isAway && isInScope(request.scope, named.chain, scope.prefix) ? 'off' : request.inventory;
  const asked = { ...request, source, scope, range, inventory };
  const there = openSession(asked, readingAs(session), createReach(asked), elsewhere, session.ahead);
  const tasks = judgeDigests(there, first, earlier, moves + 1);
  try {
    let next = await tasks.next();
    const awayWith = (task: Task): Task => ({ type: 'elsewhere', session: there, task });
    for (; !next.done; next = await tasks.next()) yield next.value.map(awayWith);
    const blind = tellBlindness(there);
    if (blind !== null) yield [awayWith(blind)];
    return next.value;
  } finally {
    await tasks.return('refused');
  }
}

/** What else lies there is seen, and told, where everything in scope is. */
function isInScope({ prefix, accounts, regions }: Scope, { account, region }: Chain, there: string): boolean {
  return (prefix === null || prefix === there) && wants(accounts, account) && wants(regions, region);
}

/** A source reads from every bucket of its store, and the first one does it on several cores. */
function readingAs({ reader, request }: Session): Session['reader'] {
  return { ...reader, read: (_source, location, options) => reader.read(request.source, location, options) };
}
