import type { DigestEntry } from '../chain/attestation.ts';
import type { Interval } from '../chain/coverage.ts';
import { createInventory, type Heard, type Inventory } from '../chain/inventory.ts';
import type { Settled } from '../chain/link.ts';
import { type Chain, chainId, HOUR } from '../chain/location.ts';
import type { LogClaim } from '../chain/signing.ts';
import { type Walk, type WalkOptions, type WalkStep, walkChain } from '../chain/walk.ts';
import type { RegionTree } from './discover.ts';

/** What one trail came to in one account and Region, backfill included. */
export interface ChainRecord {
  readonly chain: Chain;
  digests: number;
  logs: number;
  /** As stored. */
  bytes: number;
  /** Grows while the digests are walked. */
  coverage: readonly Interval[];
}

/** A step of a walk with the chain it is about. */
export type RegionStep = WalkStep & { readonly record: ChainRecord };

export function stepsOf(record: ChainRecord, steps: readonly WalkStep[]): RegionStep[] {
  // By name: to spread them costs V8 two microseconds each, and there is one for each log.
  return steps.map((step) =>
    step.type === 'claim'
      ? { type: 'claim', claim: step.claim, subject: step.subject, record }
      : { type: 'verdict', verdict: step.verdict, record },
  );
}

/** An hourly chain whose digests here are all judged. */
export interface WalkedChain {
  readonly chain: Chain;
  readonly record: ChainRecord;
  readonly walk: Walk;
  /** End of the newest digest here, epoch milliseconds. */
  readonly newest: number;
  /** What comes after its end is told already. */
  readonly isOver: boolean;
}

/**
 * All chains of one account and Region, judged side by side: they share the log folder, so an object is only undigested
 * when none of them names it.
 */
export interface Region {
  readonly tree: RegionTree;
  readonly inventory: Inventory;
  step(entry: DigestEntry & { readonly storedBytes: number }): RegionStep[];
  end(): { readonly steps: readonly RegionStep[]; readonly chains: readonly WalkedChain[] };
  heard(): Heard;
}

interface Walking extends WalkedChain {
  /** A chain that is not asked for only says what its digests name. */
  readonly judged: boolean;
  readonly first: number;
  newest: number;
  isOver: boolean;
  /** It goes on where one of another home Region ended. */
  isSuccessor: boolean;
}

interface RegionOptions {
  readonly isJudged: (chain: Chain) => boolean;
  /** Where the log is now that a digest names; listings show it there. `null` where no listing is held against the claims. */
  readonly presentKey: ((claim: LogClaim) => string) | null;
}

export function createRegion(tree: RegionTree, options: WalkOptions, { isJudged, presentKey }: RegionOptions): Region {
  const walking = new Map<string, Walking>();
  const records = new Map<string, ChainRecord>();
  const inventory = createInventory();

  function recordOf(chain: Chain): ChainRecord {
    const id = chainId({ ...chain, backfill: false });
    const record = records.get(id) ?? { chain, digests: 0, logs: 0, bytes: 0, coverage: [] };
    records.set(id, record);
    return record;
  }

  function open({ key, reading }: DigestEntry): Walking {
    const { chain, endTime } = key;
    const first = reading.kind === 'content' ? reading.digest.startTime : endTime - HOUR;
    const record = recordOf(chain);
    const walk = walkChain(chain, options);
    if (!chain.backfill) record.coverage = walk.coverage();
    return {
      chain,
      record,
      walk,
      judged: isJudged(chain),
      first,
      newest: endTime,
      isOver: false,
      isSuccessor: false,
    };
  }

  function told({ record, judged }: Walking, steps: readonly WalkStep[]): RegionStep[] {
    if (presentKey !== null) {
      for (const step of steps) if (step.type === 'claim') inventory.claim(presentKey(step.claim));
    }
    return judged ? stepsOf(record, steps) : [];
  }

  return {
    tree,
    inventory,
    step(entry) {
      const id = chainId(entry.key.chain);
      const chain = walking.get(id) ?? open(entry);
      walking.set(id, chain);
      chain.newest = Math.max(chain.newest, entry.key.endTime);
      chain.record.digests++;
      chain.record.bytes += entry.storedBytes;
      return told(chain, chain.walk.step(entry));
    },
    end() {
      const steps = [...walking.values()].flatMap((chain) => told(chain, chain.walk.end()));
      const chains = [...walking.values()].filter(({ chain, judged }) => judged && !chain.backfill);
      for (const later of chains) {
        const began = later.walk.began();
        const earlier = began && endedWhere(began, later.chain, chains);
        if (earlier) earlier.isOver = true;
        if (earlier) later.isSuccessor = true;
        if (earlier) steps.push(...told(earlier, earlier.walk.goOnAnew(began)));
        else steps.push(...told(later, later.walk.judgeUnpreceded()));
      }
      return { steps, chains };
    },
    heard() {
      // Only hourly digests say from when to when all is named, but a backfill digest may name a log as well.
      const isHourly = ({ chain }: Walking) => !chain.backfill;
      const judged = [...walking.values()].filter((chain) => chain.judged);
      const others = [...walking.values()].filter((chain) => !chain.judged);
      const ends = [
        ...judged.filter(isHourly).map(endOf),
        ...others.filter(isHourly).map(({ walk, newest }) => (walk.stopped() ? BOUNDLESS : newest)),
      ];
      const { start } = options.range;
      return {
        // Without a start the whole history is asked for: what was logged before the first digest has none. Nothing tells
        // that a trail that is not asked for lacks digests, so where it has none it names nothing.
        from:
          start === null
            ? Number.NEGATIVE_INFINITY
            : Math.max(...judged.filter(isHourly).map(beginOf), ...others.filter(isHourly).map(() => start)),
        to: Math.min(...ends),
        // A digest that is missing or not attested may have named any log of its hour.
        deaf: judged.flatMap(({ walk }) =>
          walk.coverage().filter(({ state }) => state === 'failed' || state === 'inconclusive'),
        ),
        doubtful: others.flatMap(({ chain: { trail }, walk }) =>
          walk.coverage().flatMap(({ from, to, state }) => (state === 'inconclusive' ? [{ from, to, trail }] : [])),
        ),
      };
    },
  };
}

const BOUNDLESS = Number.POSITIVE_INFINITY;

/** From when on a chain says which logs are its own: one that goes on where another ended says it of all before. */
function beginOf({ first, isSuccessor }: Walking): number {
  return isSuccessor ? -BOUNDLESS : first;
}

function endOf({ newest, isOver }: Walking): number {
  return isOver ? BOUNDLESS : newest;
}

/** Two trails of one name that were both at work for longer are two trails. */
const HANDOVER = 24 * HOUR;

/** The chain of the same trail name that was at home elsewhere and ended when this one began. */
function endedWhere({ end }: Settled, { root, trail, homeRegion }: Chain, chains: readonly Walking[]): Walking | null {
  const ended = chains.filter((other) => {
    const { chain, walk, isOver } = other;
    const isSame = chain.root === root && chain.trail === trail && chain.homeRegion !== homeRegion;
    return isSame && !isOver && (walk.stopped() ?? Number.POSITIVE_INFINITY) <= end + HANDOVER;
  });
  return ended.sort((a, b) => b.newest - a.newest)[0] ?? null;
}
