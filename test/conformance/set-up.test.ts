import { describe, expect, it } from 'vitest';
import { sharedBucket } from '../../src/demo/shared-bucket.ts';
import { type BuiltBucket, type TrailOptions, trail } from '../../src/demo/trail.ts';
import { serve } from '../support/served-trail.ts';

/** Spec "conformance", 2.2: which bucket, prefix and accounts a trail is looked for in. */

const OWNER = '123456789012';
const MEMBER = '222222222222';
const ARN = `arn:aws:cloudtrail:us-east-1:${OWNER}:trail/foo`;

function foo(options: TrailOptions = {}): BuiltBucket {
  return trail({ name: 'foo', ...options })
    .hours(2)
    .build();
}

function described(built: BuiltBucket, more: { readonly [field: string]: unknown } = {}) {
  const all = {
    Name: 'foo',
    TrailARN: ARN,
    S3BucketName: built.bucket,
    HomeRegion: 'us-east-1',
    IsMultiRegionTrail: true,
    IsOrganizationTrail: false,
    LogFileValidationEnabled: true,
    ...more,
  };
  return { trails: [JSON.parse(JSON.stringify(all)) as typeof all] };
}

it('15: the bucket and prefix that are given are used, and CloudTrail is not asked', async () => {
  const { server, verify } = await serve(sharedBucket(foo({ prefix: 'pre' }), foo({ prefix: 'other' })));
  const { code, summary } = await verify('--trail-arn', ARN, '--s3-bucket', 'example-trail-logs', '--s3-prefix', 'pre');
  expect([code, summary.chains.length, summary.verdicts['digest-signed']]).toEqual([0, 1, 2]);
  expect(server.count('DescribeTrails')).toBe(0);
});

it('16: and that account alone', async () => {
  const built = sharedBucket(foo({ prefix: 'pre' }), foo({ prefix: 'pre', account: MEMBER }));
  const { verify } = await serve(built);
  const { summary } = await verify('--s3-prefix', 'pre', '--account-id', MEMBER);
  expect(summary.chains.map(({ account }) => account)).toEqual([MEMBER]);
});

it('17: without a bucket, bucket and prefix come from DescribeTrails', async () => {
  const built = sharedBucket(foo({ prefix: 'pre' }), foo({ prefix: 'other' }));
  const { server, verify } = await serve(built, described(built, { S3KeyPrefix: 'pre' }));
  const { code, summary } = await verify('--trail-arn', ARN);
  expect([code, summary.chains.length]).toEqual([0, 1]);
  expect(summary.chains[0]?.account).toBe(OWNER);
  expect(server.count('DescribeTrails')).toBe(1);
});

it('18: a trail that does not say whether it is of an organization', async () => {
  const built = foo();
  const { verify } = await serve(built, described(built, { IsOrganizationTrail: undefined }));
  expect((await verify('--trail-arn', ARN)).code).toBe(0);
});

it('19: with the bucket alone, the account is that of the ARN', async () => {
  const { verify } = await serve(sharedBucket(foo(), foo({ account: MEMBER })));
  const { summary } = await verify('--trail-arn', ARN, '--s3-bucket', 'example-trail-logs');
  expect(summary.chains.map(({ account }) => account)).toEqual([OWNER]);
});

// Differs on purpose: the layout shows the organization, so its id is neither asked for nor needed.
describe('an organization trail', () => {
  const organization = 'o-exampleorg';
  const built = sharedBucket(foo({ organization }), foo({ organization, account: MEMBER }));

  it('20: one account of it, without DescribeOrganization', async () => {
    const { server, verify } = await serve(built, described(built, { IsOrganizationTrail: true }));
    const { code, summary } = await verify('--trail-arn', ARN, '--account-id', MEMBER);
    expect([code, summary.chains.map(({ account }) => account)]).toEqual([0, [MEMBER]]);
    expect(server.count('DescribeOrganization')).toBe(0);
  });

  it('21: without an account, all of them', async () => {
    const { verify } = await serve(built, described(built, { IsOrganizationTrail: true }));
    const { code, summary } = await verify('--trail-arn', ARN);
    expect([code, summary.chains.map(({ account }) => account)]).toEqual([0, [OWNER, MEMBER]]);
  });
});
