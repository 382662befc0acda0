import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseConfig, problemLine, readConfig } from '../../src/config/load.ts';

const NOW = Date.parse('2026-03-01T12:00:00Z');

function problems(text: string): string[] {
  const loaded = parseConfig(Buffer.from(text), 'trailseal.yaml', NOW);
  return loaded.ok ? [] : loaded.problems.map(problemLine);
}

const WHOLE = `
version: 1
trails: [arn:aws:cloudtrail:eu-west-2:111122223333:trail/runbook-trail]
logBuckets:
  - name: runbook-cloudtrail-logs
    account: "011122223333"
    owner: security@acme.example
    retention: { lock: COMPLIANCE, days: 365, hotDays: 90, keepDays: 395 }
    writers: [cloudtrail.amazonaws.com]
    readers: [arn:aws:iam::111122223333:role/audit-reader]
    admins: [arn:aws:iam::111122223333:role/log-archive-admin]
stateBuckets: [{ name: prod-tfstate-eu-west-2, readers: [deploy-prod] }]
networks: { ci: [203.0.113.0/24, "@github-meta.json#actions"] }
pipelines:
  deploy-prod:
    role: arn:aws:iam::111122223333:role/deploy-prod
    idp: token.actions.githubusercontent.com
    subjects: ["repo:acme/infra:environment:prod"]
    session: "gha-{runId}-{actor}"
    from: [ci]
    hours: { tz: Europe/London, allow: ["Mon-Fri 08:00-18:00"] }
humans: { sso: ["AWSReservedSSO_*"], breakGlass: ["arn:aws:iam::*:role/break-glass"] }
ignore: ["ecs:*", "autoscaling:*", "logs:CreateLogStream"]
verify: { grace: 4h, inventory: full, requireLock: "COMPLIANCE:365", publicKeys: [keys.json] }
outputs: [junit=reports/trailseal.xml, jsonl=-]
failOn: high
checkpoint: s3://audit-state/trailseal
waivers:
  - id: W-12
    rule: after-hours
    match: { runId: "8123456789" }
    reason: CHG-4411 database failover
    acceptedBy: j.doe
    owner: platform
    expires: 2026-12-31
  - id: W-13
    control: LOCK-03
    scope: { bucket: runbook-cloudtrail-logs }
    reason: migration to the 365-day bucket finishes in Q1, CHG-4411
    acceptedBy: j.doe
    owner: platform
    expires: 2026-12-31
`;

describe('a config that is in order', () => {
  it('is read whole', () => {
    const result = parseConfig(Buffer.from(WHOLE), 'trailseal.yaml', NOW);
    if (!result.ok) throw new Error(result.problems.map(problemLine).join('\n'));
    const { config, sha256, locate } = result.loaded;
    expect(config.logBuckets?.[0]?.account).toBe('011122223333');
    expect(config.waivers?.map(({ control }) => control)).toEqual(['after-hours', 'LOCK-03']);
    expect(sha256).toMatch(/^[0-9a-f]{64}$/);
    expect(locate(['logBuckets', 0, 'retention', 'days'])).toEqual({ line: 8, column: 42 });
    expect(locate(['logBuckets', 0, 'region'])).toEqual({ line: 5, column: 5 });
    expect(locate(['nothing'])).toEqual({ line: 1, column: 1 });
  });

  it.each(['', '# only a comment\n', '{}', 'version: 1'])('may say nothing: %j', (text) => {
    expect(problems(text)).toEqual([]);
  });

  it('may name a list once and use it twice', () => {
    const text = `keyAdmins: &people ["arn:aws:iam::111122223333:role/a"]\nkeyReaders: *people\n`;
    expect(problems(text)).toEqual([]);
  });
});

