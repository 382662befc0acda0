import { describe, expect, it } from 'vitest';
import { sharedBucket } from '../../src/demo/shared-bucket.ts';
import { type BuiltTrail, type TrailBuilder, trail } from '../../src/demo/trail.ts';
import { serve, servedKeys } from '../support/served-trail.ts';

/** Spec "conformance", 2.7: chains, oldest digest first. A chain begins with a digest that links to nothing. */

async function verdicts(...trails: TrailBuilder[]) {
  const [first, ...others] = trails.map((builder) => builder.build());
  if (!first) throw new Error('no trail');
  const { server, verify } = await serve(sharedBucket(first, ...others));
  const { code, summary, findings } = await verify();
  return { code, verdicts: summary.verdicts, findings, server };
}

describe('51: a digest that lacks', () => {
  it.each([
    'digestPublicKeyFingerprint',
    'digestS3Bucket',
    'digestS3Object',
    'previousDigestSignature',
    'digestEndTime',
    'digestStartTime',
    // The reference does without these.
    'awsAccountId',
    'digestSignatureAlgorithm',
    'logFiles',
  ])('%s', async (field) => {
    const lacking = JSON.stringify({
      awsAccountId: '123456789012',
      digestStartTime: '2026-03-01T01:17:42Z',
      digestEndTime: '2026-03-01T02:17:42Z',
      digestS3Bucket: 'example-trail-logs',
      digestS3Object: 'x',
      digestPublicKeyFingerprint: '0'.repeat(32),
      digestSignatureAlgorithm: 'SHA256withRSA',
      previousDigestS3Bucket: 'b',
      previousDigestS3Object: 'k',
      previousDigestHashValue: '0'.repeat(64),
      previousDigestHashAlgorithm: 'SHA-256',
      previousDigestSignature: '00',
      logFiles: [],
      [field]: undefined,
    });
    const { code, verdicts: judged } = await verdicts(trail().hours(3).replaceDigest(1, lacking));
    expect([code, judged['digest-malformed'], judged['digest-signed']]).toEqual([1, 1, 2]);
  });
});

/** The five chains of the reference's tests: what comes out of each, hourly and as backfill. */
const CHAINS: readonly [
  string,
  string,
  (t: TrailBuilder) => TrailBuilder,
  Record<string, number>,
  Record<string, number>,
][] = [
  ['52', '57: gap, link, link, link', (t) => t.hours(4), { 'digest-signed': 4, 'link-linked': 3 }, {}],
  [
    '53',
    '58: gap, link, missing, link',
    (t) => t.hours(4).dropDigest(2),
    { 'digest-signed': 3, 'digest-missing': 1 },
    {},
  ],
  [
    '54',
    '59: gap, link, invalid, link, invalid',
    (t) => t.hours(5).editDigest(2).editDigest(4),
    { 'digest-signed': 3, 'digest-signature-invalid': 2 },
    {},
  ],
  // Differs on purpose: a stretch without digests fails the run. Backfill digests cover no hours, so they leave none out.
  [
    '55',
    '60: gap, link, gap, gap',
    (t) => t.hours(4).stopAt(1).stopAt(2),
    { 'digest-signed': 4 },
    { 'coverage-gap': 2 },
  ],
];

describe('hourly', () => {
  it.each(CHAINS)('%s (as %s)', async (_number, _title, build, expected, hourly) => {
    const { verdicts: judged } = await verdicts(build(trail()));
    expect(judged).toMatchObject({ ...expected, ...hourly });
    for (const kind of ['digest-missing', 'digest-signature-invalid', 'coverage-gap']) {
      if (!(kind in expected) && !(kind in hourly)) expect(judged).not.toHaveProperty(kind);
    }
  });

  // Differs on purpose: the reference counts one missing digest and goes on at the next that is listed.
  it('each missing hour counts', async () => {
    const { verdicts: judged } = await verdicts(trail().hours(6).dropDigest(2).dropDigest(3));
    expect(judged).toMatchObject({ 'digest-signed': 4, 'digest-missing': 2 });
  });

  it('a missing digest is told with the one that names it', async () => {
    const { findings } = await verdicts(trail().hours(4).dropDigest(2));
    const built = trail().hours(4).build();
    const missing = findings.find(({ control }) => control === 'digest-missing');
    expect([missing?.subject.key, missing?.evidence['namedBy']]).toEqual([
      built.digests[2]?.key,
      built.digests[3]?.key,
    ]);
  });
});

