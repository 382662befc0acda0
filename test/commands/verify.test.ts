import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { formatTime, HOUR } from '../../src/chain/location.ts';
import { type BuiltTrail, type TrailBuilder, trail } from '../../src/demo/trail.ts';
import { writePublicKeys, writeTrail } from '../../src/demo/write-trail.ts';
import { readJunit } from '../report/junit-reader.ts';
import { type CliResult, type JsonlRun, parseJsonl, runCli } from '../support/run-cli.ts';
import { type S3Server, startS3Server } from '../support/s3-server.ts';
import { serve } from '../support/served-trail.ts';
import { tempDir } from '../support/temp.ts';

let server: S3Server | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

interface Run extends CliResult, JsonlRun {
  readonly junit: string;
}

/** All three formats of one run; the text is what `out` holds. */
async function run(where: readonly string[], built: BuiltTrail, more: readonly string[] = []): Promise<Run> {
  const directory = tempDir();
  const [jsonl, junit] = [join(directory, 'run.jsonl'), join(directory, 'run.xml')];
  const { start, end } = built.range;
  const range = ['--start-time', formatTime(start), '--end-time', formatTime(end), '--now', formatTime(end + 5 * HOUR)];
  const outputs = ['--output', 'text=-', '--output', `jsonl=${jsonl}`, '--output', `junit=${junit}`];
  const result = await runCli(['verify', ...where, ...range, ...outputs, '--quiet', ...more]);
  return { ...result, ...parseJsonl(readFileSync(jsonl, 'utf8')), junit: readFileSync(junit, 'utf8') };
}

function onDisk(built: BuiltTrail, metadata = true): string[] {
  const directory = tempDir();
  writeTrail(join(directory, 'bucket'), built, { metadata });
  writePublicKeys(join(directory, 'keys.json'), built);
  return ['--directory', join(directory, 'bucket'), '--public-keys', join(directory, 'keys.json')];
}

async function onS3(built: BuiltTrail): Promise<string[]> {
  const publicKeys = Object.fromEntries(
    Object.entries(built.publicKeys).map(([region, keys]) => [
      region,
      keys.map((key) => ({
        ...key,
        ValidityStartTime: Date.parse(key.ValidityStartTime) / 1000,
        ValidityEndTime: Date.parse(key.ValidityEndTime) / 1000,
      })),
    ]),
  );
  server = await startS3Server({
    buckets: { [built.bucket]: { objects: Object.fromEntries(built.objects) } },
    publicKeys,
  });
  return ['--s3-bucket', built.bucket, '--endpoint-url', server.url];
}

/** What each format says must be one and the same. */
function expectAgreement({ code, out, summary, findings, junit }: Run): void {
  expect(summary.complete).toBe(true);
  expect(summary.exitCode).toBe(code);
  const word = { 0: 'PROVEN', 1: 'FAILED', 3: 'INCONCLUSIVE' }[code];
  expect(out.split(' ')[0]).toBe(word);
  const cases = readJunit(junit).cases;
  const listed = (outcome: string) => findings.filter((finding) => finding.outcome === outcome);
  expect(listed('fail').length).toBe(summary.outcomes.fail);
  expect(listed('inconclusive').length).toBe(summary.outcomes.inconclusive);
  expect(cases.some(({ outcome }) => outcome === 'failure')).toBe(summary.outcomes.fail > 0);
  expect(cases.some(({ outcome }) => outcome === 'error')).toBe(summary.outcomes.inconclusive > 0);
  for (const { control, subject } of [...listed('fail'), ...listed('inconclusive')]) {
    // The logs of a digest that is not attested are counted.
    if (control !== 'log-unattested') expect(out).toContain(subject.key ?? '');
    expect(junit).toContain(subject.key ?? '');
  }
}

const CASES: readonly [string, (t: TrailBuilder) => TrailBuilder, number, string][] = [
  ['an intact trail', (t) => t, 0, 'coverage-full'],
  ['one altered byte', (t) => t.alterLog(3), 1, 'log-altered'],
  ['one missing log', (t) => t.dropLog(3), 1, 'log-missing'],
  ['one missing digest', (t) => t.dropDigest(3), 1, 'digest-missing'],
  ['three missing digests in a row', (t) => t.dropDigest(1).dropDigest(2).dropDigest(3), 1, 'digest-missing'],
  ['a cut head', (t) => t.cutHead(2), 1, 'coverage-head-missing'],
  ['a cut tail', (t) => t.cutTail(2), 1, 'coverage-tail-stale'],
  ['an empty bucket', (t) => t.dropEverything(), 1, 'coverage-nothing-found'],
  ['a digest signed by a stranger', (t) => t.signByStranger(3), 1, 'digest-signature-invalid'],
  ['an unknown key', (t) => t.forgetKey(5), 3, 'digest-key-unknown'],
];