describe('what is wrong is told with line, column, key and the nearest right one', () => {
  it.each([
    ['logBukets: []', ['trailseal.yaml:1:1 logBukets: unknown key; did you mean logBuckets?']],
    [
      'logBuckets:\n  - name: logs-bucket\n    retention:\n      dayz: 365\n',
      ['trailseal.yaml:4:7 logBuckets[0].retention.dayz: unknown key; did you mean days?'],
    ],
    ['humans: { zzzzz: [] }', ['trailseal.yaml:1:11 humans.zzzzz: unknown key; known here: sso, breakGlass']],
    [
      'failOn: hgih',
      ['trailseal.yaml:1:9 failOn: "hgih" is not one of critical, high, medium, low; did you mean high?'],
    ],
    [
      'regime: pcii',
      ['trailseal.yaml:1:9 regime: "pcii" is not one of pci, hipaa, sox, sec17a4, m2131; did you mean pci?'],
    ],
    [
      'regime: [pci, hippa]',
      ['trailseal.yaml:1:15 regime[1]: "hippa" is not one of pci, hipaa, sox, sec17a4, m2131; did you mean hipaa?'],
    ],
    ['logBuckets:\n  - prefix: a\n', ['trailseal.yaml:2:5 logBuckets[0].name: is required']],
    ['failOn:', ['trailseal.yaml:1:8 failOn: expected one of critical, high, medium, low']],
    [
      'verify: { grace: 4 hours }',
      ['trailseal.yaml:1:18 verify.grace: expected a number and a unit: 90s, 50m, 4h, 7d, 2w'],
    ],
    [
      'trails: [arn:aws:s3:::bucket]',
      ['trailseal.yaml:1:10 trails[0]: expected arn:aws:cloudtrail:REGION:ACCOUNT:trail/NAME'],
    ],
    [
      'trails: [{ arn: "arn:aws:cloudtrail:eu-west-2:111122223333:trail/t-1", buckett: x }]',
      ['trailseal.yaml:1:72 trails[0].buckett: unknown key; did you mean bucket?'],
    ],
    ['__proto__: { version: 7 }', [expect.stringMatching(/^trailseal.yaml:1:1 __proto__: unknown key/)]],
    ['constructor: 1', [expect.stringMatching(/^trailseal.yaml:1:1 constructor: unknown key/)]],
    ['verify: { concurrency: 0 }', ['trailseal.yaml:1:24 verify.concurrency: expected at least 1']],
    ['verify: { concurrency: 1.5 }', ['trailseal.yaml:1:24 verify.concurrency: expected a whole number']],
    ['endpointUrl: foo', ['trailseal.yaml:1:14 endpointUrl: expected an http or https address']],
    ['logBuckets: none', ['trailseal.yaml:1:13 logBuckets: expected a list, found text']],
    ['organization: [1]', [expect.stringMatching(/^trailseal.yaml:1:15 organization: expected true/)]],
    ['[1, 2]', ['trailseal.yaml:1:1: expected keys with values, found a list']],
    ['failOn: high\nfailOn: low\n', [expect.stringMatching(/^trailseal.yaml:2:1: Map keys must be unique/)]],
    ['trails: [a, b', [expect.stringMatching(/^trailseal.yaml:1:14: /)]],
    ['version: 1\n---\nversion: 1\n', [expect.stringMatching(/^trailseal.yaml:2:1: .*multiple documents/)]],
    ['failOn: !!js/function "x"', [expect.stringMatching(/^trailseal.yaml:1:9: Unresolved tag/)]],
  ])('%j', (text, expected) => {
    expect(problems(text)).toEqual(expected);
  });

  it('tells several at once, in the order of the file', () => {
    expect(problems('failOnn: high\nlogBuckets:\n  - name: B\n    account: 1\nverify: { grase: 1h }\n')).toEqual([
      'trailseal.yaml:1:1 failOnn: unknown key; did you mean failOn?',
      'trailseal.yaml:3:11 logBuckets[0].name: a bucket name has 3 to 63 of a-z, 0-9, dot and hyphen',
      'trailseal.yaml:4:14 logBuckets[0].account: expected text, found a number',
      'trailseal.yaml:5:11 verify.grase: unknown key; did you mean grace?',
    ]);
  });

  it.each([
    ['111122223333', '111122223333'],
    ['011122223333', '011122223333'],
    ['000022223333', '000022223333'],
  ])('an account id without quotes is refused, not repaired: %s', (written, quoted) => {
    expect(problems(`verify: { accounts: [${written}] }`)).toEqual([
      `trailseal.yaml:1:22 verify.accounts[0]: is read as a number, which loses leading zeros; an account id is text: write "${quoted}"`,
    ]);
  });
});

