import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Io } from '../../src/commands/command.ts';
import { postureCommand } from '../../src/commands/posture.ts';
import type { Finding } from '../../src/report/finding.ts';
import type { Summary } from '../../src/report/report.ts';

export interface Ran {
  readonly exitCode: number;
  /** The lines of the findings, as written. */
  readonly lines: readonly string[];
  readonly findings: readonly Finding[];
  readonly summary: Summary;
  readonly err: string;
}

type Options = Parameters<typeof postureCommand.run>[0];
/** As yargs hands them over: camel case. */
export type Given = { readonly [option: string]: unknown };

export function ioInto(out: (text: string) => void, err: (text: string) => void): Io {
  return {
    out,
    err,
    env: process.env,
    outIsTerminal: false,
    errIsTerminal: false,
    now: Date.now,
    interrupt: new AbortController().signal,
  };
}

/** Runs the command as `main` would, the report in JSON Lines. */
export async function runPosture(config: string, options: Given): Promise<Ran> {
  const folder = await mkdtemp(join(tmpdir(), 'posture-'));
  let out = '';
  let err = '';
  const io = ioInto(
    (text) => {
      out += text;
    },
    (text) => {
      err += text;
    },
  );
  try {
    const file = join(folder, 'trailseal.yaml');
    await writeFile(file, config);
    const exitCode = await postureCommand.run(
      { config: file, output: ['jsonl=-'], ...options } as unknown as Options,
      io,
    );
    const all = out.trimEnd().split('\n');
    const lines = all.slice(1, -1);
    return {
      exitCode,
      lines,
      findings: lines.map((line) => JSON.parse(line) as Finding),
      summary: JSON.parse(all.at(-1) ?? '{}') as Summary,
      err,
    };
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Ids of the controls that came to this outcome, in order. */
export const controlsThat = (outcome: Finding['outcome'], { findings }: Ran): readonly string[] => [
  ...new Set(findings.filter((finding) => finding.outcome === outcome).map(({ control }) => control)),
];