describe('backfill', () => {
  const hourly = trail({ name: 'hourly' }).hours(1);
  it.each(CHAINS)('%s is %s', async (_number, _title, build, expected) => {
    const { verdicts: judged } = await verdicts(hourly, build(trail({ backfill: true })));
    const counts = { ...expected, 'digest-signed': (expected['digest-signed'] ?? 0) + 1 };
    expect(judged).toMatchObject(counts);
    expect(judged).not.toHaveProperty('coverage-gap');
  });
});

describe('a trail that was moved to another bucket', () => {
  /** Each part in a bucket of its own, linked to the one before, the newest last. */
  function moved(parts: readonly number[], options: { readonly backfill?: boolean } = {}): BuiltTrail[] {
    const built: BuiltTrail[] = [];
    for (const hours of parts) {
      const before = built.at(-1);
      const follows = before ? { follows: before, start: before.range.end } : {};
      const bucket = `logs-${built.length + 1}`;
      built.push(
        trail({ ...options, ...follows, bucket })
          .hours(hours)
          .build(),
      );
    }
    return built;
  }

  async function judged(...chains: BuiltTrail[][]) {
    const all = chains.flat();
    const [first, last] = [all[0], all.at(-1)];
    if (!first || !last) throw new Error('no trail');
    const names = [...new Set(all.map(({ bucket }) => bucket))];
    const merged = names.map((name) => {
      const [one, ...rest] = all.filter(({ bucket }) => bucket === name);
      return [name, sharedBucket(one ?? first, ...rest)] as const;
    });
    const buckets = Object.fromEntries(
      merged.map(([name, { objects }]) => [name, { objects: Object.fromEntries(objects) }]),
    );
    const range = { start: first.range.start, end: last.range.end };
    const keys = servedKeys(sharedBucket(merged[0]?.[1] ?? first).publicKeys);
    const publicKeys = {
      'us-east-1': (keys['us-east-1'] ?? []).map((key) => ({ ...key, ValidityStartTime: 0, ValidityEndTime: 4e9 })),
    };
    const { verify } = await serve({ ...last, range }, { buckets, publicKeys });
    const { code, summary } = await verify('--s3-bucket', names.at(-1) ?? '');
    return { code, ...summary.verdicts };
  }

  it('56: gap, link, bucket change, link', async () => {
    expect(await judged(moved([2, 2]))).toMatchObject({
      code: 0,
      'digest-signed': 4,
      'link-linked': 3,
      'log-intact': 8,
    });
  });

  it('87: two bucket changes', async () => {
    expect(await judged(moved([2, 2, 1]))).toMatchObject({ code: 0, 'digest-signed': 5, 'link-linked': 4 });
  });

  // Differs on purpose: backfill digests go where the hourly ones go, and are found there with them.
  it('61: gap, link, bucket change, link, as backfill beside the hourly chain', async () => {
    const counts = { code: 0, 'digest-signed': 8, 'log-intact': 16 };
    expect(await judged(moved([2, 2]), moved([2, 2], { backfill: true }))).toMatchObject(counts);
  });
});

it('62: hourly and backfill digests in one run: 3 + 3, each fetched once', async () => {
  const { code, verdicts: judged, server } = await verdicts(trail().hours(3), trail({ backfill: true }).hours(3));
  expect([code, judged['digest-signed']]).toEqual([0, 6]);
  const fetched = server.requests.filter(({ operation, key }) => operation === 'GetObject' && key.includes('-Digest/'));
  expect(fetched).toHaveLength(6);
});
