import type { Finding } from '../report/finding.ts';
import type { RunHeader } from '../report/report.ts';
import { VERSION } from '../version.ts';
import type { Io } from './command.ts';
import type { OutputOptions } from './outputs.ts';
import { report } from './run.ts';

export interface FindingsRun {
  readonly findings: Iterable<Finding> | AsyncIterable<Finding>;
  readonly header: Pick<RunHeader, 'command' | 'arguments' | 'inputs'>;
  /** Epoch milliseconds. */
  readonly now: number;
  readonly outputs: OutputOptions;
  readonly io: Io;
}

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
    for await (const finding of findings) run.finding(finding);
  });
}
