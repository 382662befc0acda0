import { describe, expect, it } from 'vitest';
import type { BucketFacts, ObjectLockConfiguration } from '../../../src/posture/bucket-facts.ts';
import { absent, known } from '../../../src/posture/evidence.ts';
import { DEFAULT_REQUIREMENTS, type LogBucketRequirements, type PostureScope } from '../../../src/posture/scope.ts';
import type { Snapshot } from '../../../src/posture/snapshot.ts';
import type { Outcome } from '../../../src/report/finding.ts';
import {
  ACCOUNT,
  DENIED,
  findingOf,
  LOG_BUCKET,
  LOG_POLICY,
  scope,
  withBucket,
  withTrail,
} from '../../support/snapshot.ts';

type Retention = NonNullable<NonNullable<ObjectLockConfiguration['Rule']>['DefaultRetention']>;
const NO_LOCK = absent('ObjectLockConfigurationNotFoundError');
const lock = (retention?: Retention, more: Partial<BucketFacts> = {}) =>
  withBucket({
    objectLock: known({
      ObjectLockEnabled: 'Enabled',
      ...(retention ? { Rule: { DefaultRetention: retention } } : {}),
    }),
    ...more,
  });
const demanding = (patch: Partial<LogBucketRequirements>): PostureScope =>
  scope({ logBucketDefaults: { ...DEFAULT_REQUIREMENTS, ...patch } });
const governance = demanding({ lock: { mode: 'GOVERNANCE', days: 365 } });

type Row = [what: string, given: Snapshot, outcome: Outcome, demanded?: PostureScope];
const table = (id: string, rows: Row[]) =>
  describe(id, () => {
    it.each([...rows, ['no log bucket', withTrail({ description: known({}) }), 'not-applicable'] satisfies Row])(
      '%s',
      (_, given, outcome, demanded = scope()) => {
        expect(findingOf(id, given, demanded).outcome).toBe(outcome);
      },
    );
  });

table('LOCK-01', [
  ['enabled', lock(), 'pass'],
  ['none', withBucket({ objectLock: NO_LOCK }), 'fail'],
  ['an answer without the field', withBucket({ objectLock: known({}) }), 'fail'],
  ['refused', withBucket({ objectLock: DENIED }), 'inconclusive'],
]);

table('LOCK-02', [
  ['COMPLIANCE', lock({ Mode: 'COMPLIANCE', Days: 1 }), 'pass'],
  ['GOVERNANCE', lock({ Mode: 'GOVERNANCE', Days: 3650 }), 'fail'],
  ['GOVERNANCE where the config accepts it', lock({ Mode: 'GOVERNANCE', Days: 365 }), 'pass', governance],
  ['enabled without a rule', lock(), 'fail'],
  ['an event hold only', lock({ DefaultEventHold: { Days: 365 } }), 'fail'],
  ['none', withBucket({ objectLock: NO_LOCK }), 'fail'],
  ['refused', withBucket({ objectLock: DENIED }), 'inconclusive'],
]);

table('LOCK-03', [
  ['365 days', lock({ Mode: 'COMPLIANCE', Days: 365 }), 'pass'],
  ['364 days', lock({ Mode: 'COMPLIANCE', Days: 364 }), 'fail'],
  ['one year', lock({ Mode: 'COMPLIANCE', Years: 1 }), 'pass'],
  ['one year and zero days', lock({ Mode: 'COMPLIANCE', Days: 0, Years: 1 }), 'pass'],
  ['365 days and zero years', lock({ Mode: 'COMPLIANCE', Days: 365, Years: 0 }), 'pass'],
  ['days and years are not added', lock({ Mode: 'COMPLIANCE', Days: 30, Years: 1 }), 'fail'],
  [
    'six years',
    lock({ Mode: 'COMPLIANCE', Years: 6 }),
    'pass',
    demanding({ lock: { mode: 'COMPLIANCE', days: 2190 } }),
  ],
  ['no period', lock({ Mode: 'COMPLIANCE' }), 'fail'],
  ['enabled without a rule', lock(), 'fail'],
  ['none', withBucket({ objectLock: NO_LOCK }), 'fail'],
  ['refused', withBucket({ objectLock: DENIED }), 'inconclusive'],
]);

