import type { Subject } from '../report/finding.ts';
import { type DigestEntry, judgeDigest, type Place, samePlace, showPlace } from './attestation.ts';
import { type CoverageState, createCoverage, type Interval, type Range } from './coverage.ts';
import { hoursBetween, judgeLink, remembered, type Settled } from './link.ts';
import { type Chain, digestKey, formatTime, HOUR, parseDigestKey } from './location.ts';
import { meaning } from './meaning.ts';
import { type LogClaim, logClaims } from './signing.ts';
import { type Verdict, verdict } from './verdict.ts';

export type WalkStep =
  | { readonly type: 'verdict'; readonly verdict: Verdict }
  | { readonly type: 'claim'; readonly claim: LogClaim; readonly subject: Subject };

export interface WalkOptions {
  readonly range: Range;
  /** Epoch milliseconds. */
  readonly now: number;
  /** How old the newest digest may be, milliseconds. */
  readonly grace: number;
  /** Where the object under that key ought to live. */
  readonly place: (key: string) => Place;
  /** When CloudTrail says it last delivered a digest of that chain, epoch milliseconds; `null` where it was not asked. */
  readonly lastDelivery?: (chain: Chain) => number | null;
}

/** A chain is judged digest by digest, oldest first; memory does not grow with its length. */
export interface Walk {
  step(entry: DigestEntry): WalkStep[];
  /** Settles the last digest. What the range still owes after it is for `close` or `continueWith` to say. */
  end(): WalkStep[];
  /** Judges the tail, once: nothing comes after the last digest, or what does lies behind the range. */
  close(): WalkStep[];
  /** The chain goes on in another place with this digest, which names one here. */
  continueWith(successor: Settled): WalkStep[];
  /** Where the chain came here from other places, or may have, in order. */
  moved(): readonly Arrival[];
  /** That place holds no such chain, or cannot be asked. */
  judgeUnfollowed(arrival: Arrival): WalkStep[];
  /** The first digest, when it is a starting digest and the range begins before it. */
  began(): Settled | null;
  /** No chain ended where this one began. */
  judgeUnpreceded(): WalkStep[];
  /** When the trail's digests stopped, if no more are to be expected; epoch milliseconds. */
  stopped(): number | null;
  /** The trail was made anew in another home Region, and this is the starting digest there. */
  goOnAnew(starting: Settled): WalkStep[];
  coverage(): readonly Interval[];
}

/** A digest in the range that names one under another bucket or prefix; or may, where it is not attested. */
export interface Arrival {
  readonly first: Settled;
  /** The last digest here before the chain went to that place; `null` where it was not here before. */
  readonly left: Settled | null;
}

export function chainSubject(chain: Chain, bucket: string | null): Subject {
  const { account, region, trail } = chain;
  return { type: 'chain', account, region, trail, ...(bucket === null ? {} : { bucket }) };
}

