import { type Finding, OUTCOMES, type Outcome, SEVERITIES, type Severity } from './finding.ts';
import { sum } from './headline.ts';
import type { Summary } from './report.ts';
import { exitCode } from './tally.ts';

/** The findings of a saved run, to be held against its summary, in memory that grows with the number of controls only. */
export interface Listed {
  add(finding: Finding): void;
  /** Where the summary does not follow from what is listed, in words; else `null`. */
  contradiction(summary: Summary): string | null;
}

/**
 * Passes may be counted without being listed; all else is listed, so a line taken out of the file shows. `mayPass`: whether
 * a verdict of that kind can be a pass.
 */
export function listed(mayPass: (kind: string) => boolean): Listed {
  const outcomes: Record<Outcome, number> = { pass: 0, fail: 0, inconclusive: 0, 'not-applicable': 0, waived: 0 };
  const otherFailures: Record<Severity, number> = { critical: 0, high: 0, medium: 0, low: 0, info: 0 };
  const controls = new Map<string, number>();
  let integrityFailures = 0;
  let waiverNotes = 0;

  /** Whether the run may have ended so: the summary does not say which severities were to fail it. */
  function follows({ exitCode: said, complete, outcomes: counted }: Summary): boolean {
    if (said === 130 || said === 143) return !complete;
    const judged = { ...counted, 'not-applicable': counted['not-applicable'] - waiverNotes };
    return SEVERITIES.some(
      (failOn) => exitCode({ outcomes: judged, integrityFailures, otherFailures, complete, failOn }) === said,
    );
  }

  return {
    add({ control, kind, outcome, severity, subject }) {
      outcomes[outcome] += 1;
      controls.set(control, (controls.get(control) ?? 0) + 1);
      if (outcome === 'fail' && kind === 'integrity') integrityFailures += 1;
      else if (outcome === 'fail') otherFailures[severity] += 1;
      if (subject.type === 'waiver' && outcome === 'not-applicable') waiverNotes += 1;
    },
    contradiction(summary) {
      const { complete, verdicts } = summary;
      for (const outcome of OUTCOMES) {
        const [found, counted] = [outcomes[outcome], summary.outcomes[outcome]];
        if (found === counted || (outcome === 'pass' && found < counted)) continue;
        return `the summary counts ${counted} findings with outcome ${outcome}, the file lists ${found}`;
      }
      for (const [control, found] of controls) {
        const counted = verdicts[control] ?? 0;
        if (found > counted) return `the summary counts ${counted} of ${control}, the file lists ${found}`;
      }
      for (const [kind, counted] of Object.entries(verdicts)) {
        const found = controls.get(kind) ?? 0;
        if (found < counted && !mayPass(kind))
          return `the summary counts ${counted} of ${kind}, the file lists ${found}`;
      }
      const [byOutcome, byKind] = [sum(Object.values(summary.outcomes)), sum(Object.values(verdicts))];
      if (byOutcome !== byKind) return `the summary counts ${byOutcome} findings by outcome and ${byKind} by kind`;
      if (complete && controls.has('run-interrupted')) return 'the run is said to be complete, and to be cut short';
      return follows(summary) ? null : `exit code ${summary.exitCode} does not follow from what the file lists`;
    },
  };
}