const suspended = known({ Status: 'Suspended' });
table('LOCK-04', [
  ['enabled', withBucket({}), 'pass'],
  ['enabled, the lock unread', withBucket({ objectLock: DENIED }), 'pass'],
  ['suspended', withBucket({ versioning: suspended, objectLock: NO_LOCK }), 'fail'],
  ['never on', withBucket({ versioning: known({}), objectLock: NO_LOCK }), 'fail'],
  ['suspended beside Object Lock, which cannot be', withBucket({ versioning: suspended }), 'inconclusive'],
  ['suspended, the lock unread', withBucket({ versioning: suspended, objectLock: DENIED }), 'inconclusive'],
  ['refused', withBucket({ versioning: DENIED }), 'inconclusive'],
]);

const lifecycle = known({ Rules: [] });
table('LOCK-05', [
  ['on', withBucket({ versioning: known({ Status: 'Enabled', MFADelete: 'Enabled' }), objectLock: NO_LOCK }), 'pass'],
  ['off', withBucket({ objectLock: NO_LOCK }), 'fail'],
  ['off beside a lock too short', lock({ Mode: 'COMPLIANCE', Days: 1 }), 'fail'],
  ['off beside a good lock', withBucket({}), 'not-applicable'],
  ['off beside lifecycle rules', withBucket({ objectLock: NO_LOCK, lifecycle }), 'not-applicable'],
  ['off, lifecycle unread', withBucket({ objectLock: NO_LOCK, lifecycle: DENIED }), 'inconclusive'],
  ['off, the lock unread', withBucket({ objectLock: DENIED }), 'inconclusive'],
  ['refused', withBucket({ versioning: DENIED }), 'inconclusive'],
]);

const ADMIN = `arn:aws:iam::${ACCOUNT}:role/break-glass`;
const WRITER = `arn:aws:iam::${ACCOUNT}:role/replication`;
const policyWith = (...statements: object[]) => {
  const document: { Statement: object[] } = JSON.parse(LOG_POLICY);
  return withBucket({
    policy: known(JSON.stringify({ ...document, Statement: [...document.Statement, ...statements] })),
  });
};
const allow = (AWS: string, Action: string | string[]) => ({
  Effect: 'Allow',
  Principal: { AWS },
  Action,
  Resource: `arn:aws:s3:::${LOG_BUCKET}/*`,
});
const deny = (days: number, more: object = {}, principal: unknown = '*') => ({
  Effect: 'Deny',
  Principal: principal,
  Action: 's3:PutObjectRetention',
  Resource: `arn:aws:s3:::${LOG_BUCKET}/*`,
  Condition: { NumericLessThan: { 's3:object-lock-remaining-retention-days': days }, ...more },
});
table('LOCK-06', [
  ['nobody else may write', withBucket({}), 'pass'],
  ['somebody may set a retention', policyWith(allow(ADMIN, 's3:PutObjectRetention')), 'fail'],
  ['somebody may put objects', policyWith(allow(WRITER, 's3:Put*')), 'fail'],
  ['somebody may, but no shorter one', policyWith(allow(WRITER, 's3:Put*'), deny(365)), 'pass'],
  ['the limit is lower', policyWith(allow(WRITER, 's3:Put*'), deny(364)), 'fail'],
  [
    'the limit has another condition',
    policyWith(allow(WRITER, 's3:Put*'), deny(365, { Bool: { 'aws:SecureTransport': 'false' } })),
    'fail',
  ],
  ['the limit is for somebody', policyWith(allow(WRITER, 's3:Put*'), deny(365, {}, { AWS: ADMIN })), 'fail'],
  [
    'an administrator of the config',
    policyWith(allow(ADMIN, 's3:PutObjectRetention')),
    'pass',
    demanding({ admins: [ADMIN] }),
  ],
  ['a writer of the config', policyWith(allow(WRITER, 's3:PutObject')), 'pass', demanding({ writers: [WRITER] })],
  [
    'a writer of the config who may set a retention',
    policyWith(allow(WRITER, 's3:PutObject*')),
    'fail',
    demanding({ writers: [WRITER] }),
  ],
  ['malformed', withBucket({ policy: known('{') }), 'inconclusive'],
  ['refused', withBucket({ policy: DENIED }), 'inconclusive'],
]);
