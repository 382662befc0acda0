import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { formatTime, HOUR } from '../../src/chain/location.ts';
import { sharedBucket } from '../../src/demo/shared-bucket.ts';
import { type TrailBuilder, trail } from '../../src/demo/trail.ts';
import { runCli } from '../support/run-cli.ts';
import { serve } from '../support/served-trail.ts';

/** Spec "conformance", 2.8: what the command prints and how it exits. */

const hours = (count: number): TrailBuilder => trail().hours(count).logs(1);
const backfill = (count: number): TrailBuilder => trail({ backfill: true }).hours(count).logs(1);

async function judged(builder: TrailBuilder, ...argv: string[]) {
  const { verify } = await serve(builder.build());
  const { code, summary } = await verify(...argv);
  return { code, ...summary.verdicts };
}

it('63: nothing is asked of AWS before the options are understood', async () => {
  const { server } = await serve(hours(1).build());
  const { code } = await runCli(['verify', '--s3-bucket', 'b', '--start-time', 'foo', '--endpoint-url', server.url]);
  expect([code, server.requests]).toEqual([2, []]);
});

// Differs on purpose: the endpoint serves S3 as well, so that S3-compatible stores can be proven.
it('64: --endpoint-url is for CloudTrail and S3', async () => {
  const { server, verify } = await serve(hours(2).build());
  expect((await verify()).code).toBe(0);
  expect(server.count('ListPublicKeys')).toBe(1);
  expect(server.count('GetObject')).toBe(4);
});

it('65: the end is now unless it is given', async () => {
  const built = hours(2).build();
  const { server } = await serve(built);
  const now = formatTime(built.range.end + HOUR);
  const argv = ['--start-time', formatTime(built.range.start), '--now', now, '--endpoint-url', server.url];
  const { out } = await runCli(['verify', '--s3-bucket', built.bucket, ...argv, '--output', 'jsonl=-']);
  expect(JSON.parse(out.split('\n')[0] ?? '')).toMatchObject({ window: { end: now } });
});

describe('the Region of the bucket', () => {
  const built = hours(2).build();
  const objects = Object.fromEntries(built.objects);
  it.each(['66: us-east-1', '67: us-west-2', 'eu-central-2'])('%s', async (title) => {
    const region = title.replace(/^\d+: /, '');
    const { server, verify } = await serve(built, { buckets: { [built.bucket]: { region, objects } } });
    expect((await verify()).code).toBe(0);
    // Differs on purpose: GetBucketLocation is refused to readers in other accounts; HeadBucket is not.
    expect(server.count('GetBucketLocation')).toBe(0);
  });

  it('68, 69: is found out once, and one client reads everything', async () => {
    const { server, verify } = await serve(built, { buckets: { [built.bucket]: { region: 'us-west-2', objects } } });
    await verify();
    const asked = server.requests.filter(({ bucket, region }) => bucket !== '' && region !== 'us-west-2');
    expect(asked.length).toBeLessThanOrEqual(1);
    expect(server.count('HeadBucket')).toBeLessThanOrEqual(2);
  });
});

it('70: a run leaves no handler behind', async () => {
  const { verify } = await serve(hours(1).build());
  const handlers = () => ['SIGINT', 'SIGTERM', 'uncaughtException', 'exit'].map((name) => process.listenerCount(name));
  await verify();
  const before = handlers();
  await verify();
  expect(handlers()).toEqual(before);
});

it('71: --verbose lists every digest and log', async () => {
  const { verify } = await serve(sharedBucket(hours(2).build(), backfill(2).build()));
  const { code, findings, summary } = await verify('--verbose');
  const listed = findings.filter(({ control }) => /^(digest-signed|log-intact)$/.test(control));
  expect([code, listed.length, new Set(listed.map(({ subject }) => subject.key)).size]).toEqual([0, 8, 8]);
  expect(summary.verdicts).toMatchObject({ 'digest-signed': 4, 'log-intact': 4 });
});

it('72: digests without logs', async () => {
  expect(await judged(trail().hours(2).logs(0), '--verbose')).toMatchObject({ code: 0, 'digest-signed': 2 });
});