describe.each([
  ['a directory', (built: BuiltTrail) => Promise.resolve(onDisk(built))],
  ['S3', onS3],
] as const)('verify on %s', (_place, put) => {
  it.each(CASES)('%s', async (_name, change, code, kind) => {
    const built = change(trail()).build();
    const result = await run(await put(built), built);
    expect(result.code).toBe(code);
    expect(result.summary.verdicts).toHaveProperty(kind);
    expectAgreement(result);
  });
});

it('counts each of three missing digests', async () => {
  const built = trail().dropDigest(1).dropDigest(2).dropDigest(3).build();
  const { summary } = await run(onDisk(built), built);
  expect(summary.verdicts['digest-missing']).toBe(3);
});

it('what passed by an odd way is told', async () => {
  const built = trail().unzipLog(2).build();
  const { code, findings, out } = await run(onDisk(built), built);
  expect(code).toBe(0);
  expect(findings).toMatchObject([
    { control: 'log-intact', outcome: 'pass', evidence: { notes: ['stored or served uncompressed'] } },
  ]);
  expect(out).toContain('stored or served uncompressed');
});

it('a plain copy proves all but the newest digest', async () => {
  const built = trail().build();
  const result = await run(onDisk(built, false), built);
  expect(result.code).toBe(3);
  expect(result.summary.verdicts).toEqual({
    'digest-signed': 5,
    'digest-unsigned': 1,
    'link-genesis': 1,
    'link-linked': 4,
    'log-intact': 10,
    'log-unattested': 2,
  });
  expectAgreement(result);
});

