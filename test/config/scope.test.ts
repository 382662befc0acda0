import { describe, expect, it } from 'vitest';
import { type Config, configSchema } from '../../src/config/schema.ts';
import { postureScope } from '../../src/config/scope.ts';
import { DEFAULT_SCOPE } from '../../src/posture/scope.ts';

const ROLE = 'arn:aws:iam::111122223333:role/audit-reader';
const TRAIL = 'arn:aws:cloudtrail:eu-west-2:111122223333:trail/runbook-trail';
const scopeOf = (config: Config) => postureScope(configSchema.parse(config));

it('no config is the default scope', () => {
  expect(scopeOf({})).toEqual(DEFAULT_SCOPE);
});

describe('retention', () => {
  it.each<[string, Config, { days: number; hotDays: number; keepDays: number }]>([
    ['default', {}, { days: 365, hotDays: 90, keepDays: 365 }],
    ['pci', { regime: 'pci' }, { days: 365, hotDays: 90, keepDays: 365 }],
    ['hipaa', { regime: 'hipaa' }, { days: 2190, hotDays: 90, keepDays: 2190 }],
    ['sox', { regime: 'sox' }, { days: 2555, hotDays: 90, keepDays: 2555 }],
    ['sec17a4', { regime: 'sec17a4' }, { days: 2190, hotDays: 730, keepDays: 2190 }],
    ['m2131', { regime: 'm2131' }, { days: 913, hotDays: 365, keepDays: 913 }],
    ['the strictest of two', { regime: ['sox', 'sec17a4'] }, { days: 2555, hotDays: 730, keepDays: 2555 }],
    [
      'a bucket that says more',
      { logBuckets: [{ name: 'logs', retention: { days: 400, hotDays: 100, keepDays: 500 } }] },
      { days: 400, hotDays: 100, keepDays: 500 },
    ],
    [
      'a short retention has no longer hot window',
      { logBuckets: [{ name: 'logs', retention: { days: 30 } }] },
      { days: 30, hotDays: 30, keepDays: 30 },
    ],
  ])('%s', (_, config, { days, hotDays, keepDays }) => {
    const scope = scopeOf(config);
    const asked = scope.logBuckets[0] ?? scope.logBucketDefaults;
    expect({ days: asked.lock.days, hotDays: asked.hotDays, keepDays: asked.keepDays }).toEqual({
      days,
      hotDays,
      keepDays,
    });
    expect(asked.lock.mode).toBe('COMPLIANCE');
  });
});

it.each<[string, Config, { bucket: string | null; prefix: string | null }]>([
  ['alone', { trails: [TRAIL] }, { bucket: null, prefix: null }],
  ['one bucket', { trails: [TRAIL], logBuckets: [{ name: 'logs', prefix: '/a/' }] }, { bucket: 'logs', prefix: 'a' }],
  [
    'two buckets',
    { trails: [TRAIL], logBuckets: [{ name: 'logs' }, { name: 'more' }] },
    { bucket: null, prefix: null },
  ],
  [
    'two buckets, one named',
    { trails: [{ arn: TRAIL, bucket: 'more' }], logBuckets: [{ name: 'logs' }, { name: 'more', prefix: 'p' }] },
    { bucket: 'more', prefix: 'p' },
  ],
])('where a trail must write: %s', (_, config, expected) => {
  expect(scopeOf(config).trails).toEqual([{ arn: TRAIL, ...expected }]);
});

it('the audit reader may read the log bucket and its key; CloudTrail is no extra writer', () => {
  const scope = scopeOf({
    auditReaderRole: ROLE,
    logBuckets: [{ name: 'logs', account: '444455556666', writers: ['cloudtrail.amazonaws.com', '111122223333'] }],
    posture: { deliveryMaxAge: '90m', objects: { sample: 'all' }, optIn: ['LIFE-04'] },
    organization: 'o-abcde12345',
  });
  expect(scope.logBuckets[0]).toMatchObject({ owner: '444455556666', writers: ['111122223333'], readers: [ROLE] });
  expect(scope).toMatchObject({
    keyReaders: [ROLE],
    readerRole: { arn: ROLE, mfa: false },
    deliveryMaxAge: 1.5,
    organization: true,
    objects: { sample: 'all', seed: 0 },
    optIn: ['LIFE-04'],
  });
});
