import { createHash } from 'node:crypto';
import { gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { digestKey, HOUR } from '../../src/chain/location.ts';
import { type BuiltTrail, trail } from '../../src/demo/trail.ts';
import { serve, servedKeys } from '../support/served-trail.ts';
import { countKinds, judge, requestFor, sourceOf, stepsOf, verdictsOf } from '../support/verify-trail.ts';

/** Six hours with two logs each. */
const INTACT = { 'digest-signed': 6, 'link-linked': 5, 'link-genesis': 1, 'log-intact': 12, 'coverage-full': 1 };
const DAY = 24 * HOUR;
const { chain } = trail().hours(1).build();
const FOLDER = 'AWSLogs/123456789012/CloudTrail-Digest/us-east-1/2026/03/01/';
const NAME = '123456789012_CloudTrail-Digest_us-east-1_audit_us-east-1_';

describe('deleting', () => {
  it('all but one hour of thirty days', async () => {
    const built = trail().hours(1).build();
    const range = { start: built.range.start - 20 * DAY, end: built.range.end + 10 * DAY };
    expect(await judge(built, { range, now: range.end })).toEqual({
      'digest-signed': 1,
      'link-genesis': 1,
      'log-intact': 2,
      'coverage-head-missing': 1,
      'coverage-tail-stale': 1,
    });
  });

  it('every hourly digest, with backfill digests left', async () => {
    const built = trail({ backfill: true }).build();
    expect(await judge(built)).toMatchObject({ 'coverage-nothing-found': 1, 'digest-signed': 6 });
  });
});

describe('altering', () => {
  it('a payload in the gzip header of a log is a note', async () => {
    const verdicts = await verdictsOf(requestFor(trail().hideInLogHeader(3).build()));
    expect(countKinds(verdicts)).toEqual(INTACT);
    const noted = verdicts.flatMap((v) => (v.kind === 'log-intact' ? v.facts.notes : []));
    expect(noted).toEqual(['the gzip header carries a comment of 7 bytes']);
  });

  it.each([1, 4, 8, 9])('%i bytes off the end of a log', async (bytes) => {
    const counts = await judge(trail().cutLog(3, 0, bytes).build());
    expect(counts).toMatchObject({ 'log-malformed': 1, 'log-intact': 11 });
  });

  it('a digest that is a gzip bomb', { timeout: 120_000 }, async () => {
    const counts = await judge(
      trail()
        .replaceDigest(3, Buffer.alloc(257 * 1024 * 1024))
        .build(),
    );
    expect(counts).toMatchObject({ 'digest-malformed': 1, 'digest-signed': 5 });
  });
});

it('a window full of gzip bombs fits in memory', { timeout: 120_000 }, async () => {
  const bomb = Buffer.alloc(40 * 1024 * 1024);
  const hours = 12;
  let builder = trail().hours(hours).logs(0);
  for (let hour = 0; hour < hours; hour++) builder = builder.replaceDigest(hour, bomb);
  const built = builder.build();
  const before = process.memoryUsage().arrayBuffers;
  let most = 0;
  const watch = setInterval(() => {
    most = Math.max(most, process.memoryUsage().arrayBuffers - before);
  }, 5);
  const counts = await judge(built, { concurrency: 64 });
  clearInterval(watch);
  expect(counts).toMatchObject({ 'digest-malformed': hours });
  expect(most).toBeLessThan(6 * bomb.length);
});

describe('adding', () => {
  const body =
    trail()
      .build()
      .objects.get(digestKey(chain, chain ? trail().build().range.start + HOUR : 0))?.body ?? '';
  const add = (key: string) => judge(trail().addObject(key, body).build());

  it.each([
    ['far in the future', `${FOLDER}${NAME}29990101T000000Z.json.gz`],
    ['far in the past', `${FOLDER}${NAME}19700101T000000Z.json.gz`],
    ['in the future, in a folder of that day', digestKey(chain, Date.UTC(2999, 0, 1))],
  ])('a digest name with a date %s', async (_name, key) => {
    const built = trail().addObject(key, body).build();
    expect(await judge(built, { now: built.range.end })).toEqual({ ...INTACT, 'object-foreign': 1 });
  });

  it('a digest name with a date in the past, in a folder of that day, when everything is asked for', async () => {
    const built = trail()
      .addObject(digestKey(chain, Date.UTC(2014, 0, 1)), body)
      .build();
    const counts = await judge(built, { range: { start: null, end: built.range.end } });
    expect(counts).toMatchObject({ 'digest-misplaced': 1, 'digest-signed': 6 });
  });

  it('a digest name with a date before CloudTrail was: no hour since then is missed', async () => {
    const built = trail()
      .cutHead(1)
      .addObject(digestKey(chain, Date.UTC(1990, 0, 1)), body)
      .build();
    const counts = await judge(built, { range: { start: null, end: built.range.end } });
    expect(counts).toMatchObject({ 'object-foreign': 1, 'digest-missing': 1, 'digest-signed': 5 });
  });

  it('an object of another account in our digest tree', async () => {
    const key = `${FOLDER}${NAME.replace(/^\d{12}/, '999999999999')}20260301T051742Z.json.gz`;
    expect(await add(key)).toEqual({ ...INTACT, 'object-foreign': 1 });
  });

  it.each([
    ['in the past', '2026/03/01', '20250220T0317Z'],
    ['in the future', '2026/03/01', '20990220T0317Z'],
    ['two days before', '2026/03/01', '20260227T2359Z'],
    ['two days after', '2026/03/01', '20260303T0000Z'],
    ['that is none', '2026/02/30', '20260301T0317Z'],
  ])('a log file in the folder of a day whose name says one %s', async (_when, day, time) => {
    const key = `AWSLogs/123456789012/CloudTrail/us-east-1/${day}/123456789012_CloudTrail_us-east-1_${time}_abcdefghijklmnop.json.gz`;
    expect(await add(key)).toEqual({ ...INTACT, 'object-foreign': 1 });
  });

  it('log files of another account, without digests', async () => {
    const key =
      'AWSLogs/999999999999/CloudTrail/us-east-1/2026/03/01/999999999999_CloudTrail_us-east-1_20260301T0505Z_abcdefghijklmnop.json.gz';
    expect(await add(key)).toEqual({ ...INTACT, 'coverage-nothing-found': 1 });
  });

  const HOSTILE = [
    ['control characters', 'x\u001b[2J\u0007\r\n::error::y.json.gz'],
    ['a way out', '../../../etc/passwd'],
    ['percent signs', '%2e%2e%2f%00.json.gz'],
    ['a thousand letters', 'x'.repeat(1000)],
    ['a direction that is changed', 'a\u202egz.nosj'],
  ] as const;
  describe.each([
    ['the digest tree', FOLDER],
    ['the log tree', FOLDER.replace('-Digest', '')],
  ])('%s', (_name, folder) => {
    it.each(HOSTILE)('a key with %s', async (_what, name) => {
      expect(await add(folder + name)).toEqual({ ...INTACT, 'object-foreign': 1 });
    });
  });

  it.each(HOSTILE)('a key with %s does nothing to a terminal', async (_what, name) => {
    const { verify: run } = await serve(
      trail()
        .hours(1)
        .addObject(FOLDER + name, 'x')
        .build(),
    );
    const { code, out } = await run();
    expect(code).toBe(1);
    expect(out.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}]/u);
  });
});