it('73: digests that are listed, and gone when they are read', async () => {
  const built = sharedBucket(hours(4).build(), backfill(4).build());
  const { server, verify } = await serve(built);
  const gone = /_20260301T0[24]1742Z(_backfill)?\.json\.gz$/;
  server.fault({ operation: 'GetObject', key: gone, answer: { status: 404, code: 'NoSuchKey' } });
  const { code, summary } = await verify();
  expect([code, summary.verdicts['digest-missing'], summary.verdicts['digest-signed']]).toEqual([1, 4, 4]);
});

// Differs on purpose: an hour that no digest covers is an hour in which nothing is proven, so 1 and not 0.
it('74: a gap', async () => {
  const built = hours(2).stopAt(0).build();
  const { verify } = await serve(built);
  const { code, findings } = await verify();
  const [first, second] = built.digests.map(({ start, end }) => [formatTime(start), formatTime(end)]);
  const gap = findings.find(({ control }) => control === 'coverage-gap');
  expect([code, gap?.evidence]).toMatchObject([1, { from: first?.[1], to: second?.[0] }]);
});

it('75: gap, invalid, link', async () => {
  const counts = { code: 1, 'digest-signed': 2, 'digest-signature-invalid': 1 };
  expect(await judged(hours(3).editDigest(1))).toMatchObject(counts);
});

it('76: what was asked for, and what was found', async () => {
  const built = hours(3).build();
  const { verify } = await serve(built);
  const [start, end] = [built.range.start - 2 * HOUR, built.range.end + 2 * HOUR].map(formatTime);
  const { window, summary } = await verify('--start-time', start ?? '', '--end-time', end ?? '');
  expect(window).toEqual({ start, end });
  expect(summary.chains).toMatchObject([{ from: formatTime(built.range.start), to: formatTime(built.range.end) }]);
});

// Differs on purpose: nothing found is nothing proven, so 1 and not 0.
it.each([
  ['77: an empty bucket', (t: TrailBuilder) => t.dropEverything(), []],
  ['78: no digest in the range', (t: TrailBuilder) => t, ['--start-time', '2026-05-01', '--end-time', '2026-05-02']],
])('%s', async (_title, change, argv) => {
  expect(await judged(change(hours(2)), ...argv)).toEqual({ code: 1, 'coverage-nothing-found': 1 });
});

it('79: invalid digests only', async () => {
  const { verify } = await serve(hours(2).editDigest(0).editDigest(1).build());
  const { code, summary } = await verify();
  expect([code, summary.verdicts['digest-signature-invalid'], summary.verdicts['digest-signed']]).toEqual([
    1,
    2,
    undefined,
  ]);
  expect(summary.chains).toMatchObject([{ from: null, to: null }]);
});

it('80: the hash of a log differs', async () => {
  expect(await judged(hours(2).alterLog(1))).toMatchObject({ code: 1, 'log-altered': 1, 'log-intact': 1 });
});

describe('81: more than one gzip member', () => {
  const second = gzipSync('{"Records":[]}');
  it.each<[string, TrailBuilder, Record<string, number>]>([
    ['of a log', hours(2).appendToLog(1, 0, second), { 'log-malformed': 1, 'digest-signed': 2 }],
    // Differs on purpose: the reference looks at logs only.
    ['of a digest', hours(2).appendToDigest(1, second), { 'digest-malformed': 1, 'digest-signed': 1 }],
    ['or a cut trailer', hours(2).cutLog(1), { 'log-malformed': 1, 'digest-signed': 2 }],
  ])('%s', async (_title, builder, expected) => {
    expect(await judged(builder)).toMatchObject({ code: 1, ...expected });
  });
});

it('82: three digests and three logs, hourly and backfill', async () => {
  const { verify } = await serve(sharedBucket(hours(3).build(), backfill(3).build()));
  const { code, summary } = await verify();
  expect([code, summary.verdicts['digest-signed'], summary.verdicts['log-intact']]).toEqual([0, 6, 6]);
});

