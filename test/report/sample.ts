import { type Finding, findingId, type Outcome, type Subject } from '../../src/report/finding.ts';
import { type Format, type FormatName, type FormatOptions, formats } from '../../src/report/formats.ts';
import type { Report, RunHeader, Summary } from '../../src/report/report.ts';
import type { ChainFacts } from '../../src/report/tally.ts';
import { type RunFacts, tally } from '../../src/report/tally.ts';

export const RUN: RunHeader = {
  tool: 'trailseal',
  version: '0.1.0',
  command: 'audit',
  arguments: { 's3-bucket': 'logs', since: '24h', config: 'trailseal.yaml' },
  window: { start: '2026-03-01T00:00:00Z', end: '2026-03-02T00:00:00Z' },
  clock: '2026-03-02T04:00:00.000Z',
  identity: 'arn:aws:sts::111122223333:assumed-role/audit-reader/nightly',
  inputs: { config: 'ab'.repeat(32) },
  host: 'runner-1',
  titles: { 'LOCK-02': 'default retention is COMPLIANCE', 'TRAIL-02': 'trail is logging' },
};

/** Each of these has broken somebody's report: names that strangers may give to objects. */
export const HOSTILE = [
  'plain',
  'a\u0000b\u0001\u001b[2J\u009b31m',
  'a\\u0000b\\u0001\\u001b[2J',
  'line\nfeed\r\ttab',
  '::error file=a::b\n##vso[task.complete result=Succeeded]##[error]x',
  ']]>&<"\'</failure></testcase>',
  '[[ATTACHMENT|/etc/passwd]]',
  '=HYPERLINK("http://example.com")',
  '+1+1',
  '-2+3',
  '@SUM(A1)',
  '|pipe|`tick`*star*_under_[link](javascript:alert(1))<img src=x onerror=alert(1)>',
  '</script><script>alert(1)</script><!--',
  '\ud800lone\udfff',
  '\ufffe\uffff',
  '\u202egnp.exe\u2066',
  'zero\u200bwidth\ufeff',
  '../../etc/passwd',
  '%2e%2e%2f%0a',
  'ключ/日志/🔒',
  'k'.repeat(1024),
];

export const CHAIN = { account: '111122223333', region: 'us-east-1', trail: 'rig' } as const;

export function finding(over: Partial<Finding> & { readonly control: string; readonly subject: Subject }): Finding {
  return {
    v: 1,
    id: findingId(over.control, over.subject),
    kind: 'integrity',
    outcome: 'fail',
    severity: 'high',
    message: 'the log differs from the hash that its digest signed',
    evidence: { expected: 'aa'.repeat(32), found: 'bb'.repeat(32) },
    remedy: 'keep the object as it is and compare it with the copy in the log archive',
    references: ['NIST AU-9'],
    waiver: null,
    ...over,
  };
}

export function posture(
  control: string,
  outcome: Outcome,
  severity: Finding['severity'] = 'high',
  bucket = 'logs',
): Finding {
  return finding({
    control,
    kind: 'posture',
    outcome,
    severity,
    subject: { type: 'bucket', arn: `arn:aws:s3:::${bucket}`, account: CHAIN.account, region: CHAIN.region, bucket },
    message: `default retention is GOVERNANCE, COMPLIANCE is required (${outcome})`,
    evidence: { api: 'GetObjectLockConfiguration', mode: 'GOVERNANCE', days: 200, nested: { a: [1, null, true] } },
    waiver:
      outcome === 'waived'
        ? { id: 'W-12', reason: 'migration, CHG-4411', acceptedBy: 'j.doe', owner: 'platform', expires: '2026-12-31' }
        : null,
  });
}

export function log(
  key: string,
  outcome: Outcome = 'fail',
  control = 'log-altered',
  region: string = CHAIN.region,
): Finding {
  return finding({
    control,
    outcome,
    subject: { type: 'log', ...CHAIN, region, bucket: 'logs', key, hour: '2026-03-01T06:00:00Z' },
  });
}

