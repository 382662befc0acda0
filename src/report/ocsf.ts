import { details, subjectName } from './detail.ts';
import { json } from './escape.ts';
import type { Finding, Outcome, Severity } from './finding.ts';
import { verdictWord } from './headline.ts';
import type { Report, RunHeader, Summary } from './report.ts';
import { EXIT_MEANINGS } from './tally.ts';

const VERSION = '1.5.0';

const SEVERITY_IDS = { info: 1, low: 2, medium: 3, high: 4, critical: 5 } as const satisfies Record<Severity, number>;

/** A waived control does fail; that somebody accepted it is said by the status of the finding (Suppressed). */
const COMPLIANCE = {
  pass: { status: 'Pass', status_id: 1 },
  inconclusive: { status: 'Warning', status_id: 2 },
  fail: { status: 'Fail', status_id: 3 },
  waived: { status: 'Fail', status_id: 3 },
  'not-applicable': { status: 'Not applicable', status_id: 99 },
} as const satisfies Record<Outcome, object>;

/**
 * OCSF events, one a line: Compliance Finding 2003 for integrity and posture, Detection Finding 2004 for events. The
 * last event is the run itself: a file without it was cut off.
 */
export function ocsf(): Report {
  let run: RunHeader | undefined;
  return {
    start(header) {
      run = header;
      return '';
    },
    step: (finding) => `${json(eventOf(finding, run))}\n`,
    end: (summary) => `${json(runEvent(summary, run))}\n`,
  };
}

function eventOf(finding: Finding, run: RunHeader | undefined): object {
  const { id, control, kind, outcome, severity, message, remedy, references, subject, waiver } = finding;
  const title = run?.titles?.[control] ?? control;
  const shared = {
    ...base(kind === 'event' ? 2004 : 2003, run),
    severity_id: SEVERITY_IDS[severity],
    severity: severity === 'info' ? 'Informational' : capital(severity),
    message,
    finding_info: { uid: id, title: `${control} ${title}`.trim(), desc: message, types: [kind] },
    ...(outcome === 'waived'
      ? { status_id: 3, status: 'Suppressed', comment: waiver === null ? '' : `${waiver.id}: ${waiver.reason}` }
      : outcome === 'pass'
        ? { status_id: 4, status: 'Resolved' }
        : { status_id: 1, status: 'New' }),
    resources: [
      {
        type: subject.type,
        uid: subject.arn ?? subjectName(subject),
        name: subjectName(subject),
        ...(subject.region === undefined ? {} : { region: subject.region }),
      },
    ],
    ...(subject.account === undefined && subject.region === undefined ? {} : { cloud: cloudOf(finding) }),
    ...(remedy === '' ? {} : { remediation: { desc: remedy } }),
    unmapped: { outcome, evidence: finding.evidence, subject, waiver },
  };
  if (kind === 'event') return { ...shared, is_alert: outcome === 'fail' };
  return {
    ...shared,
    compliance: {
      control,
      desc: title,
      standards: references.length > 0 ? references : ['trailseal'],
      ...COMPLIANCE[outcome],
      status_code: outcome,
      status_details: details(finding).map(([label, value]) => `${label}: ${value}`),
    },
  };
}

function runEvent(summary: Summary, run: RunHeader | undefined): object {
  const { exitCode, complete, outcomes } = summary;
  const said = EXIT_MEANINGS[exitCode] ?? 'unknown';
  const outcome = exitCode === 0 ? 'pass' : exitCode === 1 ? 'fail' : 'inconclusive';
  return {
    ...base(2003, run),
    severity_id: exitCode === 0 ? 1 : 4,
    severity: exitCode === 0 ? 'Informational' : 'High',
    message: `${verdictWord(summary)}: ${said}`,
    finding_info: {
      uid: `run_${run?.clock ?? ''}`,
      title: `trailseal ${run?.command ?? ''}`.trim(),
      desc: said,
      types: ['run'],
    },
    compliance: { control: 'run', desc: 'the run as a whole', standards: ['trailseal'], ...COMPLIANCE[outcome] },
    unmapped: { complete, exit_code: exitCode, outcomes },
  };
}

function base(classUid: 2003 | 2004, run: RunHeader | undefined): object {
  return {
    activity_id: 1,
    activity_name: 'Create',
    category_uid: 2,
    category_name: 'Findings',
    class_uid: classUid,
    class_name: classUid === 2003 ? 'Compliance Finding' : 'Detection Finding',
    type_uid: classUid * 100 + 1,
    time: run === undefined ? 0 : Date.parse(run.clock),
    metadata: {
      version: VERSION,
      product: { name: 'trailseal', vendor_name: 'trailseal', ...(run ? { version: run.version } : {}) },
      profiles: ['cloud'],
    },
    cloud: { provider: 'AWS' },
  };
}

function cloudOf({ subject: { account, region } }: Finding): object {
  return {
    provider: 'AWS',
    ...(account === undefined ? {} : { account: { uid: account, type: 'AWS Account', type_id: 10 } }),
    ...(region === undefined ? {} : { region }),
  };
}

function capital(word: string): string {
  return `${word.charAt(0).toUpperCase()}${word.slice(1)}`;
}