// Differs on purpose: 2 for every mistake in the options, as nothing was judged.
it('83: a range upside down', async () => {
  const argv = ['verify', '--s3-bucket', 'b', '--start-time', '2026-03-02', '--end-time', '2026-03-01'];
  expect(await runCli(argv)).toMatchObject({
    code: 2,
    out: '',
    err: expect.stringContaining('its start must lie before its end'),
  });
});

describe('84: a digest that names another bucket', () => {
  it('is misplaced', async () => {
    const counts = { code: 1, 'digest-misplaced': 1, 'digest-signed': 2 };
    expect(await judged(hours(3).writeDigest(1, { digestS3Bucket: 'elsewhere' }))).toMatchObject(counts);
  });

  // Differs on purpose: a copy can be proven by whoever says what it is a copy of.
  it('is in its place in a copy of that bucket', async () => {
    const built = hours(3).build();
    const objects = Object.fromEntries([...built.objects].map(([key, object]) => [`copy/${key}`, object]));
    const { verify } = await serve(built, { buckets: { copies: { objects } } });
    const from = ['--relocated-from', `s3://${built.bucket}`, '--s3-bucket', 'copies', '--s3-prefix', 'copy'];
    expect(await verify(...from)).toMatchObject({
      code: 0,
      summary: { verdicts: { 'digest-signed': 3, 'log-intact': 3 } },
    });
    expect(await verify(...from.slice(2))).toMatchObject({ code: 1, summary: { verdicts: { 'digest-misplaced': 3 } } });
  });
});

it('85: a digest of {}', async () => {
  expect(await judged(hours(2).replaceDigest(1, '{}'))).toMatchObject({ code: 1, 'digest-malformed': 1 });
});

// Differs on purpose: a plain copy is not an altered trail.
it('86: no metadata', async () => {
  const counts = { code: 3, 'digest-signed': 2, 'digest-unsigned': 1, 'log-unattested': 1 };
  expect(await judged(hours(3).stripMetadata())).toMatchObject(counts);
});

describe('hourly and backfill digests', () => {
  const start = trail().build().range.start;
  const at = (hour: number, builder: Parameters<typeof trail>[0], count: number) =>
    trail({ ...builder, start: start + hour * HOUR })
      .hours(count)
      .logs(1)
      .build();
  const found = async (...trails: ReturnType<typeof at>[]) => {
    const [first, ...others] = trails;
    if (!first) throw new Error('no trail');
    const { verify } = await serve(sharedBucket(first, ...others));
    const { code, summary } = await verify();
    return { code, summary };
  };

  it('88: hourly only', async () => {
    const { code, summary } = await found(at(0, {}, 2));
    expect([code, summary.verdicts['digest-signed']]).toEqual([0, 2]);
  });

  // Differs on purpose: backfill digests fill no hour, so a range that has only them is not covered.
  it('89: backfill only', async () => {
    const { code, summary } = await found(at(0, { backfill: true }, 2));
    expect([code, summary.verdicts['digest-signed'], summary.verdicts['log-intact']]).toEqual([1, 2, 2]);
    expect(
      Object.keys(summary.verdicts).some((kind) => /^coverage-(nothing-found|head-missing|tail-stale)$/.test(kind)),
    ).toBe(true);
  });

  it.each([
    ['90: hourly digests for less time than backfill', at(1, {}, 2), at(0, { backfill: true }, 4), 6],
    ['91: backfill digests for less time than hourly', at(0, {}, 4), at(1, { backfill: true }, 2), 6],
  ])('%s', async (_title, hourly, late, digests) => {
    const { summary } = await found(hourly, late);
    expect(summary.verdicts['digest-signed']).toBe(digests);
    // Differs on purpose: the found range is what hourly digests cover.
    expect(summary.chains).toMatchObject([{ from: formatTime(hourly.range.start), to: formatTime(hourly.range.end) }]);
  });
});

it('92: a log deleted', async () => {
  expect(await judged(hours(2).dropLog(1))).toMatchObject({ code: 1, 'log-missing': 1, 'log-intact': 1 });
});