/** Two chains; one with a failing log and an unreadable one for each hostile name, one quiet; posture and an event. */
export function hostileFindings(): Finding[] {
  return [
    ...HOSTILE.map((key) => log(key)),
    ...HOSTILE.map((key) => log(key, 'inconclusive', 'log-unreadable')),
    finding({
      control: 'object-undigested',
      subject: { type: 'object', account: CHAIN.account, region: CHAIN.region, bucket: 'logs', key: 'AWSLogs/x' },
    }),
    ...HOSTILE.map((name) => posture('LOCK-02', 'fail', 'critical', name)),
    posture('TRAIL-02', 'pass'),
    posture('KEY-01', 'waived', 'medium'),
    posture('SEL-02', 'not-applicable', 'low'),
    posture('POL-01', 'inconclusive', 'medium'),
    finding({
      control: 'EVT-01',
      kind: 'event',
      subject: { type: 'event', account: CHAIN.account, region: CHAIN.region },
      message: 'StopLogging by \u001b[31mmallory',
    }),
    finding({
      control: 'WAIVER-01',
      kind: 'posture',
      severity: 'medium',
      subject: { type: 'waiver', arn: 'W-11' },
      message: 'waiver W-11 has expired',
    }),
  ];
}

export const CHAINS: readonly ChainFacts[] = [
  {
    ...CHAIN,
    from: '2026-03-01T00:00:00Z',
    to: '2026-03-02T00:00:00Z',
    digests: 24,
    logs: 96,
    bytes: 123_456,
    coverage: [
      { from: '2026-03-01T00:00:00Z', to: '2026-03-01T05:00:00Z', state: 'proven' },
      { from: '2026-03-01T05:00:00Z', to: '2026-03-01T06:00:00Z', state: 'failed' },
      { from: '2026-03-01T06:00:00Z', to: '2026-03-01T08:00:00Z', state: 'gap' },
      { from: '2026-03-01T08:00:00Z', to: '2026-03-01T20:00:00Z', state: 'inconclusive' },
      { from: '2026-03-01T20:00:00Z', to: '2026-03-02T00:00:00Z', state: 'pending' },
    ],
  },
  {
    ...CHAIN,
    region: 'eu-west-1',
    from: '2026-03-01T00:00:00Z',
    to: '2026-03-02T00:00:00Z',
    digests: 24,
    logs: 12,
    bytes: 4_096,
    coverage: [{ from: '2026-03-01T00:00:00Z', to: '2026-03-02T00:00:00Z', state: 'proven' }],
  },
];

export const FACTS: RunFacts = {
  complete: true,
  requests: { list: 3, get: 120, bytes: 234_567 },
  elapsedMs: 812,
  chains: CHAINS,
};

/** The summary of these findings, and of passes that nobody lists. */
export function summaryOf(findings: readonly Finding[], facts: Partial<RunFacts> = {}, passes = 10): Summary {
  const counts = tally();
  for (const each of findings) counts.add(each);
  for (const chain of facts.chains ?? CHAINS) {
    for (let i = 0; i < passes; i++) {
      counts.count('log-intact', 'pass', chain);
      counts.count('digest-signed', 'pass', chain);
      counts.count('link-linked', 'pass', chain);
    }
    counts.count('coverage-full', 'pass', chain);
  }
  return counts.summary({ ...FACTS, ...facts });
}

export function fold(report: Report, findings: readonly Finding[], summary: Summary, run: RunHeader = RUN): string {
  return [report.start(run), ...findings.map((each) => report.step(each)), report.end(summary)].join('');
}

/** Every format, loaded. */
export const makers = Object.fromEntries(
  await Promise.all(Object.entries(formats).map(async ([name, load]) => [name, await load()])),
) as Record<FormatName, Format>;

export function render(
  format: FormatName,
  findings: readonly Finding[],
  { facts = {}, run = RUN, options = {} }: { facts?: Partial<RunFacts>; run?: RunHeader; options?: FormatOptions } = {},
): string {
  return fold(makers[format](options), findings, summaryOf(findings, facts), run);
}

const REGIONS = [
  'af-south-1',
  'ap-east-1',
  'ap-northeast-1',
  'ap-northeast-2',
  'ap-south-1',
  'ap-southeast-1',
  'ap-southeast-2',
  'ca-central-1',
  'eu-central-1',
  'eu-north-1',
  'eu-west-1',
  'eu-west-2',
  'eu-west-3',
  'sa-east-1',
  'us-east-1',
  'us-east-2',
  'us-west-2',
];

