import {
  appendFileSync,
  closeSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { dirname } from 'node:path';
import { nearest } from '../config/nearest.ts';
import type { Finding } from '../report/finding.ts';
import { type FormatName, formats, isFormat } from '../report/formats.ts';
import type { Report, RunHeader, Summary } from '../report/report.ts';
import { asideOf } from '../state/aside.ts';
import { type Io, UsageError } from './command.ts';
import { isSystemError, plainSystemError } from './system-error.ts';

export interface OutputOptions {
  readonly output?: readonly string[] | undefined;
  readonly verbose?: boolean | undefined;
  readonly color?: boolean | undefined;
}

/** All reports of one run, filled in one pass. */
export interface Outputs {
  start(run: RunHeader): void;
  step(finding: Finding): void;
  /**
   * Only now do files stand under their names: a report that is there is whole. Returns which could not be written, one
   * line each; those stand nowhere.
   */
  save(summary: Summary): readonly string[];
  /** Takes the ends of files back, so that more findings can come; a pipe or a device keeps what it got. */
  reopen(): void;
  /** The end of what cannot be taken back, when nothing can change any more: stdout and the summary of the step. */
  close(summary: Summary): void;
  /** The run broke off without a summary: nothing stands under the names. */
  abandon(): void;
}

interface Sink {
  /** As it was asked for: `jsonl=run.jsonl`. */
  readonly name: string;
  readonly report: Report;
  /** It gets its end last of all. */
  readonly isLast: boolean;
  write(text: string): void;
  end(text: string): void;
  /** Back to before its end; `false` where it can be no more. */
  reopen(): boolean;
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
  const sinks = new Set<Sink>();
  const abandon = () => {
    for (const sink of sinks) sink.abandon();
  };
  try {
    for (const { format, path } of asked) {
      const make = await formats[format]();
      const report = make({ color: color && path === '-', verbose: options.verbose });
      sinks.add(path === '-' ? stdoutSink(report, io) : fileSink(report, format, path));
    }
  } catch (error) {
    abandon();
    throw error;
  }
  const stepSummary = io.env['GITHUB_STEP_SUMMARY'];
  if (stepSummary && !onlyWhatIsAsked) {
    for (const sink of await stepSummarySinks(stepSummary, io)) sinks.add(sink);
  }
  let lost: string[] = [];
  /** A full disk ends one report, not the run: the others still tell what was found. */
  const toAll = (act: (sink: Sink) => void) => {
    for (const sink of sinks) {
      try {
        act(sink);
      } catch (error) {
        if (!isSystemError(error)) throw error;
        lost.push(`--output ${sink.name} could not be written: ${plainSystemError(error)}`);
        sinks.delete(sink);
        sink.abandon();
      }
    }
  };
  return {
    start: (run) => {
      const withHost = run.host === undefined ? { host: hostname(), ...run } : run;
      toAll(({ report, write }) => write(report.start(withHost)));
    },
    step: (finding) => toAll(({ report, write }) => write(report.step(finding))),
    save(summary) {
      toAll((sink) => !sink.isLast && sink.end(sink.report.end(summary)));
      const told = lost;
      lost = [];
      return told;
    },
    reopen: () =>
      toAll((sink) => {
        if (!sink.reopen()) sinks.delete(sink);
      }),
    close: (summary) => toAll((sink) => sink.isLast && sink.end(sink.report.end(summary))),
    abandon,
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
  return {
    name: '-',
    report,
    isLast: true,
    write: (text) => text && io.out(text),
    end: (text) => io.out(text),
    reopen: () => true,
    abandon: () => undefined,
  };
}

function refuseFolder(path: string): void {
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) return;
  throw new UsageError(`--output: ${path} is a directory; name a file in it`);
}

function fileSink(report: Report, format: FormatName, path: string): Sink {
  let temporary: string;
  let file: number;
  try {
    refuseFolder(path);
    temporary = asideOf(path);
    mkdirSync(dirname(path), { recursive: true });
    file = openSync(temporary, 'w');
  } catch (cause) {
    if (cause instanceof UsageError) throw cause;
    throw new UsageError(`--output ${format}=${path} cannot be written: ${plainSystemError(cause)}`, { cause });
  }
  let size = 0;
  const write = (text: string) => {
    // A write may take less than it was given, on a disk that is all but full.
    for (let rest = Buffer.from(text); rest.length > 0; ) rest = rest.subarray(writeSync(file, rest));
  };
  return {
    name: `${format}=${path}`,
    report,
    isLast: false,
    write(text) {
      write(text);
      size += Buffer.byteLength(text);
    },
    end(text) {
      write(text);
      closeSync(file);
      if (temporary !== path) renameSync(temporary, path);
    },
    reopen() {
      if (temporary === path) return false;
      renameSync(path, temporary);
      truncateSync(temporary, size);
      file = openSync(temporary, 'a');
      return true;
    },
    abandon: () => {
      try {
        closeSync(file);
      } catch {
        // It is closed, or as good as.
      }
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
      name: 'GITHUB_STEP_SUMMARY',
      report: markdown({ limit: room }),
      isLast: true,
      write: (text) => {
        page += text;
      },
      end: (text) => {
        try {
          appendFileSync(path, page + text);
        } catch (error) {
          complain(error instanceof Error ? error.message : String(error));
        }
      },
      reopen: () => true,
      abandon: () => undefined,
    },
  ];
}