export function walkChain(chain: Chain, options: WalkOptions): Walk {
  const { range } = options;
  const subject = chainSubject(chain, options.place('').bucket);
  const coverage = createCoverage(subject, { ...options, lastDelivery: options.lastDelivery?.(chain) ?? null });
  // A digest waits for its successor, which may hold the only copy of its signature.
  let waiting: DigestEntry | null = null;
  let before: Settled | null = null;
  const arrivals: Arrival[] = [];
  let began: Settled | null = null;
  let isClosed = false;

  function settle(entry: DigestEntry, next: DigestEntry | null): WalkStep[] {
    const successor = next?.reading.kind === 'content' ? next.reading.digest.previous : null;
    const attestation = judgeDigest(entry, successor);
    const settled: Settled = { entry, attestation, ...windowOf(entry, attestation.digest, before) };
    const verdicts = [attestation.verdict, ...(chain.backfill ? judgeBackfill(settled) : judgeContinuity(settled))];
    coverage.add(settled.start, settled.end, stateOf(attestation.verdict));
    before = settled;
    return [...verdicts.map(asStep), ...logSteps(entry, settled)];
  }

  /** When a digest that is named ends, if it lies in the tree of this chain; epoch milliseconds. */
  function endHere(named: { readonly bucket: string; readonly key: string }): number | null {
    const end = parseDigestKey(named.key)?.endTime ?? null;
    return end !== null && samePlace(named, options.place(digestKey(chain, end))) ? end : null;
  }

  /** What lies between this digest and the one before: a link, missing digests or a restart. */
  function judgeContinuity(settled: Settled, mayArrive = true): Verdict[] {
    if (!before) return judgeFirst(settled);
    const { digest } = settled.attestation;
    if (!digest) {
      const mayBeAway = settled.start > before.end && mayComeFromElsewhere(settled);
      if (!mayBeAway) return reportMissing(before.end, settled.start, null);
      return mayArrive ? arrive(settled, before) : unseen(before.end, settled);
    }
    if (!digest.previous) return judgeRestart(settled, before);
    if (samePlace(digest.previous, before.entry.place)) return judgeLink(settled, before);
    // A successor in another place has just been found to name one here.
    const named = endHere(digest.previous);
    if (mayArrive && named === null && settled.start > before.end) return arrive(settled, before);
    const missing = named !== null && named > before.end;
    return missing ? reportMissing(before.end, named, settled.entry) : judgeLink(settled, before);
  }

  function judgeFirst(settled: Settled): Verdict[] {
    const inRange = range.start === null || settled.start >= range.start;
    return inRange && mayComeFromElsewhere(settled) ? arrive(settled, null) : judgeHead(settled);
  }

  /** What could not be read might say so; what was read and is not attested is believed only that it may be so. */
  function mayComeFromElsewhere({ entry: { reading } }: Settled): boolean {
    if (reading.kind === 'trouble') return reading.trouble.kind !== 'absent';
    if (reading.kind === 'malformed') return true;
    const { previous } = reading.digest;
    return previous !== null && endHere(previous) === null;
  }

  /** What was before it is to be looked for where it says. */
  function arrive(first: Settled, left: Settled | null): Verdict[] {
    arrivals.push({ first: remembered(first), left: left && remembered(left) });
    if (!first.attestation.digest) return unseen(left?.end ?? range.start ?? first.start, first);
    if (left) coverage.leave(first.start);
    return [];
  }

  function unseen(from: number, { entry, attestation, start }: Settled): Verdict[] {
    const state = attestation.verdict.kind.replace('digest-', '');
    const reason = `the digest after it is ${state}, and may name another place where the trail was`;
    return coverage.unseen(from, start, { digest: entry.key.key, reason });
  }

  function judgeAbsence({ entry, attestation, start }: Settled, { end }: Settled): Verdict[] {
    const previous = attestation.digest?.previous;
    if (!previous) return [];
    const missing = { ...entry.subject, bucket: previous.bucket, key: previous.key, hour: formatTime(start) };
    const told = [verdict('digest-missing', missing, namedBy(entry))];
    return start > end ? [...told, ...coverage.missed(end, start)] : told;
  }

  function judgeHead(settled: Settled): Verdict[] {
    const { entry, attestation, start } = settled;
    const verdicts: Verdict[] = [];
    const previous = attestation.digest?.previous;
    const isGenesis = attestation.digest !== null && !previous;
    if (isGenesis) verdicts.push(verdict('link-genesis', entry.subject, {}));
    // A digest that ends with the range's first instant touches it, so it has to be there.
    if (previous && range.start !== null && start < range.start) {
      verdicts.push(verdict('link-anchored', entry.subject, { predecessor: previous.key }));
    } else if (previous) {
      const missing = { ...entry.subject, bucket: previous.bucket, key: previous.key, hour: formatTime(start) };
      verdicts.push(verdict('digest-missing', missing, namedBy(entry)));
    }
    const isLate = range.start === null || start > range.start;
    // A chain of another home Region, which may end here, need not be read yet.
    if (isGenesis && isLate) began = remembered(settled);
    else if (isLate) verdicts.push(...headMissing(start));
    return verdicts;
  }

  function headMissing(start: number): Verdict[] {
    return range.start === null ? [] : coverage.headMissing(start);
  }

  function judgeRestart({ entry, start }: Settled, earlier: Settled): Verdict[] {
    if (start > earlier.end) return coverage.gap(earlier.end, start);
    const facts = {
      reason: 'the chain starts anew although no hour is left out',
      expected: `a link to ${earlier.entry.key.key}`,
      found: 'none (a starting digest)',
    };
    return [verdict('link-discontinuous', entry.subject, facts)];
  }

  /** One verdict for each hour; only the newest is named by a digest that is there. */
  function reportMissing(earlierEnd: number, laterStart: number, witness: DigestEntry | null): Verdict[] {
    coverage.add(earlierEnd, laterStart, 'failed');
    return hoursBetween(earlierEnd, laterStart).map((end, i) => {
      const place = options.place(digestKey(chain, end));
      const missing: Subject = { ...subject, type: 'digest', key: place.key, hour: formatTime(end) };
      const unnamed = { reason: 'its hour lies between digests that are there', namedBy: null };
      return verdict('digest-missing', missing, witness && i === 0 ? namedBy(witness) : unnamed);
    });
  }

  /** Backfill digests link like others, but no hour has to have one. */
  function judgeBackfill(settled: Settled): Verdict[] {
    const { digest } = settled.attestation;
    if (!digest) return [];
    const { subject: of } = settled.entry;
    const { previous } = digest;
    if (!previous) return [verdict('link-genesis', of, {})];
    if (before && samePlace(previous, before.entry.place)) return judgeLink(settled, before);
    const end = endHere(previous);
    // Another place is looked through where the hourly digests lead there.
    if (end === null) return [verdict('link-anchored', of, { predecessor: showPlace(previous), elsewhere: true })];
    if (!before && range.start !== null && end < range.start)
      return [verdict('link-anchored', of, { predecessor: previous.key })];
    const missing: Subject = { ...of, bucket: previous.bucket, key: previous.key };
    if (!before || end > before.end) coverage.add(end - HOUR, end, 'failed');
    return [verdict('digest-missing', missing, namedBy(settled.entry))];
  }

  return {
    step(entry) {
      const steps = waiting ? settle(waiting, entry) : [];
      waiting = entry;
      return steps;
    },
    end() {
      const steps = waiting ? settle(waiting, null) : [];
      waiting = null;
      before = before && remembered(before);
      return steps;
    },
    close() {
      if (chain.backfill || !before || isClosed) return [];
      isClosed = true;
      return coverage.end(before.end, before.entry.lastModified).map(asStep);
    },
    continueWith(successor) {
      if (!before) return [];
      const tail = isClosed ? [] : coverage.handedOver(successor.start);
      return [...judgeContinuity(successor, false), ...tail].map(asStep);
    },
    moved: () => arrivals,
    judgeUnfollowed: ({ first, left }) => (left ? judgeAbsence(first, left) : judgeHead(first)).map(asStep),
    began: () => began,
    judgeUnpreceded: () => (began ? headMissing(began.start).map(asStep) : []),
    stopped: () => (before && before.end < range.end && options.now - before.end > options.grace ? before.end : null),
    goOnAnew({ entry, end }) {
      if (!before) return [];
      const facts = {
        homeBefore: chain.homeRegion,
        home: entry.key.chain.homeRegion,
        ended: formatTime(before.end),
        since: formatTime(end),
      };
      const told = verdict('coverage-moved', { ...subject, hour: facts.since }, facts);
      // The hour of a starting digest is that before logging began: the other trail has to have covered it.
      const rest = end > before.end ? coverage.gap(before.end, end) : coverage.handedOver(end);
      return [told, ...rest].map(asStep);
    },
    coverage: () => coverage.intervals(),
  };
}

