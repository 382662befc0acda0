import type { Finding, Json, Subject } from './finding.ts';

/** What a finding is about in one line, unescaped: the object if there is one, else the most exact name known. */
export function subjectName(subject: Subject): string {
  const { type, bucket, key, versionId, arn, account, region, trail, hour } = subject;
  if (key !== undefined) {
    const object = bucket === undefined ? key : `s3://${bucket}/${key}`;
    return versionId === undefined ? object : `${object} version ${versionId}`;
  }
  const place =
    arn ?? (bucket === undefined ? [account, region, trail].filter((part) => part !== undefined).join(' ') : bucket);
  return [place, hour].filter((part) => part !== undefined && part !== '').join(' ') || type;
}

/** Unescaped. */
export type Row = readonly [label: string, value: string];

export const REMEDY = 'to do';

/** Everything a reader may want below the message, as label and value, unescaped, in a fixed order. */
export function details(finding: Finding): readonly Row[] {
  const { subject, evidence, waiver } = finding;
  const lines: [string, string][] = [[subject.type, subjectName(subject)]];
  const chain = [subject.account, subject.region, subject.trail].filter((part) => part !== undefined).join(' ');
  if (chain !== '' && chain !== subjectName(subject)) lines.push(['in', chain]);
  if (subject.hour !== undefined && subject.key !== undefined) lines.push(['hour', subject.hour]);
  for (const [name, value] of Object.entries(evidence)) {
    if (value !== undefined && !(Array.isArray(value) && value.length === 0)) lines.push([name, plain(value)]);
  }
  if (waiver !== null) {
    lines.push(['waiver', `${waiver.id} until ${waiver.expires}: ${waiver.reason}`]);
    lines.push(['accepted by', `${waiver.acceptedBy}, owner ${waiver.owner}`]);
  }
  if (finding.remedy !== '' && finding.outcome !== 'pass') lines.push([REMEDY, finding.remedy]);
  if (finding.references.length > 0) lines.push(['see', finding.references.join(', ')]);
  lines.push(['id', finding.id]);
  return lines;
}

/** A value as people write it: strings bare, the rest as JSON. */
export function plain(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** What passes or does not apply and yet has something to tell: hours still due, an object stored in an odd way. */
export function isNote({ kind, outcome, control, evidence }: Finding): boolean {
  if (outcome === 'not-applicable') return true;
  const noted = Array.isArray(evidence['notes']) && evidence['notes'].length > 0;
  return kind === 'integrity' && outcome === 'pass' && (noted || control === 'coverage-pending');
}

/** Evidence that says for how many days a thing is kept: a bucket's default retention, an event data store, a log group. */
const KEPT_DAYS = ['days', 'RetentionPeriod', 'retentionInDays'] as const;

/** Days a thing is kept (0 where the evidence says `null`) against days demanded, where the evidence tells both. */
export function retentionOf({ evidence }: Finding): { readonly days: number; readonly required: number } | null {
  const { required } = evidence;
  const name = KEPT_DAYS.find((each) => evidence[each] !== undefined);
  const days = name === undefined ? undefined : (evidence[name] ?? 0);
  return typeof required === 'number' && typeof days === 'number' ? { days, required } : null;
}