describe('a refused read is inconclusive, and only what was refused', () => {
  it.each([
    ['one log', /CloudTrail\/.*T0402/, { 'log-unreadable': 1, 'log-intact': 11 }],
    ['all logs', /\/CloudTrail\//, { 'log-unreadable': 12 }],
    ['one digest', /Digest.*T041742Z/, { 'digest-unreadable': 1, 'digest-signed': 5, 'log-intact': 10 }],
  ] as const)('%s', async (_name, key, verdicts) => {
    const built = trail().build();
    const where = await onS3(built);
    server?.fault({ operation: 'GetObject', key, answer: { status: 403, code: 'AccessDenied' } });
    const result = await run(where, built);
    expect(result.code).toBe(3);
    expect(result.summary.verdicts).toMatchObject(verdicts);
    expectAgreement(result);
  });

  it('listing', async () => {
    const built = trail().build();
    const where = await onS3(built);
    server?.fault({ operation: 'ListObjectsV2', answer: { status: 403, code: 'AccessDenied' } });
    const result = await run(where, built);
    expect(result.code).toBe(3);
    expect(result.summary.verdicts).toEqual({ 'digest-unreadable': 1 });
    expectAgreement(result);
  });

  it('public keys', async () => {
    const built = trail().build();
    const where = await onS3(built);
    server?.fault({ operation: 'ListPublicKeys', answer: { status: 403, code: 'AccessDeniedException' } });
    const result = await run(where, built);
    expect(result.code).toBe(3);
    expect(result.summary.verdicts).toEqual({ 'digest-key-unknown': 6, 'log-unattested': 12 });
    expect(result.findings[0]?.message).toContain('AccessDenied');
  });
});

it.each([
  ['is no listing', { status: 200, body: '<html><body>busy</body></html>' }],
  ['is empty', { status: 200, body: '' }],
  [
    'breaks off without saying where to go on',
    { status: 200, body: '<ListBucketResult><IsTruncated>true</IsTruncated></ListBucketResult>' },
  ],
])('a listing whose answer %s is not the end of the bucket', async (_name, answer) => {
  const built = trail().build();
  const where = await onS3(built);
  server?.fault({ operation: 'ListObjectsV2', answer });
  const result = await run(where, built);
  expect(result.code).toBe(3);
  expect(result.summary.outcomes.fail).toBe(0);
});

it('a part that nobody asked for is not the object', async () => {
  const built = trail().build();
  const where = await onS3(built);
  server?.fault({ operation: 'GetObject', key: /CloudTrail\/.*T0402/, answer: { status: 204, body: '' } });
  const result = await run(where, built);
  expect(result.summary.verdicts).toMatchObject({ 'log-error': 1, 'log-intact': 11 });
  expect(result.code).toBe(3);
});

it('the first line is said of what is proven, not of what is still due', async () => {
  const built = trail().build();
  const end = formatTime(built.range.end + 2 * HOUR);
  const range = ['--start-time', formatTime(built.range.start), '--end-time', end, '--now', end, '--quiet'];
  const { code, out } = await runCli(['verify', ...onDisk(built), ...range]);
  expect(code).toBe(0);
  expect(out.split('\n')[0]).toContain(`${formatTime(built.range.end)} (digests after it are still due)`);
  expect(out.split('\n')[0]).not.toContain(end);
});

it('a key whose validity is no span of time is told, and ends nothing', async () => {
  const built = trail().build();
  const where = onDisk(built);
  const file = where.at(-1) ?? '';
  const keys = JSON.parse(readFileSync(file, 'utf8'));
  keys['us-east-1'][0].ValidityStartTime = 1e30;
  writeFileSync(file, JSON.stringify(keys));
  const { code, findings } = await run(where, built);
  expect(code).toBe(3);
  expect(findings[0]?.message).toContain('no span of time');
});

it('prints no password of an endpoint, nor keeps it in the evidence', async () => {
  const built = trail().build();
  const [, bucket = '', , url = ''] = await onS3(built);
  const evidence = join(tempDir(), 'evidence');
  const { out, run: head } = await run(
    ['--s3-bucket', bucket, '--endpoint-url', url.replace('//', '//me:s3cret@'), '--evidence', evidence],
    built,
  );
  const manifest = readFileSync(join(evidence, 'evidence.json'), 'utf8');
  expect(manifest).toContain('endpointUrl');
  expect(JSON.stringify(head) + out + manifest).not.toContain('s3cret');
});

it('a trail is found by its ARN', async () => {
  const built = trail({ prefix: 'audit/logs', region: 'eu-west-1' }).build();
  await onS3(built);
  const arn = 'arn:aws:cloudtrail:eu-west-1:123456789012:trail/audit';
  const trails = [
    {
      Name: 'audit',
      TrailARN: arn,
      S3BucketName: built.bucket,
      S3KeyPrefix: 'audit/logs',
      HomeRegion: 'eu-west-1',
      IsMultiRegionTrail: true,
      IsOrganizationTrail: false,
      LogFileValidationEnabled: true,
    },
  ];
  const publicKeys = {
    'eu-west-1':
      built.publicKeys['eu-west-1']?.map((key) => ({ ...key, ValidityStartTime: 0, ValidityEndTime: 4e9 })) ?? [],
  };
  await server?.close();
  server = await startS3Server({
    buckets: { [built.bucket]: { objects: Object.fromEntries(built.objects) } },
    publicKeys,
    trails,
  });
  const result = await run(['--trail-arn', arn, '--endpoint-url', server.url], built);
  expect(result.err).toBe('');
  expect(result.code).toBe(0);
  expect(result.summary.chains).toMatchObject([{ trail: 'audit', digests: 6, logs: 12 }]);
});

it('a range of which every digest is only due is inconclusive, and says how to ask', async () => {
  const built = trail().build();
  const { verify } = await serve(built);
  const now = built.range.end + 80 * 60_000;
  const when = ['--start-time', formatTime(now - HOUR), '--end-time', formatTime(now), '--now', formatTime(now)];
  const { code, findings } = await verify(...when);
  expect(code).toBe(3);
  expect(findings).toMatchObject([{ control: 'coverage-due', outcome: 'inconclusive' }]);
  expect(findings[0]?.remedy).toContain('--since 6h');
});

describe('a trail of all Regions that was named by its ARN', () => {
  const built = trail().build();
  const trails = [
    {
      Name: 'audit',
      TrailARN: 'arn:aws:cloudtrail:us-east-1:123456789012:trail/audit',
      S3BucketName: built.bucket,
      HomeRegion: 'us-east-1',
      IsMultiRegionTrail: true,
      IsOrganizationTrail: false,
      LogFileValidationEnabled: true,
    },
  ];
  const named = ['--trail-arn', 'arn:aws:cloudtrail:us-east-1:123456789012:trail/audit'];

  it('is held against the Regions that every account has', async () => {
    const { verify } = await serve(built, { trails, regions: ['us-east-1', 'us-west-2'] });
    const { code, findings } = await verify(...named);
    expect(code).toBe(3);
    expect(findings).toMatchObject([
      { control: 'coverage-unseen', outcome: 'inconclusive', subject: { region: 'us-west-2', trail: 'audit' } },
    ]);
  });

  it('is proven without knowing them, and a note says what that costs', async () => {
    const { server: store } = await serve(built, { trails, regions: 'refused' });
    const { code, err } = await runCli([
      ...['verify', ...named, '--endpoint-url', store.url, '--output', 'jsonl=-'],
      ...['--start-time', formatTime(built.range.start), '--end-time', formatTime(built.range.end)],
      ...['--now', formatTime(built.range.end + HOUR)],
    ]);
    expect(code).toBe(0);
    expect(err).toContain('account:ListRegions said AccessDeniedException');
  });
});

it('metadata beside a copy that are none are a usage error', async () => {
  const copy = tempDir();
  mkdirSync(join(copy, '.trailseal'));
  writeFileSync(join(copy, '.trailseal', 'metadata.jsonl'), 'hello\n');
  const keys = join(copy, 'keys.json');
  writePublicKeys(keys, trail().build());
  const { code, err } = await runCli(['verify', '--directory', copy, '--public-keys', keys]);
  expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining('metadata.jsonl') });
  expect(err).not.toContain('internal error');
});

