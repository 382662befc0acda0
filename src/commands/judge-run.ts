import { formatTime } from '../chain/location.ts';
import { meaning, toFinding } from '../chain/meaning.ts';
import type { Verdict } from '../chain/verdict.ts';
import type { WaiverLedger } from '../config/waivers.ts';
import type { Finding, Severity } from '../report/finding.ts';
import type { ChainName, Summary } from '../report/report.ts';
import { type ChainFacts, chainKey, chainOf, type Tally, tally } from '../report/tally.ts';
import type { Requests, Source } from '../source/source.ts';
import type { Memory } from '../state/memory.ts';
import type { ChainRecord } from '../verify/region.ts';
import type { VerifyStep } from '../verify/verify.ts';
import type { Io } from './command.ts';
import type { Outputs } from './outputs.ts';
import { startProgress } from './progress.ts';

export interface VerifyRun {
  readonly steps: AsyncIterable<VerifyStep>;
  /** Where the steps read from: what was asked is told in the summary. */
  readonly sources: readonly Source[];
  readonly outputs: Outputs;
  readonly io: Io;
  readonly verbose: boolean;
  readonly quiet: boolean;
  readonly failOn?: Severity;
  readonly waivers?: WaiverLedger;
  /** What the chains had come to before, where that is remembered. */
  readonly memory?: Memory | null;
}

/** Takes the verdicts as they come, reports and counts them, and sums up. Memory grows with chains, not with verdicts. */
export async function foldVerify(run: VerifyRun): Promise<Summary> {
  const started = run.io.now();
  const counts = tally();
  const chains = new Map<string, ChainFacts>();
  const progress = startProgress(run.io, run.quiet, () => progressOf(counts, run.sources));
  let complete = true;
  function tell(verdict: Verdict, chain?: ChainName): void {
    if (verdict.kind === 'run-interrupted') complete = false;
    const { outcome } = meaning[verdict.kind];
    if (outcome === 'pass' && !run.verbose && !TOLD_PASSES.has(verdict.kind)) {
      counts.count(verdict.kind, outcome, chain);
      run.memory?.judged(verdict.kind, outcome, verdict.subject);
    } else {
      const found = toFinding(verdict);
      const finding = run.waivers?.judge(found) ?? found;
      run.memory?.judged(verdict.kind, finding.outcome, verdict.subject);
      list(finding);
    }
  }
  function list(finding: Finding): void {
    counts.add(finding);
    run.outputs.step(finding);
  }
  try {
    for await (const step of run.steps) {
      if (step.type === 'chain') {
        const facts = chainFacts(step.record);
        const earlier = chains.get(chainKey(facts));
        chains.set(chainKey(facts), earlier ? joined(earlier, facts) : facts);
        continue;
      }
      tell(step.verdict, step.record?.chain);
    }
    for (const verdict of run.memory?.end() ?? []) tell(verdict, chainOf(verdict));
    for (const finding of run.waivers?.close() ?? []) list(finding);
  } finally {
    progress.stop();
  }
  const interrupted = signalCode(run.io.interrupt);
  return counts.summary({
    complete,
    chains: [...chains.values()],
    requests: totalRequests(run.sources),
    elapsedMs: run.io.now() - started,
    ...(run.failOn === undefined ? {} : { failOn: run.failOn }),
    ...(interrupted === null ? {} : { interrupted }),
  });
}

/** Passes that a reader has to know of: what is proven does not reach to the end of the range. */
const TOLD_PASSES: ReadonlySet<string> = new Set(['coverage-pending']);

function signalCode(interrupt: AbortSignal): 130 | 143 | null {
  if (!interrupt.aborted) return null;
  return interrupt.reason === 'SIGTERM' ? 143 : 130;
}

function chainFacts({ chain, digests, logs, bytes, coverage }: ChainRecord): ChainFacts {
  const proven = coverage.filter(({ state }) => state === 'proven');
  const [first, last] = [proven[0], proven.at(-1)];
  return {
    account: chain.account,
    region: chain.region,
    trail: chain.trail,
    from: first ? formatTime(first.from) : null,
    to: last ? formatTime(last.to) : null,
    digests,
    logs,
    bytes,
    coverage: coverage.map(({ from, to, state }) => ({ from: formatTime(from), to: formatTime(to), state })),
  };
}

/** A trail that wrote to two places is one chain. */
function joined(a: ChainFacts, b: ChainFacts): ChainFacts {
  const [first, second] = (a.from ?? '') <= (b.from ?? '') ? [a, b] : [b, a];
  return {
    ...first,
    from: first.from ?? second.from,
    to: (a.to ?? '') > (b.to ?? '') ? a.to : b.to,
    digests: a.digests + b.digests,
    logs: a.logs + b.logs,
    bytes: a.bytes + b.bytes,
    coverage: [...(first.coverage ?? []), ...(second.coverage ?? [])],
  };
}

function totalRequests(sources: readonly Source[]): Requests {
  const total = { list: 0, get: 0, bytes: 0 };
  for (const { requests } of sources) {
    total.list += requests.list;
    total.get += requests.get;
    total.bytes += requests.bytes;
  }
  return total;
}

function progressOf({ outcomes }: Tally, sources: readonly Source[]): string {
  const { get, bytes } = totalRequests(sources);
  const megabytes = (bytes / 1e6).toFixed(1);
  const trouble = [
    outcomes.fail > 0 ? `${outcomes.fail} failed` : '',
    outcomes.inconclusive > 0 ? `${outcomes.inconclusive} inconclusive` : '',
  ].filter((part) => part !== '');
  return [`${get} objects read`, `${megabytes} MB`, `${outcomes.pass} verdicts passed`, ...trouble].join(' · ');
}
