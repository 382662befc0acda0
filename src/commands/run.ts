import { meaning, toFinding } from '../chain/meaning.ts';
import type { Verdict } from '../chain/verdict.ts';
import type { WaiverLedger } from '../config/waivers.ts';
import type { Enclosure } from '../evidence/bundle.ts';
import type { Finding, Outcome, Severity } from '../report/finding.ts';
import type { ChainName, RunHeader, Summary } from '../report/report.ts';
import { type ChainFacts, chainKey, type RunFacts, type Tally, tally } from '../report/tally.ts';
import type { Requests } from '../source/source.ts';
import type { Io } from './command.ts';
import { endRun } from './ending.ts';
import type { EvidencePlan } from './evidence-options.ts';
import { type OutputOptions, openOutputs } from './outputs.ts';
import { signalCode } from './run-end.ts';
import { isSystemError } from './system-error.ts';

export interface RunOptions {
  readonly header: RunHeader;
  readonly outputs: OutputOptions;
  readonly io: Io;
  readonly waivers?: WaiverLedger;
  readonly failOn?: Severity | undefined;
  /** The bundle to leave behind, and what it is to hold besides the reports; asked for when the run is over. */
  readonly evidence?: EvidencePlan | null;
  readonly enclosures?: () => readonly Enclosure[];
  /** What is to be written last, when reports and evidence stand; resolves to what could not be, one line each. */
  readonly afterwards?: () => Promise<readonly string[]>;
}

/** What judges see of a run: where their verdicts and findings go. */
export interface Run {
  readonly counts: Pick<Tally, 'outcomes'>;
  /** Counts a verdict; reports it too unless it passed and nobody asked. Returns what the waivers made of it. */
  verdict(judged: Verdict, chain?: ChainName): Outcome;
  finding(found: Finding): void;
  /** Counts what passed and is listed only on demand. */
  passed(kind: string): void;
  /** A chain is done; a trail that wrote to two places is one chain. */
  chain(facts: ChainFacts): void;
  /** Adds to what was asked of the world. */
  asked(requests: Requests): void;
  /** Not all was judged that should have been. */
  cutShort(): void;
}

/** Passes that came by an odd way (stored uncompressed, signed outside the key's validity) are listed, so many at most. */
const MAX_NOTES = 100;

/** One run from head to summary: every judging command goes through here. Resolves to the exit code. */
export async function report(options: RunOptions, judge: (run: Run) => Promise<void>): Promise<number> {
  const { io, waivers, evidence } = options;
  const header = { ...options.header, arguments: withoutSecrets(options.header.arguments) };
  const started = io.now();
  const outputs = await openOutputs(evidence ? { ...options.outputs, output: evidence.output } : options.outputs, io);
  const counts = tally();
  const chains = new Map<string, ChainFacts>();
  const requests: Requests = { list: 0, get: 0, bytes: 0 };
  let complete = true;
  const list = (finding: Finding): void => {
    counts.add(finding);
    outputs.step(finding);
  };
  let notes = 0;
  /** What is proven does not reach to the end of the range, or there is something odd about it. */
  const isToldAnyway = ({ kind, facts }: Verdict): boolean =>
    kind === 'coverage-pending' || ('notes' in facts && facts.notes.length > 0 && ++notes <= MAX_NOTES);
  const run: Run = {
    counts,
    verdict(judged, chain) {
      if (judged.kind === 'run-interrupted') complete = false;
      const { outcome } = meaning[judged.kind];
      if (outcome === 'pass' && !options.outputs.verbose && !isToldAnyway(judged)) {
        counts.count(judged.kind, outcome, chain);
        return outcome;
      }
      const found = toFinding(judged);
      const finding = waivers?.judge(found) ?? found;
      list(finding);
      return finding.outcome;
    },
    finding: (found) => list(waivers?.judge(found) ?? found),
    passed: (kind) => counts.count(kind, 'pass'),
    chain(facts) {
      const earlier = chains.get(chainKey(facts));
      chains.set(chainKey(facts), earlier ? joined(earlier, facts) : facts);
    },
    asked(more) {
      requests.list += more.list;
      requests.get += more.get;
      requests.bytes += more.bytes;
    },
    cutShort: () => {
      complete = false;
    },
  };
  try {
    outputs.start(header);
    await judge(run);
    for (const finding of waivers?.close() ?? []) list(finding);
    const signalled = signalCode(io);
    const facts: RunFacts = {
      complete: complete && signalled === null,
      chains: [...chains.values()],
      requests,
      elapsedMs: io.now() - started,
      ...(options.failOn === undefined ? {} : { failOn: options.failOn }),
      ...(signalled === null ? {} : { interrupted: signalled }),
    };
    const ending = {
      outputs,
      list,
      summary: () => counts.summary(facts),
      leaveBehind: (summary: Summary, areReportsWhole: boolean) =>
        leaveBehind(options, header, summary, areReportsWhole),
      amend: (summary: Summary) => amend(options, header, summary),
    };
    return await endRun(ending, io);
  } catch (error) {
    outputs.abandon();
    throw error;
  }
}

/** Evidence first, for it holds what is about to be remembered; what was told to nobody is not remembered as done. */
async function leaveBehind(
  { evidence, enclosures, afterwards }: RunOptions,
  header: RunHeader,
  summary: Summary,
  areReportsWhole: boolean,
): Promise<readonly string[]> {
  const missing: string[] = [];
  if (!areReportsWhole && evidence) missing.push('no evidence is written: it would lack a report');
  if (!areReportsWhole && afterwards) missing.push('the checkpoints are left as they were: a report is missing');
  if (!areReportsWhole) return missing;
  try {
    return [
      ...((await evidence?.write(header, summary, enclosures?.() ?? [])) ?? []),
      ...((await afterwards?.()) ?? []),
    ];
  } catch (error) {
    if (!isSystemError(error)) throw error;
    return [`evidence or checkpoints could not be written: ${error.message}`];
  }
}

/** The bundle holds the reports, and what it says of them is signed. That it could not be written is told already. */
async function amend({ evidence, enclosures }: RunOptions, header: RunHeader, summary: Summary): Promise<void> {
  try {
    await evidence?.write(header, summary, enclosures?.() ?? []);
  } catch (error) {
    if (!isSystemError(error)) throw error;
  }
}

function joined(a: ChainFacts, b: ChainFacts): ChainFacts {
  const [first, second] = (a.from ?? '') <= (b.from ?? '') ? [a, b] : [b, a];
  return {
    ...first,
    from: first.from ?? second.from,
    to: (a.to ?? '') > (b.to ?? '') ? a.to : b.to,
    digests: a.digests + b.digests,
    logs: a.logs + b.logs,
    bytes: a.bytes + b.bytes,
    // A trail may have gone away and come back.
    coverage: [...(first.coverage ?? []), ...(second.coverage ?? [])].sort((x, y) => (x.from < y.from ? -1 : 1)),
  };
}

/** An address can hold a name and a password, and a token in its query. */
function withoutSecrets(given: RunHeader['arguments']): RunHeader['arguments'] {
  const text = JSON.stringify(given).replace(/(:\/\/)[^/@"\s]*@/g, '$1');
  return JSON.parse(text.replace(/(https?:\/\/[^"\s?]*\?)[^"\s]*/g, '$1…'));
}
