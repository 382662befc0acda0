import type { Finding } from '../report/finding.ts';
import type { RunHeader } from '../report/report.ts';
import { tally } from '../report/tally.ts';
import { VERSION } from '../version.ts';
import type { Io } from './command.ts';
import { type OutputOptions, openOutputs } from './outputs.ts';

export interface FindingsRun {
  readonly findings: Iterable<Finding> | AsyncIterable<Finding>;
  readonly header: Pick<RunHeader, 'command' | 'arguments' | 'inputs'>;
  /** Epoch milliseconds. */
  readonly now: number;
  readonly outputs: OutputOptions;
  readonly io: Io;
}

/** Reports findings that need no more than to be listed and counted; resolves to the exit code. */
export async function reportFindings({ findings, header, now, outputs: options, io }: FindingsRun): Promise<number> {
  const started = io.now();
  const outputs = openOutputs(options, io);
  try {
    outputs.start({
      tool: 'trailseal',
      version: VERSION,
      window: null,
      clock: new Date(now).toISOString(),
      identity: null,
      ...header,
    });
    const counts = tally();
    for await (const finding of findings) {
      counts.add(finding);
      outputs.step(finding);
    }
    const summary = counts.summary({
      complete: true,
      chains: [],
      requests: { list: 0, get: 0, bytes: 0 },
      elapsedMs: io.now() - started,
    });
    outputs.end(summary);
    return summary.exitCode;
  } catch (error) {
    outputs.abandon();
    throw error;
  }
}