describe('links', () => {
  it('a chain that forks: both successors cannot be right', async () => {
    const counts = await judge(trail().forkChain(3).build());
    expect(counts).toMatchObject({ 'digest-signed': 7 });
    expect((counts['link-broken'] ?? 0) + (counts['link-discontinuous'] ?? 0)).toBeGreaterThan(0);
  });

  it('the signature of the predecessor differs from the one that its successor attests', async () => {
    const verdicts = await verdictsOf(requestFor(trail().swapSignature(3, 1).build()));
    expect(verdicts.find(({ kind }) => kind === 'link-broken')?.facts).toMatchObject({ what: 'signature' });
  });
});

describe('meta', () => {
  it('a digest of another Region in the place of ours', async () => {
    const other = trail({ region: 'eu-west-1', homeRegion: 'us-east-1' }).build();
    const ours = trail().build();
    const stolen = other.objects.get(other.digests[3]?.key ?? '');
    if (stolen) ours.objects.set(ours.digests[3]?.key ?? '', stolen);
    expect(await judge(ours)).toMatchObject({ 'digest-misplaced': 1, 'digest-signed': 5 });
  });

  const log = (built: BuiltTrail, change: object = {}) => ({
    s3Bucket: built.bucket,
    s3Object: built.digests[3]?.logs[0],
    hashValue: '0'.repeat(64),
    hashAlgorithm: 'SHA-256',
    ...change,
  });

  it('logFiles is absent', async () => {
    expect(await judge(trail().writeDigest(3, { logFiles: undefined }).build())).toMatchObject({
      'digest-malformed': 1,
    });
  });

  it('a log named twice', async () => {
    const built = trail().build();
    const digest = JSON.parse(String(gunzipSync(built.objects.get(built.digests[3]?.key ?? '')?.body ?? '')));
    const logFiles = [...digest.logFiles, digest.logFiles[0]];
    expect(await judge(trail().writeDigest(3, { logFiles }).build())).toEqual({ ...INTACT, 'log-intact': 13 });
  });

  it('a log in another bucket', async () => {
    const logFiles = [log(trail().build(), { s3Bucket: 'elsewhere' })];
    expect(await judge(trail().writeDigest(3, { logFiles }).build())).toMatchObject({
      'log-missing': 1,
      'log-intact': 10,
    });
  });

  it('100,000 logs', { timeout: 120_000 }, async () => {
    const built = trail().build();
    const logFiles = Array.from({ length: 100_000 }, (_, i) => log(built, { s3Object: `gone/${i}` }));
    const counts = await judge(trail().writeDigest(5, { logFiles }).build(), { inventory: 'off' });
    expect(counts).toMatchObject({ 'log-missing': 100_000, 'digest-signed': 6 });
  });

  it.each([
    'awsAccountId',
    'digestStartTime',
    'digestS3Bucket',
    'digestS3Object',
    'digestPublicKeyFingerprint',
    'previousDigestHashValue',
  ])('a number in %s', async (field) => {
    const content = JSON.stringify({ ...JSON.parse(JSON.stringify(log(trail().build()))), [field]: 7 });
    expect(await judge(trail().replaceDigest(3, content).build())).toMatchObject({ 'digest-malformed': 1 });
  });
});

