import { stringify } from 'yaml';
import { DEFAULT_RETENTION } from './regimes.ts';

/** What was found in the account, as far as a config needs it. */
export interface Found {
  readonly trails: readonly { readonly arn: string; readonly bucket: string | null; readonly prefix: string }[];
  readonly organization: boolean;
  readonly logBuckets: readonly FoundBucket[];
  /** What could not be asked; one line each. */
  readonly unseen: readonly string[];
}

export interface FoundBucket {
  readonly name: string;
  /** The account known to own it; `null` where that could not be told. */
  readonly account: string | null;
  readonly region: string | null;
  readonly prefix: string | null;
  /** The default retention; `null` where there is none, `unknown` where it was refused. */
  readonly retention: { readonly mode: string; readonly days: number } | null | 'unknown';
}

/** A `trailseal.yaml` for what was found: demands, not a mirror of what is; where the two differ, a comment says so. */
export function draftConfig({ trails, organization, logBuckets, unseen }: Found, madeAt: string): string {
  const several = logBuckets.length > 1;
  const lines = [
    '# yaml-language-server: $schema=./node_modules/trailseal/docs/trailseal.schema.json',
    `# Written by trailseal init, ${madeAt}. Read it: it says what must be so, and trailseal proves whether it is.`,
    ...unseen.map((line) => `# Not seen: ${oneLine(line)}`),
    'version: 1',
    '',
    '# regime: pci   # or hipaa, sox, sec17a4, m2131: sets days and hotDays below',
    '',
    ...block(
      'trails',
      trails.map(({ arn, bucket }) => (several && bucket !== null ? { arn, bucket } : arn)),
    ),
    ...(organization ? ['organization: true', ''] : []),
    ...(logBuckets.length === 0 ? ['logBuckets: []', ''] : ['logBuckets:', ...logBuckets.flatMap(bucketLines), '']),
    '# Buckets with infrastructure state, whose every object event must be recorded:',
    '# stateBuckets: [{ name: my-terraform-state }]',
    '# auditReaderRole: arn:aws:iam::111122223333:role/audit-reader',
    '',
    '# checkpoint: s3://audit-state/trailseal   # the next night goes on from there; keep it in another account',
    '# outputs: [junit=reports/trailseal.xml, html=reports/trailseal.html]',
  ];
  return `${lines.join('\n')}\n`;
}

function bucketLines({ name, account, region, prefix, retention }: FoundBucket): string[] {
  const said = {
    name,
    ...(account === null ? {} : { account }),
    ...(region === null ? {} : { region }),
    ...(prefix === null || prefix === '' ? {} : { prefix }),
  };
  const [first = '', ...rest] = stringify(said).trimEnd().split('\n');
  const days = Math.max(DEFAULT_RETENTION.days, retention !== null && retention !== 'unknown' ? retention.days : 0);
  return [
    `  - ${first}`,
    ...rest.map((line) => `    ${line}`),
    ...(account === null
      ? ['    # account: "111122223333"   # owner not seen; with it S3 refuses a bucket of somebody else']
      : []),
    `    retention: { lock: ${DEFAULT_RETENTION.lock}, days: ${days} }   # found: ${foundText(retention)}`,
    '    # readers: [arn:aws:iam::111122223333:role/audit-reader]   # nobody else may read the logs',
    '    # admins: [arn:aws:iam::111122223333:role/break-glass]     # nobody else may weaken the bucket',
  ];
}

function foundText(retention: FoundBucket['retention']): string {
  if (retention === 'unknown') return 'could not be read';
  return retention === null ? 'no default retention' : oneLine(`${retention.mode}, ${retention.days} days`);
}

function block(key: string, value: readonly unknown[]): string[] {
  return [
    ...stringify({ [key]: value })
      .trimEnd()
      .split('\n'),
    '',
  ];
}

/** What AWS or a stranger wrote must not end a comment. */
function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]/gu, ' ');
}
