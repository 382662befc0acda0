import type { Finding } from './finding.ts';
import type { CoverageInterval, CoverageState } from './report.ts';

/** A stretch of time, epoch milliseconds, `to` exclusive. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

const HOUR = 3_600_000;

/** The time that a finding is about: `hour` of its subject is the end of a digest's hour, or "start/end". */
export function spanOf({ subject }: Pick<Finding, 'subject'>): Span | null {
  const [first = '', second] = (subject.hour ?? '').split('/');
  const to = Date.parse(second ?? first);
  const from = second === undefined ? to - HOUR : Date.parse(first);
  return Number.isNaN(from) || Number.isNaN(to) ? null : { from, to };
}

/**
 * Hours of one chain whose log files keep them from being proven, though their digests are. Neighbours are joined as
 * they come, so that a refused year is one span.
 */
export interface TroubledHours {
  add(finding: Finding): void;
  /** The coverage that the digests give, with these hours in it. */
  within(coverage: readonly CoverageInterval[]): CoverageInterval[];
}

export function troubledHours(): TroubledHours {
  const spans = { inconclusive: [] as Span[], failed: [] as Span[] };
  return {
    add(finding) {
      const { outcome, subject } = finding;
      if (subject.type !== 'log' || outcome === 'pass' || outcome === 'not-applicable') return;
      const span = spanOf(finding);
      // What is waived is known and accepted, and no more proven than before.
      if (span !== null) join(spans[outcome === 'inconclusive' ? 'inconclusive' : 'failed'], span);
    },
    within: (coverage) => paint(paint(coverage, spans.inconclusive, 'inconclusive'), spans.failed, 'failed'),
  };
}

function join(spans: Span[], { from, to }: Span): void {
  const last = spans.at(-1);
  if (last === undefined || from < last.from || from > last.to) spans.push({ from, to });
  else spans[spans.length - 1] = { from: last.from, to: Math.max(last.to, to) };
}

const OVER: Readonly<Record<'inconclusive' | 'failed', readonly CoverageState[]>> = {
  inconclusive: ['proven', 'pending'],
  failed: ['proven', 'pending', 'inconclusive', 'gap'],
};

function paint(
  coverage: readonly CoverageInterval[],
  spans: readonly Span[],
  state: 'inconclusive' | 'failed',
): CoverageInterval[] {
  const sorted: Span[] = [];
  for (const span of [...spans].sort((a, b) => a.from - b.from)) join(sorted, span);
  const painted: CoverageInterval[] = [];
  const tell = (next: CoverageInterval) => {
    const last = painted.at(-1);
    if (last?.state === next.state && last.to === next.from) painted[painted.length - 1] = { ...last, to: next.to };
    else painted.push(next);
  };
  let first = 0;
  for (const interval of coverage) {
    const end = Date.parse(interval.to);
    let at = Date.parse(interval.from);
    // Intervals of a chain that was looked at in two places may begin anew.
    if (at < (sorted[first]?.from ?? at)) first = 0;
    while ((sorted[first]?.to ?? Number.POSITIVE_INFINITY) <= at) first += 1;
    if (OVER[state].includes(interval.state)) {
      for (let i = first; i < sorted.length && (sorted[i]?.from ?? end) < end; i++) {
        const { from, to } = { from: Math.max(sorted[i]?.from ?? at, at), to: Math.min(sorted[i]?.to ?? at, end) };
        if (from > at) tell({ from: iso(at), to: iso(from), state: interval.state });
        tell({ from: iso(from), to: iso(to), state });
        at = to;
      }
    }
    if (at < end) tell({ from: iso(at), to: interval.to, state: interval.state });
  }
  return painted;
}

function iso(ms: number): string {
  return new Date(ms).toISOString().replace('.000Z', 'Z');
}