describe('keys', () => {
  it('a signature outside the validity of its key is told, not failed', async () => {
    const built = trail().build();
    const keys =
      built.publicKeys['us-east-1']?.map((key) => ({ ...key, ValidityEndTime: '2026-02-25T00:00:00Z' })) ?? [];
    const verdicts = await verdictsOf(requestFor({ ...built, publicKeys: { 'us-east-1': keys } }));
    expect(countKinds(verdicts)).toEqual(INTACT);
    const notes = verdicts.flatMap((v) => (v.kind === 'digest-signed' ? v.facts.notes : []));
    expect(notes).toHaveLength(6);
    expect(notes[0]).toContain('signed outside the validity of key');
  });

  it.each([
    ['refused', { status: 400, code: 'AccessDeniedException' }],
    ['in a Region that is not enabled', { status: 400, code: 'UnrecognizedClientException' }],
  ])('ListPublicKeys %s', async (_name, answer) => {
    const { server, verify: run } = await serve(trail().hours(2).build());
    server.fault({ operation: 'ListPublicKeys', answer });
    const { code, summary } = await run();
    expect([code, summary.verdicts]).toEqual([3, { 'digest-key-unknown': 2, 'log-unattested': 4 }]);
  });

  it('ListPublicKeys in pages', async () => {
    const built = trail().hours(2).build();
    const [key] = servedKeys(built.publicKeys)['us-east-1'] ?? [];
    if (!key) throw new Error('no key');
    const others = ['0', '1', '2'].map((digit) => ({ ...key, Fingerprint: digit.repeat(32) }));
    const { verify: run } = await serve(built, { publicKeys: { 'us-east-1': [...others, key] }, keyPage: 1 });
    expect((await run()).code).toBe(0);
  });
});

