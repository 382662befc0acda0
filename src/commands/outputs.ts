import { appendFileSync, closeSync, mkdirSync, openSync, renameSync, rmSync, statSync, writeSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname } from 'node:path';
import { nearest } from '../config/nearest.ts';
import type { Finding } from '../report/finding.ts';
import { type FormatName, formats, isFormat } from '../report/formats.ts';
import type { Report, RunHeader, Summary } from '../report/report.ts';
import { asideOf } from '../state/aside.ts';
import { type Io, UsageError } from './command.ts';

export interface OutputOptions {
  readonly output?: readonly string[] | undefined;
  readonly verbose?: boolean | undefined;
  readonly color?: boolean | undefined;
}

/** All reports of one run, filled in one pass. */
export interface Outputs {
  start(run: RunHeader): void;
  step(finding: Finding): void;
  /** Only now do files stand under their names: a report that is there is whole. */
  end(summary: Summary): void;
  /** The run broke off without a summary: nothing stands under the names. */
  abandon(): void;
}

interface Sink {
  readonly report: Report;
  write(text: string): void;
  finish(): void;
  abandon(): void;
}

/**
 * Opens every `--output FORMAT=PATH`; text goes to stdout unless something else does, and the summary of the GitHub step
 * gets its Markdown. A command that judges nothing writes `onlyWhatIsAsked`. Throws `UsageError`.
 */
export async function openOutputs(options: OutputOptions, io: Io, { onlyWhatIsAsked = false } = {}): Promise<Outputs> {
  const asked = (options.output ?? []).map(parseOutput);
  const toStdout = asked.filter(({ path }) => path === '-');
  const twice = asked.find(
    ({ path }, index) => path !== '-' && asked.findIndex((other) => other.path === path) < index,
  );
  if (twice) throw new UsageError(`--output: two reports cannot be written to ${twice.path}`);
  if (toStdout.length > 1) throw new UsageError('only one --output can be written to stdout (-)');
  if (toStdout.length === 0 && !(onlyWhatIsAsked && asked.length > 0)) asked.unshift({ format: 'text', path: '-' });
  const color = options.color !== false && io.outIsTerminal && !io.env['NO_COLOR'];
  const sinks: Sink[] = [];
  for (const { format, path } of asked) {
    const make = await formats[format]();
    const report = make({ color: color && path === '-', verbose: options.verbose });
    sinks.push(path === '-' ? stdoutSink(report, io) : fileSink(report, path));
  }
  const stepSummary = io.env['GITHUB_STEP_SUMMARY'];
  if (stepSummary && !onlyWhatIsAsked) sinks.push(...(await stepSummarySinks(stepSummary, io)));
  const toAll = (text: (report: Report) => string) => {
    for (const sink of sinks) sink.write(text(sink.report));
  };
  return {
    start: (run) => {
      const withHost = run.host === undefined ? { host: hostname(), ...run } : run;
      toAll((report) => report.start(withHost));
    },
    step: (finding) => toAll((report) => report.step(finding)),
    end: (summary) => {
      toAll((report) => report.end(summary));
      for (const sink of sinks) sink.finish();
    },
    abandon: () => {
      for (const sink of sinks) sink.abandon();
    },
  };
}

function parseOutput(spec: string): { format: FormatName; path: string } {
  const [name = '', ...rest] = spec.split('=');
  const path = rest.join('=');
  if (!isFormat(name)) {
    const meant = nearest(name, Object.keys(formats));
    const hint = meant === null ? `known: ${Object.keys(formats).join(', ')}` : `did you mean ${meant}?`;
    throw new UsageError(`--output ${spec}: there is no format ${JSON.stringify(name)}; ${hint}`);
  }
  if (path === '')
    throw new UsageError(`--output ${spec}: expected FORMAT=PATH, such as ${name}=report.${name} or ${name}=-`);
  return { format: name, path };
}

function stdoutSink(report: Report, io: Io): Sink {
  return { report, write: (text) => text && io.out(text), finish: () => undefined, abandon: () => undefined };
}

function refuseFolder(path: string): void {
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) return;
  throw new UsageError(`--output: ${path} is a directory; name a file in it`);
}

function fileSink(report: Report, path: string): Sink {
  refuseFolder(path);
  const temporary = asideOf(path);
  let file: number;
  try {
    mkdirSync(dirname(path), { recursive: true });
    file = openSync(temporary, 'w');
  } catch (cause) {
    throw new UsageError(`--output: ${path} cannot be written: ${cause instanceof Error ? cause.message : cause}`, {
      cause,
    });
  }
  return {
    report,
    write: (text) => {
      if (text !== '') writeSync(file, text);
    },
    finish: () => {
      closeSync(file);
      if (temporary !== path) renameSync(temporary, path);
    },
    abandon: () => {
      closeSync(file);
      if (temporary !== path) rmSync(temporary, { force: true });
    },
  };
}

/** What GitHub takes of one step, whichever commands of the step wrote it; it drops more as a whole. */
const STEP_SUMMARY_LIMIT = 1024 * 1024;
/** Below this a report says too little to be worth its place. */
const STEP_SUMMARY_LEAST = 4096;

/** Appends to the page that GitHub shows for the step. Never the end of a run: the page is an extra. */
async function stepSummarySinks(path: string, io: Io): Promise<Sink[]> {
  const complain = (reason: string) => io.err(`trailseal: nothing is added to the summary of the step: ${reason}\n`);
  const room = STEP_SUMMARY_LIMIT - (statSync(path, { throwIfNoEntry: false })?.size ?? 0);
  if (room < STEP_SUMMARY_LEAST) {
    complain('it is full');
    return [];
  }
  const { markdown } = await import('../report/markdown.ts');
  let page = '';
  return [
    {
      report: markdown({ limit: room }),
      write: (text) => {
        page += text;
      },
      finish: () => {
        try {
          appendFileSync(path, page);
        } catch (error) {
          complain(error instanceof Error ? error.message : String(error));
        }
      },
      abandon: () => undefined,
    },
  ];
}
