import type { Subject } from '../report/finding.ts';
import { formatTime, HOUR } from './location.ts';
import { type Verdict, verdict } from './verdict.ts';

/** The interval asked for, of delivery time, epoch milliseconds. Without a start everything back to the first digest counts. */
export interface Range {
  readonly start: number | null;
  readonly end: number;
}

export type CoverageState = 'proven' | 'failed' | 'inconclusive' | 'gap' | 'pending';

export interface Interval {
  readonly from: number;
  readonly to: number;
  readonly state: CoverageState;
}

export interface CoverageOptions {
  readonly range: Range;
  readonly now: number;
  /** How old the newest digest may be, milliseconds. */
  readonly grace: number;
  /** When CloudTrail says it last delivered a digest of this chain, epoch milliseconds; a witness outside the bucket. */
  readonly lastDelivery?: number | null;
}

/** Accounts for the range as the walk goes, oldest first. Neighbours of one state are one interval, so an unbroken chain is one. */
export interface Coverage {
  /** A stretch that a digest (found or missing) stands for. */
  add(from: number, to: number, state: CoverageState): void;
  /** A hole that no digest stands for, in mid-range. */
  gap(from: number, to: number): Verdict[];
  /** A hole that the digest after it might account for, if its word were known. */
  unseen(from: number, to: number, digest: DigestAfter): Verdict[];
  /** From the newest digest here to one that begins then the chain was in another place, which accounts for it. */
  leave(to: number): void;
  /** That place does not account for it. Told late, when what came after it is accounted for. */
  missed(from: number, to: number): Verdict[];
  /** The range starts before the first digest. */
  headMissing(firstStart: number): Verdict[];
  /** After the last digest, which ended then and was written at `delivered`: the tail of the range. */
  end(newest: number, delivered: number | null): Verdict[];
  /** The chain goes on in another place from that instant: whether all before it is covered here. */
  handedOver(at: number): Verdict[];
  intervals(): readonly Interval[];
}

/** The digest behind a hole: its key, and why nothing is known of what it names. */
export interface DigestAfter {
  readonly digest: string;
  readonly reason: string;
}

/** Two clocks tell of one delivery: the bucket's and CloudTrail's. */
const SAME_DELIVERY = 120_000;

export function createCoverage(
  subject: Subject,
  { range, now, grace, lastDelivery = null }: CoverageOptions,
): Coverage {
  const intervals: Interval[] = [];
  /** When the chain came back from other places. */
  const returns = new Set<number>();

  function add(from: number, to: number, state: CoverageState): void {
    const last = intervals.at(-1);
    const start = Math.max(from, last?.to ?? range.start ?? from, range.start ?? from);
    const end = Math.min(to, range.end);
    if (last && start > last.to && !returns.has(start)) add(last.to, start, 'gap');
    if (end <= start) return;
    const neighbour = intervals.at(-1);
    if (neighbour?.state === state && neighbour.to === start) intervals.pop();
    intervals.push({
      from: neighbour?.state === state && neighbour.to === start ? neighbour.from : start,
      to: end,
      state,
    });
  }

  function over(from: number, to: number): { subject: Subject; facts: { from: string; to: string } } {
    const facts = { from: formatTime(Math.max(from, range.start ?? from)), to: formatTime(Math.min(to, range.end)) };
    return { subject: { ...subject, hour: `${facts.from}/${facts.to}` }, facts };
  }

  function judgeTail(newest: number, delivered: number | null): Verdict[] {
    const { subject: tail, facts } = over(newest, range.end);
    const reason =
      now - newest > grace
        ? `the ${grace / HOUR} h that a digest may take (--grace) are over`
        : laterDelivery(newest, delivered);
    add(newest, range.end, reason === null ? 'pending' : 'gap');
    if (reason === null) return [verdict('coverage-pending', tail, facts)];
    return [verdict('coverage-tail-stale', tail, { ...facts, newest: formatTime(newest), reason })];
  }

  /** A digest was delivered so late that it is another one than the newest here: the next one, at least. */
  function laterDelivery(newest: number, delivered: number | null): string | null {
    if (lastDelivery === null || lastDelivery < newest + HOUR) return null;
    if (delivered !== null && Math.abs(delivered - lastDelivery) <= SAME_DELIVERY) return null;
    return `CloudTrail says that it delivered another at ${formatTime(lastDelivery)}`;
  }

  function judgeWhole(reach: number): Verdict[] {
    const isWhole = intervals.every(({ state }) => state === 'proven') && (intervals.at(-1)?.to ?? 0) >= reach;
    return isWhole ? intervals.map(({ from, to }) => verdict('coverage-full', subject, over(from, to).facts)) : [];
  }

  return {
    add,
    intervals: () => intervals,
    gap(from, to) {
      add(from, to, 'gap');
      const { subject: hole, facts } = over(from, to);
      return facts.from < facts.to ? [verdict('coverage-gap', hole, facts)] : [];
    },
    unseen(from, to, digest) {
      add(from, to, 'inconclusive');
      const { subject: hole, facts } = over(from, to);
      return facts.from < facts.to ? [verdict('coverage-unseen', hole, { ...facts, ...digest })] : [];
    },
    leave: (to) => void returns.add(to),
    missed(from, to) {
      const index = intervals.findIndex((later) => later.from >= to);
      intervals.splice(index < 0 ? intervals.length : index, 0, { from, to, state: 'gap' });
      const { subject: hole, facts } = over(from, to);
      return [verdict('coverage-gap', hole, facts)];
    },
    headMissing(firstStart) {
      const start = range.start ?? firstStart;
      // Told late when the place of the predecessor had to be looked at first.
      if (start < firstStart) intervals.unshift({ from: start, to: firstStart, state: 'gap' });
      const { subject: head, facts } = over(start, firstStart);
      return [verdict('coverage-head-missing', head, facts)];
    },
    end: (newest, delivered) => (newest < range.end ? judgeTail(newest, delivered) : judgeWhole(range.end)),
    handedOver: judgeWhole,
  };
}
