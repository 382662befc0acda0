import { plain } from './detail.ts';
import { csv as field } from './escape.ts';
import type { Finding } from './finding.ts';
import { verdictWord } from './headline.ts';
import type { Report } from './report.ts';
import { EXIT_MEANINGS } from './tally.ts';

const COLUMNS: { readonly [name: string]: (finding: Finding) => string } = {
  id: ({ id }) => id,
  kind: ({ kind }) => kind,
  control: ({ control }) => control,
  outcome: ({ outcome }) => outcome,
  severity: ({ severity }) => severity,
  subject: ({ subject }) => subject.type,
  arn: ({ subject }) => subject.arn ?? '',
  account: ({ subject }) => subject.account ?? '',
  region: ({ subject }) => subject.region ?? '',
  trail: ({ subject }) => subject.trail ?? '',
  bucket: ({ subject }) => subject.bucket ?? '',
  key: ({ subject }) => subject.key ?? '',
  versionId: ({ subject }) => subject.versionId ?? '',
  hour: ({ subject }) => subject.hour ?? '',
  message: ({ message }) => message,
  evidence: ({ evidence }) => plain(evidence),
  remedy: ({ remedy }) => remedy,
  references: ({ references }) => references.join(', '),
  waiver: ({ waiver }) => waiver?.id ?? '',
  accepted_by: ({ waiver }) => waiver?.acceptedBy ?? '',
  owner: ({ waiver }) => waiver?.owner ?? '',
  expires: ({ waiver }) => waiver?.expires ?? '',
  reason: ({ waiver }) => waiver?.reason ?? '',
};

/** RFC 4180, one row a finding. The last row is the run itself: a sheet without it was cut off. */
export function csv(): Report {
  return {
    start: () => row(Object.keys(COLUMNS)),
    step: (finding) => row(Object.values(COLUMNS).map((cell) => cell(finding))),
    end(summary) {
      const { exitCode, complete, outcomes } = summary;
      const known: { readonly [column: string]: string } = {
        kind: 'run',
        control: 'run',
        outcome: verdictWord(summary),
        subject: 'run',
        message: `exit code ${exitCode}: ${EXIT_MEANINGS[exitCode] ?? 'unknown'}`,
        evidence: plain({ complete, outcomes }),
      };
      return row(Object.keys(COLUMNS).map((column) => known[column] ?? ''));
    },
  };
}

function row(cells: readonly string[]): string {
  return `${cells.map(field).join(',')}\r\n`;
}