describe('what contradicts itself', () => {
  const bucket = (retention: string, regime: string): string =>
    `regime: ${regime}\nlogBuckets: [{ name: logs-bucket, retention: ${retention} }]\n`;
  it.each([
    [bucket('{ days: 180 }', 'pci'), 'logBuckets[0].retention.days: is less than the 365 that regime pci asks for'],
    [bucket('{ days: 400 }', 'pci'), null],
    [
      bucket('{ days: 400 }', '[pci, sec17a4]'),
      'logBuckets[0].retention.days: is less than the 2190 that regime pci, sec17a4 asks for',
    ],
    [bucket('{ lock: GOVERNANCE }', 'sec17a4'), 'logBuckets[0].retention.lock: regime sec17a4 asks for COMPLIANCE'],
    [bucket('{ keepDays: 300 }', 'pci'), 'logBuckets[0].retention.keepDays: is less than the 365 days of retention'],
    [bucket('{ hotDays: 366 }', 'pci'), 'logBuckets[0].retention.hotDays: is more than the 365 days of retention'],
    ['logBuckets: [{ name: logs }, { name: logs }]', 'logBuckets[1]: is the same as logBuckets[0]'],
    ['logBuckets: [{ name: logs }, { name: logs, prefix: a }]', null],
  ])('%j', (text, expected) => {
    const told = problems(text).map((line) => line.replace(/^\S+ /, ''));
    expect(told).toEqual(expected === null ? [] : [expected]);
  });
});

describe('waivers', () => {
  const waiver = (change: Record<string, unknown>): string =>
    JSON.stringify({
      waivers: [
        {
          id: 'W-1',
          control: 'LOCK-03',
          scope: { bucket: 'logs' },
          reason: 'r',
          acceptedBy: 'a',
          owner: 'o',
          expires: '2026-12-31',
          ...change,
        },
      ],
    });
  it.each([
    [{}, null],
    [{ id: undefined }, 'waivers[0].id: is required'],
    [{ control: undefined }, 'waivers[0].control: is required'],
    [{ scope: undefined }, 'waivers[0].scope: is required'],
    [{ scope: {} }, 'waivers[0].scope: must name at least one thing: a waiver for everything is no waiver'],
    [{ scope: { bukcet: 'x' } }, 'waivers[0].scope.bukcet: unknown key; did you mean bucket?'],
    [{ reason: undefined }, 'waivers[0].reason: is required'],
    [{ reason: '   ' }, 'waivers[0].reason: must not be empty'],
    [{ acceptedBy: undefined }, 'waivers[0].acceptedBy: is required'],
    [{ owner: undefined }, 'waivers[0].owner: is required'],
    [{ expires: undefined }, 'waivers[0].expires: is required'],
    [{ expires: '2026-02-30' }, 'waivers[0].expires: expected a date: YYYY-MM-DD'],
    [{ expires: '2027-04-05' }, null],
    [{ expires: '2027-04-06' }, 'waivers[0].expires: is more than 400 days ahead'],
    [{ expires: '2020-01-01' }, null],
    [{ control: 'coverage-gap' }, 'waivers[0].control: coverage-gap can never be waived'],
    [{ control: 'digest-signature-invalid' }, 'waivers[0].control: digest-signature-invalid can never be waived'],
    [{ acceptdBy: 'x' }, 'waivers[0].acceptdBy: unknown key; did you mean acceptedBy?'],
  ])('%j → %s', (change, expected) => {
    const told = problems(waiver(change)).map((line) => line.replace(/^\S+ /, ''));
    expect(told).toEqual(expected === null ? [] : [expected]);
  });
});

describe('hostile files', () => {
  it('an alias bomb ends at once', () => {
    const rows = Array.from({ length: 9 }, (_, i) => `l${i + 1}: &l${i + 1} [${`*l${i},`.repeat(9)}]`);
    expect(problems(['l0: &l0 [x]', ...rows].join('\n'))).toEqual([expect.stringContaining('Excessive alias count')]);
  });
  it('deep nesting is refused, not crashed on', () => {
    expect(problems(`ignore: ${'['.repeat(100_000)}`).length).toBeGreaterThan(0);
  });
  it('a large file is refused unread', () => {
    expect(problems(`# ${'x'.repeat(300_000)}`)).toEqual(['trailseal.yaml: is larger than 262144 bytes']);
  });
  it('bytes that are no text are refused', () => {
    const loaded = parseConfig(Uint8Array.of(0x66, 0xff, 0xfe), 'trailseal.yaml', NOW);
    expect(loaded.ok ? [] : loaded.problems.map(problemLine)).toEqual(['trailseal.yaml: is not UTF-8']);
  });
});

it('reads a file, and says so when it cannot', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'trailseal-config-'));
  try {
    const file = join(folder, 'trailseal.yaml');
    await writeFile(file, 'failOn: high\n');
    const loaded = await readConfig(file, NOW);
    expect(loaded.ok && loaded.loaded.config).toEqual({ failOn: 'high' });
    const missing = await readConfig(join(folder, 'absent.yaml'), NOW);
    expect(missing.ok ? [] : missing.problems.map(({ message }) => message)).toEqual(['cannot be read (ENOENT)']);
  } finally {
    await rm(folder, { recursive: true });
  }
});