it.each([
  ['an unknown option', ['verify', '--directry', 'x'], 'did you mean --directory?'],
  ['an unknown command', ['verfy'], 'did you mean verify?'],
  ['no command', [], ''],
  ['an option without its value', ['verify', '--grace'], 'Not enough arguments following: grace'],
  ['a value that is not among the choices', ['verify', '--inventory', 'some'], 'Choices'],
  [
    'a directory that is not there',
    ['verify', '--directory', 'no/such', '--public-keys', 'KEYS'],
    'there is no such directory',
  ],
  ['a directory without keys', ['verify', '--directory', '.'], '--public-keys'],
  [
    'a key file that is none',
    ['verify', '--directory', '.', '--public-keys', 'package.json'],
    '--public-keys package.json',
  ],
  [
    'an option given twice',
    ['verify', '--directory', '.', '--now', '2026-01-01', '--now', '2026-01-02'],
    '--now is given more than once',
  ],
  [
    'a directory for a report',
    ['verify', '--directory', '.', '--public-keys', 'KEYS', '--output', 'junit=.'],
    'is a directory',
  ],
  [
    'one file for two reports',
    ['verify', '--directory', '.', '--public-keys', 'KEYS', '--output', 'junit=x', '--output', 'csv=x'],
    'two reports cannot be written to x',
  ],
  ['two places', ['verify', '--directory', '.', '--s3-bucket', 'b'], 'not both'],
  ['no place', ['verify'], 'say what to prove'],
  [
    'a range upside down',
    ['verify', '--s3-bucket', 'b', '--start-time', '2026-02-01', '--end-time', '2026-01-01'],
    'empty',
  ],
  ['a time that is none', ['verify', '--s3-bucket', 'b', '--start-time', '2026-02-31'], '--start-time 2026-02-31'],
  ['an ARN that is none', ['verify', '--trail-arn', 'foo:bar:baz'], '--trail-arn foo:bar:baz'],
  [
    'a format that is none',
    ['verify', '--directory', '.', '--public-keys', 'KEYS', '--output', 'junti=x'],
    'did you mean junit?',
  ],
])('%s exits with 2', async (_name, argv, message) => {
  const keys = join(tempDir(), 'keys.json');
  writeFileSync(keys, '{}');
  const { code, err } = await runCli(argv.map((word) => (word === 'KEYS' ? keys : word)));
  expect(code).toBe(2);
  expect(err).toContain(message);
});

it('a report stands under its name only when it is whole', async () => {
  const built = trail().build();
  const where = await onS3(built);
  const path = join(tempDir(), 'report.xml');
  const stop = new AbortController();
  stop.abort('SIGTERM');
  const { start, end } = built.range;
  const range = ['--start-time', formatTime(start), '--end-time', formatTime(end)];
  const { code, out } = await runCli(
    ['verify', ...where, ...range, '--output', `junit=${path}`, '--output', 'jsonl=-', '--quiet'],
    { interrupt: stop.signal },
  );
  expect(code).toBe(143);
  expect(parseJsonl(out).summary).toMatchObject({ complete: false, exitCode: 143, verdicts: { 'run-interrupted': 1 } });
  expect(readJunit(readFileSync(path, 'utf8')).cases.find(({ name }) => name === 'run.completed')?.outcome).toBe(
    'error',
  );
});
