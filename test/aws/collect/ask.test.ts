import { describe, expect, it } from 'vitest';
import { answered, asking, readOf } from '../../../src/aws/collect/ask.ts';
import { absent, known } from '../../../src/posture/evidence.ts';

const denied = Object.assign(new Error('no'), { name: 'AccessDenied', $metadata: { httpStatusCode: 403 } });

describe('asking', () => {
  const wanted = new Set(['GetBucketPolicy', 'GetBucketAcl', 'ListObjectsV2'] as const);

  it('keeps one refusal to itself', async () => {
    const ask = asking(wanted);
    const [policy, acl] = await Promise.all([
      ask.evidence('GetBucketPolicy', () => Promise.reject(denied)),
      ask.evidence('GetBucketAcl', () => Promise.resolve({ Owner: { ID: 'me' } })),
    ]);
    expect(policy).toMatchObject({ state: 'unknown', reason: 'access-denied', iamAction: 's3:GetBucketPolicy' });
    expect(acl).toEqual(known({ Owner: { ID: 'me' } }));
  });

  it('never sends what nobody wants', async () => {
    const ask = asking(wanted);
    const told = await ask.evidence('DescribeKey', () => Promise.reject(new Error('sent')));
    expect(told).toMatchObject({ state: 'unknown', reason: 'not-collected' });
    expect(ask.asked).toEqual({ list: 0, get: 0 });
  });

  it('gives plain JSON: ISO times, nothing undefined, no metadata', async () => {
    const answer = { At: new Date(0), Gone: undefined, Deep: [{ At: new Date(1) }], $metadata: { requestId: 'r' } };
    const told = await asking(wanted).read('ListObjectsV2', () => Promise.resolve(answer));
    expect(told).toEqual(known({ At: '1970-01-01T00:00:00.000Z', Deep: [{ At: '1970-01-01T00:00:00.001Z' }] }));
  });

  it('leaves what is open, and what comes, uncollected when interrupted', async () => {
    const interrupt = new AbortController();
    const ask = asking(wanted, interrupt.signal);
    const open = ask.evidence('GetBucketPolicy', () => new Promise<never>(() => undefined));
    interrupt.abort('SIGINT');
    const later = ask.evidence('GetBucketAcl', () => Promise.resolve({}));
    for (const told of [await open, await later]) {
      expect(told).toMatchObject({ state: 'unknown', reason: 'not-collected', code: 'Interrupted' });
    }
  });

  it('has at most so many in flight', async () => {
    const ask = asking(wanted, undefined, 3);
    let open = 0;
    let most = 0;
    const send = async () => {
      open += 1;
      most = Math.max(most, open);
      await new Promise((resolve) => setTimeout(resolve, 5));
      open -= 1;
    };
    await Promise.all(Array.from({ length: 20 }, () => ask.evidence('GetBucketAcl', send)));
    expect(most).toBe(3);
  });
});

it('an answer without the part that was asked for is not an answer', () => {
  const told = answered('GetBucketPolicyStatus', known<{ PolicyStatus?: object }>({}), (answer) => answer.PolicyStatus);
  expect(told).toMatchObject({ state: 'unknown', reason: 'parse' });
});

it('an absence where there is always an answer is one more thing not read', () => {
  expect(readOf('GetBucketAcl', absent('NoSuchBucket'))).toMatchObject({ state: 'unknown', reason: 'not-found' });
});

describe('an answer of another form than the one AWS gives', () => {
  const ARN = 'arn:aws:cloudtrail:us-east-1:123456789012:trail/audit';

  it.each([
    ['DescribeTrails', { trailList: [null] }],
    ['DescribeTrails', { trailList: [{}] }],
    ['DescribeTrails', { trailList: 'x' }],
    ['DescribeTrails', { trailList: [{ TrailARN: ARN, LogFileValidationEnabled: 'yes' }] }],
    ['GetTrailStatus', { IsLogging: 'false' }],
    ['GetEventSelectors', { EventSelectors: 'x' }],
    ['GetEventSelectors', { AdvancedEventSelectors: [{ FieldSelectors: [{ Field: 'a', Equals: 'b' }] }] }],
  ] as const)('%s %j is not read', async (name, answer) => {
    const told = await asking(new Set([name])).read(name, () => Promise.resolve(answer));
    expect(told).toMatchObject({ state: 'unknown', reason: 'parse', code: 'UnexpectedAnswer' });
  });

  it.each([
    ['DescribeTrails', { trailList: [{ TrailARN: ARN, LogFileValidationEnabled: true, Newer: {} }] }],
    ['GetTrailStatus', { IsLogging: false, Newer: 1 }],
    ['GetEventSelectors', { EventSelectors: [], AdvancedEventSelectors: [] }],
  ] as const)('%s %j is', async (name, answer) => {
    expect(await asking(new Set([name])).read(name, () => Promise.resolve(answer))).toEqual(known(answer));
  });
});
