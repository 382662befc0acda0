import { toFinding } from '../chain/meaning.ts';
import { verdict } from '../chain/verdict.ts';
import { terminal } from '../report/escape.ts';
import type { Finding } from '../report/finding.ts';
import type { Summary } from '../report/report.ts';
import type { Io } from './command.ts';
import type { Outputs } from './outputs.ts';

/** What a run comes to when all is judged. */
export interface Ending {
  readonly outputs: Outputs;
  /** Counts a finding and reports it. */
  readonly list: (finding: Finding) => void;
  /** The last word on what is counted until now. */
  readonly summary: () => Summary;
  /** Writes what stands on the reports. Resolves to what could not be written, one line each. */
  readonly leaveBehind?: (summary: Summary, areReportsWhole: boolean) => Promise<readonly string[]>;
  /** Writes anew what holds the reports, which now say that something is lost. */
  readonly amend?: (summary: Summary) => Promise<void>;
}

/**
 * Ends all reports with one and the same exit code, that of the process. What could not be written is a finding like any
 * other, so files that stood already are made anew; stdout, where nothing can be taken back, comes last. Resolves to the
 * exit code.
 */
export async function endRun({ outputs, list, summary, leaveBehind, amend }: Ending, io: Io): Promise<number> {
  const found = summary();
  const unsaved = outputs.save(found);
  const lost = [...unsaved, ...((await leaveBehind?.(found, unsaved.length === 0)) ?? [])];
  if (lost.length === 0) {
    outputs.close(found);
    return found.exitCode;
  }
  outputs.reopen();
  list(toFinding(verdict('run-unrecorded', { type: 'run' }, { lost })));
  const last = summary();
  const more = outputs.save(last);
  if (unsaved.length + more.length === 0) await amend?.(last);
  outputs.close(last);
  for (const line of [...lost, ...more]) io.err(`trailseal: ${terminal(line)}\n`);
  if (found.exitCode === 0) {
    io.err(
      `trailseal: nothing failed, but the exit code is ${last.exitCode}: not all is written that this run was to leave behind\n`,
    );
  }
  return last.exitCode;
}