function asStep(judged: Verdict): WalkStep {
  return { type: 'verdict', verdict: judged };
}

function namedBy(witness: DigestEntry): { reason: string; namedBy: string } {
  return { reason: 'the digest after it names it', namedBy: witness.key.key };
}

function stateOf(judged: Verdict): CoverageState {
  const { outcome } = meaning[judged.kind];
  return outcome === 'pass' ? 'proven' : outcome === 'fail' ? 'failed' : 'inconclusive';
}

/** Only an attested digest is believed about its window; of others the name says the end, and the hour is assumed. */
function windowOf(
  { key }: DigestEntry,
  digest: { readonly startTime: number; readonly endTime: number } | null,
  before: Settled | null,
): { start: number; end: number } {
  if (digest) return { start: digest.startTime, end: digest.endTime };
  const sinceBefore = before ? key.endTime - before.end : Number.POSITIVE_INFINITY;
  // Less than an hour and a half since the one before: no further digest can have stood between.
  const start = before && sinceBefore < 1.5 * HOUR ? before.end : key.endTime - HOUR;
  return { start, end: key.endTime };
}

function logSteps(entry: DigestEntry, { attestation }: Settled): WalkStep[] {
  const about = (log: { readonly bucket: string; readonly key: string }): Subject => ({
    ...entry.subject,
    type: 'log',
    bucket: log.bucket,
    key: log.key,
  });
  if (attestation.digest) {
    return logClaims(attestation.digest).map((claim) => ({ type: 'claim', claim, subject: about(claim) }));
  }
  if (entry.reading.kind !== 'content') return [];
  const reason = `its digest is ${attestation.verdict.kind.replace('digest-', '')}`;
  return entry.reading.digest.logs.map((log) => asStep(verdict('log-unattested', about(log), { reason })));
}