/** A year in 17 Regions: quiet but for an altered log, a gap of three days, a refused month and the pending end. */
export function yearInRegions(): { findings: Finding[]; facts: Partial<RunFacts>; run: RunHeader } {
  const [start, end] = ['2025-03-01T00:00:00Z', '2026-03-01T00:00:00Z'];
  const day = (region: string): ChainFacts['coverage'] => {
    const pending = { from: '2026-02-28T22:00:00Z', to: end, state: 'pending' } as const;
    if (region === 'eu-west-2') {
      return [
        { from: start, to: '2025-06-10T03:00:00Z', state: 'proven' },
        { from: '2025-06-10T03:00:00Z', to: '2025-06-10T04:00:00Z', state: 'failed' },
        { from: '2025-06-10T04:00:00Z', to: '2025-09-01T00:00:00Z', state: 'proven' },
        { from: '2025-09-01T00:00:00Z', to: '2025-09-04T00:00:00Z', state: 'gap' },
        { from: '2025-09-04T00:00:00Z', to: '2026-02-28T22:00:00Z', state: 'proven' },
        pending,
      ];
    }
    if (region === 'sa-east-1') {
      return [
        { from: start, to: '2025-11-01T00:00:00Z', state: 'proven' },
        { from: '2025-11-01T00:00:00Z', to: '2025-12-01T00:00:00Z', state: 'inconclusive' },
        { from: '2025-12-01T00:00:00Z', to: '2026-02-28T22:00:00Z', state: 'proven' },
        pending,
      ];
    }
    return [{ from: start, to: '2026-02-28T22:00:00Z', state: 'proven' }, pending];
  };
  const chain = (region: string) => ({ ...CHAIN, region });
  return {
    run: { ...RUN, window: { start, end }, clock: '2026-03-01T01:00:00Z' },
    facts: {
      chains: REGIONS.map((region) => ({
        ...chain(region),
        from: start,
        to: '2026-02-28T22:00:00Z',
        digests: 8_758,
        logs: 41_000,
        bytes: 1_234_567_890,
        coverage: day(region) ?? [],
      })),
    },
    findings: [
      finding({
        control: 'log-altered',
        severity: 'critical',
        subject: {
          type: 'log',
          ...chain('eu-west-2'),
          bucket: 'logs',
          key: 'AWSLogs/111122223333/CloudTrail/eu-west-2/2025/06/10/x.json.gz',
          hour: '2025-06-10T04:00:00Z',
        },
      }),
      finding({
        control: 'coverage-gap',
        severity: 'high',
        subject: { type: 'chain', ...chain('eu-west-2'), hour: '2025-09-01T00:00:00Z/2025-09-04T00:00:00Z' },
        message: '72 hours are covered by no digest',
        evidence: { hours: 72 },
      }),
      finding({
        control: 'digest-unreadable',
        outcome: 'inconclusive',
        severity: 'medium',
        subject: { type: 'chain', ...chain('sa-east-1'), hour: '2025-11-01T00:00:00Z/2025-12-01T00:00:00Z' },
        message: 'reading was refused: AccessDenied',
        evidence: { code: 'AccessDenied', api: 'GetObject' },
      }),
      posture('LOCK-02', 'fail', 'critical'),
      {
        ...posture('LOCK-03', 'fail', 'critical'),
        message: 'default retention is 200 days, 365 are required',
        evidence: { api: 'GetObjectLockConfiguration', days: 200, required: 365 },
      },
      {
        ...posture('LOCK-03', 'pass', 'critical', 'logs-archive'),
        message: 'default retention is 2,190 days',
        evidence: { api: 'GetObjectLockConfiguration', days: 2_190, required: 365 },
      },
      posture('KEY-01', 'waived', 'medium'),
      posture('POL-01', 'inconclusive', 'medium'),
      posture('TRAIL-02', 'pass'),
      posture('SEL-02', 'not-applicable', 'low'),
    ],
  };
}
