import { formatTime } from '../chain/location.ts';
import type { Verdict } from '../chain/verdict.ts';
import type { ChainName } from '../report/report.ts';
import { type ChainFacts, chainOf } from '../report/tally.ts';
import type { Requests, Source } from '../source/source.ts';
import type { Memory } from '../state/memory.ts';
import type { ChainRecord } from '../verify/region.ts';
import type { VerifyStep } from '../verify/verify.ts';
import type { Io } from './command.ts';
import type { Waiting } from './forecast.ts';
import { type Measure, startProgress } from './progress.ts';
import type { Run } from './run.ts';

export interface TrailsToJudge {
  readonly steps: AsyncIterable<readonly VerifyStep[]>;
  /** Where the steps read from: what was asked is told in the summary. */
  readonly sources: readonly Source[];
  /** What the chains had come to before, where that is remembered. */
  readonly memory: Memory | null;
  readonly io: Io;
  readonly quiet: boolean;
  /** How much of the whole is done, from 0 to 1; `null` where that is not foreseen. */
  readonly share: () => number | null;
  readonly waiting: () => Waiting | null;
}

/** Takes the verdicts as they come into the run. Memory grows with chains, not with verdicts. */
export async function judgeTrails(
  run: Run,
  { steps, sources, memory, io, quiet, share, waiting }: TrailsToJudge,
): Promise<void> {
  const progress = startProgress(io, quiet, () => ({
    ...progressOf(run, sources),
    share: share(),
    waiting: waiting(),
  }));
  const tell = (judged: Verdict, chain?: ChainName): void => {
    const outcome = run.verdict(judged, chain);
    memory?.judged(judged.kind, outcome, judged.subject);
  };
  try {
    for await (const together of steps) {
      for (const step of together) {
        if (step.type === 'chain') run.chain(chainFacts(step.record));
        else tell(step.verdict, step.record?.chain);
      }
    }
    for (const judged of memory?.end() ?? []) tell(judged, chainOf(judged));
  } finally {
    progress.stop();
    run.asked(totalRequests(sources));
  }
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

function totalRequests(sources: readonly Source[]): Requests {
  const total = { list: 0, get: 0, bytes: 0 };
  for (const { requests } of sources) {
    total.list += requests.list;
    total.get += requests.get;
    total.bytes += requests.bytes;
  }
  return total;
}

function progressOf({ counts: { outcomes } }: Run, sources: readonly Source[]): Measure {
  const { get, bytes } = totalRequests(sources);
  const megabytes = (bytes / 1e6).toFixed(1);
  const trouble = [
    outcomes.fail > 0 ? `${outcomes.fail} failed` : '',
    outcomes.inconclusive > 0 ? `${outcomes.inconclusive} inconclusive` : '',
  ].filter((part) => part !== '');
  return { done: get, also: [`${megabytes} MB`, `${outcomes.pass} verdicts passed`, ...trouble] };
}
