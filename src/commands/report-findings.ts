import type { Finding } from '../report/finding.ts';
import type { RunHeader } from '../report/report.ts';
import { untilGivenUp } from '../stream/give-up.ts';
import { VERSION } from '../version.ts';
import type { Io } from './command.ts';
import type { OutputOptions } from './outputs.ts';
import { report } from './run.ts';

export interface FindingsRun {
  /** A signal ends them, whatever they wait for. */
  readonly findings: AsyncGenerator<Finding, void, undefined>;
  readonly header: Pick<RunHeader, 'command' | 'arguments' | 'inputs'>;
  /** Epoch milliseconds. */
  readonly now: number;
  readonly outputs: OutputOptions;
  readonly io: Io;
}

/** How long what is in flight may take to end after the signal. */
const PATIENCE_MS = 1_000;

/** A run whose findings need no more than to be listed and counted; resolves to the exit code. */
export function reportFindings({ findings, header, now, outputs, io }: FindingsRun): Promise<number> {
  const whole: RunHeader = {
    tool: 'trailseal',
    version: VERSION,
    window: null,
    clock: new Date(now).toISOString(),
    identity: null,
    ...header,
  };
  return report({ header: whole, outputs, io }, async (run) => {
    for await (const finding of untilGivenUp<Finding | null>(findings, io.interrupt, PATIENCE_MS, () => null)) {
      if (finding !== null) run.finding(finding);
    }
  });
}
