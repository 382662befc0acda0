import type { Interval } from '../chain/coverage.ts';
import type { Verdict } from '../chain/verdict.ts';
import type { RegionTree } from './discover.ts';
import type { ChainRecord } from './region.ts';
import type { VerifyRequest } from './request.ts';
import { asked } from './successions.ts';

/** How far a run has come: what it can still say of the rest when it has to end early. */
export interface Reach {
  /** A tree that will be read. */
  found(tree: RegionTree): void;
  /** There are no more of them, in listings that were all whole. */
  foundAll(): void;
  /** Each verdict that is told, in order. */
  told(verdict: Verdict, record: ChainRecord | null): void;
  /** The chain is over: all is judged that its digests name, and its record is told. */
  closed(record: ChainRecord): void;
  /** What has not been judged, one phrase for each part of it. */
  rest(): string[];
  /** What is told so far of each chain that is not over. */
  records(): ChainRecord[];
}

interface Told {
  readonly record: ChainRecord;
  digests: number;
  logs: number;
  /** Hour of the newest digest of which a verdict is told; that on some of its logs may not be. */
  current: string;
  /** Hour of the newest one of which everything is told. */
  through: string | null;
}

const BACKFILL = '_backfill.json.gz';

export function createReach({
  range,
  source,
  inventory,
}: Pick<VerifyRequest, 'range' | 'source' | 'inventory'>): Reach {
  const trees = new Map<string, RegionTree>();
  const chains = new Map<ChainRecord, Told>();
  const over = new Set<ChainRecord>();
  let all = false;
  const { from, to } = asked(range);

  return {
    found: (tree) => void trees.set(`${tree.root}${tree.region}`, tree),
    foundAll() {
      all = true;
    },
    told({ kind, subject }, record) {
      if (record === null) return;
      const chain = chains.get(record) ?? { record, digests: 0, logs: 0, current: '', through: null };
      chains.set(record, chain);
      if (kind.startsWith('log-')) chain.logs++;
      if (!kind.startsWith('digest-') || subject.hour === undefined || kind === 'digest-missing') return;
      chain.digests++;
      if (subject.key?.endsWith(BACKFILL) || subject.hour <= chain.current) return;
      chain.through = chain.current === '' ? null : chain.current;
      chain.current = subject.hour;
    },
    closed: (record) => void over.add(record),
    rest() {
      const begun = [...chains.values()].map(({ record }) => record.chain);
      const untouched = [...trees.values()].filter(
        ({ root, region }) => !begun.some((chain) => chain.root === root && chain.region === region),
      );
      const parts = [...chains.values()]
        .filter(({ record, through }) => !over.has(record) && (through === null || through < to))
        .map(({ record: { chain }, through }) => {
          const since = through ?? from;
          return `${chain.account} ${chain.region} ${chain.trail} ${since === null ? 'from the beginning' : `after ${since}`}`;
        });
      parts.push(...untouched.map(({ account, region }) => `${account} ${region} as a whole`));
      const place = source.bucket ?? 'the directory';
      if (!all) parts.push(`what is not listed of ${place}`);
      // Versions are spoken of last, when every chain is over.
      else if (parts.length === 0 && inventory !== 'off') parts.push(`what was written over or is hidden in ${place}`);
      return parts;
    },
    records: () =>
      [...chains.values()]
        .filter(({ record }) => !over.has(record))
        .map(({ record, digests, logs, through }) => {
          const coverage = through === null ? [] : until(Date.parse(through), record.coverage);
          return { ...record, digests, logs, coverage };
        }),
  };
}

function until(end: number, coverage: readonly Interval[]): Interval[] {
  return coverage.filter(({ from }) => from < end).map((interval) => ({ ...interval, to: Math.min(interval.to, end) }));
}