describe('reading', () => {
  it.each([
    [
      'KMS denied',
      { status: 403, code: 'AccessDenied', message: 'not authorized to perform: kms:Decrypt' },
      'log-unreadable',
    ],
    ['a disabled KMS key', { status: 400, code: 'KMS.DisabledException' }, 'log-unreadable'],
    ['an archived log', { status: 403, code: 'InvalidObjectState' }, 'log-archived'],
    ['a store that knows no better', { status: 400, code: 'SomethingNew' }, 'log-error'],
    ['a log that is not there', { status: 404, code: 'NoSuchKey' }, 'log-missing'],
  ] as const)('%s', async (_name, answer, kind) => {
    const { server, verify: run } = await serve(trail().hours(2).logs(1).build());
    server.fault({ operation: 'GetObject', key: /_20260301T0047Z_/, answer });
    const { code, summary } = await run();
    expect(summary.verdicts).toMatchObject({ [kind]: 1, 'log-intact': 1, 'digest-signed': 2 });
    expect(code).toBe(kind === 'log-missing' ? 1 : 3);
  });
});

describe('a store that lists', () => {
  const altered = () => trail().addLog(3).hours(4).build();
  const counts = { 'digest-signed': 4, 'link-linked': 3, 'link-genesis': 1, 'log-intact': 8, 'coverage-full': 1 };

  it.each([1000, 3])('each entry twice counts it once (%i a page)', async (pageSize) => {
    const { verify: run } = await serve(altered(), { disorder: 'twice', pageSize });
    const { code, summary } = await run('--verbose');
    expect([code, summary.verdicts]).toEqual([1, { ...counts, 'object-undigested': 1 }]);
  });

  it.each([1000, 3])(
    'keys out of their order has trouble, and nothing is proven or gone (%i a page)',
    async (pageSize) => {
      const { verify: run } = await serve(trail().hours(4).build(), { disorder: 'backwards', pageSize });
      const { code, summary, findings } = await run();
      expect(code).toBe(3);
      expect(summary.outcomes.fail).toBe(0);
      expect(findings.map(({ message }) => message).join()).toContain('out of their order (NotInOrder)');
    },
  );
});

describe('scale', () => {
  it('what is in flight depends on the concurrency, not on the range', { timeout: 120_000 }, async () => {
    const built = trail().hours(300).logs(1).build();
    const source = sourceOf(built);
    const concurrency = 4;
    let most = 0;
    let done = 0;
    const request = { ...requestFor(built, source), concurrency };
    for await (const step of stepsOf(request)) {
      if (step.type === 'verdict' && /^(digest-signed|log-intact)$/.test(step.verdict.kind)) done++;
      most = Math.max(most, source.opened.length - done);
    }
    expect(done).toBe(600);
    expect(most).toBeLessThanOrEqual(8 * concurrency);
  });

  it('a log of 100 MB', { timeout: 120_000 }, async () => {
    const built = trail().build();
    const content = Buffer.alloc(100 * 1024 * 1024, '{"eventName":"PutObject"},');
    const key = built.digests[5]?.logs[0] ?? '';
    const logFiles = [
      {
        s3Bucket: built.bucket,
        s3Object: key,
        hashValue: createHash('sha256').update(content).digest('hex'),
        hashAlgorithm: 'SHA-256',
      },
    ];
    const large = trail().writeDigest(5, { logFiles }).build();
    large.objects.set(key, { body: gzipSync(content, { level: 1 }), metadata: {}, lastModified: 0 });
    expect(await judge(large, { inventory: 'off' })).toEqual({ ...INTACT, 'log-intact': 11 });
  });
});
