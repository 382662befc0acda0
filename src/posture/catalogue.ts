import { SEVERITIES } from '../report/finding.ts';
import { CALLS, type Call } from './calls.ts';
import type { Control } from './control.ts';

/** The controls as `posture --list` prints them. */
export function catalogue(controls: readonly Control[]): string {
  const width = Math.max(...controls.map(({ id }) => id.length));
  const severity = Math.max(...SEVERITIES.map((name) => name.length));
  return controls
    .map(
      ({ id, severity: weight, title, optional }) =>
        `${id.padEnd(width)}  ${weight.padEnd(severity)}  ${title}${optional ? ' (opt-in)' : ''}\n`,
    )
    .join('');
}

/** `docs/controls.md`. */
export function controlsMarkdown(controls: readonly Control[]): string {
  const groups = new Map<string, Control[]>();
  for (const control of controls) {
    const group = control.id.replace(/-\d+$/, '');
    groups.set(group, [...(groups.get(group) ?? []), control]);
  }
  return [
    '# Controls of `trailseal posture`',
    '',
    '<!-- Generated from the registry: npx vitest run test/posture/catalogue.test.ts -u -->',
    '',
    'What each control asks for, how much it weighs, what to do about it, which calls it reads and under which numbers auditors know it. Ids are stable: they may be used in waivers and are never given to something else.',
    '',
    'Every control answers `pass`, `fail`, `inconclusive` (something could not be read: the finding names the call and the permission) or `not-applicable`. A refused read never passes and never fails.',
    '',
    ...[...groups].flatMap(([group, members]) => [`## ${GROUPS[group] ?? group}`, '', ...members.flatMap(section)]),
  ].join('\n');
}

const GROUPS: { readonly [group: string]: string | undefined } = {
  TRAIL: 'TRAIL: the trail itself',
  SEL: 'SEL: what is recorded',
  KEY: 'KEY: encryption',
  CWL: 'CWL: CloudWatch Logs',
  LOCK: 'LOCK: write-once storage of the log bucket',
  LIFE: 'LIFE: lifecycle against retention',
  POL: 'POL: the bucket policy',
  PAB: 'PAB: public access',
  OWN: 'OWN: ownership and ACLs',
  MISC: 'MISC: the bucket as a whole',
  AP: 'AP: other ways in',
  REP: 'REP: a copy elsewhere',
  LOG: 'LOG: who touches the log bucket',
  IAM: 'IAM: the audit reader',
  OBJ: 'OBJ: the objects themselves',
  LAKE: 'LAKE: event data stores',
};

function section({ id, title, severity, remedy, calls, references, optional }: Control): string[] {
  return [
    `### ${id} ${title}`,
    '',
    `- Severity: ${severity}${optional ? '; judged only when `posture.optIn` names it' : ''}`,
    `- Remedy: ${escaped(remedy)}`,
    `- Reads: ${calls.map((name) => `\`${service(CALLS[name])}:${CALLS[name].operation}\``).join(', ')}`,
    ...(references.length > 0 ? [`- References: ${references.join(' · ')}`] : []),
    '',
  ];
}

const service = ({ service: name }: Call): string => name;

/** Angle brackets and stars of remedies are meant as they stand. */
const escaped = (text: string): string => text.replace(/[<>*_]/g, '\\$&');
