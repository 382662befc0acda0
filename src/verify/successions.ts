import { createCoverage, type Range } from '../chain/coverage.ts';
import type { Settled } from '../chain/link.ts';
import { type Chain, chainId, formatTime, HOUR, parseDigestKey } from '../chain/location.ts';
import { type Verdict, verdict } from '../chain/verdict.ts';
import { type Arrival, chainSubject } from '../chain/walk.ts';
import type { SeenDigest } from './list-digests.ts';
import { type ChainRecord, type RegionStep, stepsOf, type WalkedChain } from './region.ts';
import type { Session } from './session.ts';

/**
 * Chains whose end is not known when their Region is read: a trail may go on writing to another prefix or bucket, and
 * then the chain here ends without fault, and the one there begins without a starting digest.
 */
export interface Successions {
  /** Takes a walked chain; what can be said of its tail already is said. */
  add(chain: WalkedChain): RegionStep[];
  /** A chain that has digests outside the range, and one of them where it is known. */
  seen(chain: Chain, digest?: SeenDigest): void;
  /** Chains with a digest that names one elsewhere, or may. */
  moved(): readonly { readonly chain: WalkedChain; readonly arrival: Arrival }[];
  /** The chain in this bucket that such a digest names goes on with it; `null` when there is none. */
  handOver(first: Settled): RegionStep[] | null;
  /** Digests that are not attested: each may name any chain of its trail that ended since its own was here last. */
  mayHandOver(arrivals: readonly Arrival[]): RegionStep[];
  /** Tails that nobody continued. */
  close(): RegionStep[];
  /** Every chain that was walked, in order. */
  records(): readonly ChainRecord[];
  /** Trails with digests outside the range and none inside, wherever they write. */
  absent(): Verdict[];
}

/** `expectsSuccessor`: a digest elsewhere is known to go on where a chain here ends. */
export function createSuccessions({ walk: options }: Session, expectsSuccessor: boolean): Successions {
  const walked: WalkedChain[] = [];
  const ended = new Map<string, WalkedChain>();
  const seen = new Map<string, { readonly chain: Chain; readonly newest: SeenDigest | null }>();
  const trailOf = ({ account, region, trail, homeRegion }: Chain) => [account, region, trail, homeRegion].join('|');

  return {
    add(chain) {
      walked.push(chain);
      if (chain.isOver) return [];
      ended.set(chainId(chain.chain), chain);
      const isOver = chain.newest >= options.range.end && !expectsSuccessor && chain.walk.moved().length === 0;
      return isOver ? stepsOf(chain.record, chain.walk.close()) : [];
    },
    seen(chain, digest) {
      const newest = seen.get(chainId(chain))?.newest ?? null;
      const isNewer = digest !== undefined && digest.endTime > (newest?.endTime ?? Number.NEGATIVE_INFINITY);
      seen.set(chainId(chain), { chain, newest: isNewer ? digest : newest });
    },
    moved: () => walked.flatMap((chain) => chain.walk.moved().map((arrival) => ({ chain, arrival }))),
    handOver(first) {
      const named = parseDigestKey(first.attestation.digest?.previous?.key ?? '');
      const chain = named && ended.get(chainId(named.chain));
      if (!chain) return null;
      ended.delete(chainId(chain.chain));
      return stepsOf(chain.record, chain.walk.continueWith(first));
    },
    mayHandOver(arrivals) {
      const byTrail = new Map<string, WalkedChain[]>();
      for (const chain of arrivals.length > 0 ? ended.values() : []) {
        const id = trailOf(chain.chain);
        byTrail.set(id, [...(byTrail.get(id) ?? []), chain]);
      }
      return arrivals.flatMap(({ first, left }) => {
        const here = chainId(first.entry.key.chain);
        const [chain] = (byTrail.get(trailOf(first.entry.key.chain)) ?? [])
          .filter((other) => ended.has(chainId(other.chain)) && chainId(other.chain) !== here)
          .filter(({ newest }) => newest < first.end && (left === null || newest > left.end))
          .sort((a, b) => b.newest - a.newest);
        if (!chain) return [];
        ended.delete(chainId(chain.chain));
        return stepsOf(chain.record, chain.walk.continueWith(first));
      });
    },
    close: () => [...ended.values()].flatMap((chain) => stepsOf(chain.record, chain.walk.close())),
    records: () => [...new Set(walked.map(({ record }) => record))],
    absent() {
      const there = new Set(walked.map(({ chain }) => trailOf(chain)));
      return [...seen.values()]
        .filter(({ chain }) => !chain.backfill && !there.has(trailOf(chain)))
        .map(({ chain, newest }) => nothingFound(chain, newest, options));
    },
  };
}

function nothingFound(chain: Chain, newest: SeenDigest | null, options: Session['walk']): Verdict {
  const { range, place, grace, lastDelivery } = options;
  const subject = chainSubject(chain, place('').bucket);
  const isBefore = newest !== null && range.start !== null && newest.endTime < range.start;
  const [tail] = isBefore
    ? createCoverage(subject, { ...options, lastDelivery: lastDelivery?.(chain) ?? null }).end(
        newest.endTime,
        newest.lastModified,
      )
    : [];
  if (isBefore && tail?.kind === 'coverage-pending') {
    const facts = { ...asked(range), newest: formatTime(newest.endTime), allowed: `${grace / HOUR} h` };
    return verdict('coverage-due', subject, facts);
  }
  const reason = 'the trail has other digests, but no hourly one in this range';
  return verdict('coverage-nothing-found', subject, { ...asked(range), reason });
}

/** The range asked for in words. */
export function asked({ start, end }: Range): { from: string | null; to: string } {
  return { from: start === null ? null : formatTime(start), to: formatTime(end) };
}
