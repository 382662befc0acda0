import type { Finding, Outcome, Severity } from './finding.ts';
import { SEVERITIES } from './finding.ts';
import { type TroubledHours, troubledHours } from './hours.ts';
import type { ChainName, ChainTotals, Summary } from './report.ts';

/** What is known of a chain when it is done, its verdicts apart: those the tally has counted. */
export type ChainFacts = Omit<ChainTotals, 'verdicts'>;

/** What is known of a run when it is over, its counts apart. */
export interface RunFacts extends Pick<Summary, 'complete' | 'requests' | 'elapsedMs'> {
  readonly chains: readonly ChainFacts[];
  /** The least severity of a posture or event finding that fails the run; every failure does where it is absent. */
  readonly failOn?: Severity;
  /** 130 or 143 where a signal ended the run. */
  readonly interrupted?: 130 | 143;
}

/** Counts what a run finds, in memory that grows with the number of chains, verdict kinds and failing hours only. */
export interface Tally {
  /** Counts a verdict no finding is built for: the millions that pass. */
  count(kind: string, outcome: Outcome, chain?: ChainName): void;
  /**
   * Counts a finding, to its chain where its subject names account, Region and trail. The hour of a log that is not
   * intact is not proven in the chain's coverage, whatever its digest is.
   */
  add(finding: Finding): void;
  /** How many so far; for progress. */
  readonly outcomes: Readonly<Record<Outcome, number>>;
  summary(facts: RunFacts): Summary;
}

export function tally(): Tally {
  const outcomes: Record<Outcome, number> = { pass: 0, fail: 0, inconclusive: 0, 'not-applicable': 0, waived: 0 };
  const verdicts = new Map<string, number>();
  const chains = new Map<string, Map<string, number>>();
  const hours = new Map<string, TroubledHours>();
  // Millions of verdicts come with the same few chains: their names are joined once.
  const known = new WeakMap<ChainName, Map<string, number>>();
  let integrityFailures = 0;
  const otherFailures: Record<Severity, number> = { critical: 0, high: 0, medium: 0, low: 0, info: 0 };

  function count(kind: string, outcome: Outcome, chain?: ChainName): void {
    outcomes[outcome] += 1;
    increment(verdicts, kind);
    if (chain === undefined) return;
    increment(known.get(chain) ?? ofChain(chain), kind);
  }

  function ofChain(chain: ChainName): Map<string, number> {
    const name = chainKey(chain);
    const counts = chains.get(name) ?? new Map<string, number>();
    chains.set(name, counts);
    known.set(chain, counts);
    return counts;
  }

  /** Notes on waivers judge nothing, so they do not make a run that judged nothing a run that passed. */
  let waiverNotes = 0;

  return {
    outcomes,
    count(kind, outcome, chain) {
      if (outcome === 'fail') integrityFailures += 1;
      count(kind, outcome, chain);
    },
    add(finding) {
      if (finding.subject.type === 'waiver' && finding.outcome === 'not-applicable') waiverNotes += 1;
      if (finding.outcome === 'fail') {
        if (finding.kind === 'integrity') integrityFailures += 1;
        else otherFailures[finding.severity] += 1;
      }
      const chain = finding.kind === 'integrity' ? chainOf(finding) : undefined;
      count(finding.control, finding.outcome, chain);
      if (chain === undefined || finding.outcome === 'pass') return;
      const name = chainKey(chain);
      const troubled = hours.get(name) ?? troubledHours();
      hours.set(name, troubled);
      troubled.add(finding);
    },
    summary({ complete, requests, elapsedMs, chains: facts, failOn, interrupted }) {
      const judged = { ...outcomes, 'not-applicable': outcomes['not-applicable'] - waiverNotes };
      return {
        complete,
        exitCode: exitCode({ outcomes: judged, integrityFailures, otherFailures, complete, failOn, interrupted }),
        outcomes: { ...outcomes },
        verdicts: sorted(verdicts),
        chains: facts.map(({ coverage, ...rest }) => ({
          ...rest,
          verdicts: sorted(chains.get(chainKey(rest)) ?? new Map()),
          ...(coverage === undefined ? {} : { coverage: hours.get(chainKey(rest))?.within(coverage) ?? coverage }),
        })),
        requests: { ...requests },
        elapsedMs,
      };
    },
  };
}

export interface Counts {
  readonly outcomes: Readonly<Record<Outcome, number>>;
  readonly integrityFailures: number;
  /** Failures of posture and events by severity. */
  readonly otherFailures: Readonly<Record<Severity, number>>;
  readonly complete: boolean;
  readonly failOn?: Severity | undefined;
  readonly interrupted?: 130 | 143 | undefined;
}

/** 0, 1, 3 or the code of the signal. 2 is not among them: a usage error judges nothing and has nothing to count. */
export function exitCode(counts: Counts): number {
  if (counts.interrupted !== undefined) return counts.interrupted;
  const threshold = counts.failOn === undefined ? SEVERITIES.length - 1 : SEVERITIES.indexOf(counts.failOn);
  const grave = SEVERITIES.slice(0, threshold + 1).some((severity) => counts.otherFailures[severity] > 0);
  if (counts.integrityFailures > 0 || grave) return 1;
  const { pass, fail, inconclusive, waived } = counts.outcomes;
  const judged = pass + fail + waived + counts.outcomes['not-applicable'];
  // A run that judged nothing has proven nothing.
  return counts.complete && inconclusive === 0 && judged > 0 ? 0 : 3;
}

/** What each exit code says, for people. */
export const EXIT_MEANINGS: { readonly [code: number]: string } = {
  0: 'everything in scope was verified and nothing failed',
  1: 'at least one finding failed',
  2: 'usage or configuration error, nothing was judged',
  3: 'inconclusive: nothing failed, but something in scope could not be verified',
  130: 'interrupted; this report is partial',
  143: 'terminated; this report is partial',
};

/** The chain a finding belongs to, where its subject names account, Region and trail. */
export function chainOf({ subject: { account, region, trail } }: Pick<Finding, 'subject'>): ChainName | undefined {
  return account === undefined || region === undefined || trail === undefined ? undefined : { account, region, trail };
}

/** One string a chain; a line feed is in none of the three parts. */
export function chainKey({ account, region, trail }: ChainName): string {
  return `${account}\n${region}\n${trail}`;
}

function increment(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

/** By name, so that the order in which things were found leaves no trace in a report. */
function sorted(counts: ReadonlyMap<string, number>): Record<string, number> {
  return Object.fromEntries([...counts].sort(([a], [b]) => (a < b ? -1 : 1)));
}
