import type { Io } from '../../src/commands/command.ts';
import { main } from '../../src/main.ts';
import type { Finding } from '../../src/report/finding.ts';
import type { RunHeader, Summary } from '../../src/report/report.ts';

export interface CliResult {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs the command line in this process and keeps what it prints. */
export async function runCli(argv: readonly string[], change: Partial<Io> = {}): Promise<CliResult> {
  const printed = { out: '', err: '' };
  const io: Io = {
    out: (text) => {
      printed.out += text;
    },
    err: (text) => {
      printed.err += text;
    },
    env: {},
    outIsTerminal: false,
    errIsTerminal: false,
    now: Date.now,
    interrupt: new AbortController().signal,
    ...change,
  };
  const code = await main(argv, io);
  return { code, ...printed };
}

export interface JsonlRun {
  readonly run: RunHeader;
  readonly findings: readonly Finding[];
  readonly summary: Summary;
}

/** What `--output jsonl=…` wrote. */
export function parseJsonl(text: string): JsonlRun {
  const lines = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  return { run: lines[0], findings: lines.slice(1, -1), summary: lines.at(-1) };
}
