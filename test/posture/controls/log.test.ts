import { describe, expect, it } from 'vitest';
import type { BucketFacts } from '../../../src/posture/bucket-facts.ts';
import { absent, known } from '../../../src/posture/evidence.ts';
import type { Snapshot } from '../../../src/posture/snapshot.ts';
import type { Outcome } from '../../../src/report/finding.ts';
import {
  ACCESS_LOG_BUCKET,
  ACCESS_LOG_POLICY,
  ACCOUNT,
  DENIED,
  findingOf,
  LOG_BUCKET,
  snapshot,
  withBucket,
  withTrail,
} from '../../support/snapshot.ts';

const logging = (TargetBucket?: string) => known(TargetBucket ? { LoggingEnabled: { TargetBucket } } : {});
const withTarget = (patch: Partial<BucketFacts>): Snapshot => {
  const good = snapshot();
  return {
    ...good,
    buckets: good.buckets.map((one) => (one.bucket === ACCESS_LOG_BUCKET ? { ...one, ...patch } : one)),
  };
};
const targetPolicy = (change: (statement: Record<string, unknown>) => void) => {
  const document: { Statement: [Record<string, unknown>] } = JSON.parse(ACCESS_LOG_POLICY);
  change(document.Statement[0]);
  return withTarget({ policy: known(JSON.stringify(document)) });
};
const unrecorded = withTrail({ eventSelectors: known({}) }).trails;

type Row = [what: string, given: Snapshot, outcome: Outcome];
const table = (id: string, rows: Row[]) =>
  describe(id, () => {
    it.each(rows)('%s', (_, given, outcome) => {
      expect(findingOf(id, given).outcome).toBe(outcome);
    });
  });

table('LOG-01', [
  ['an access log', { ...snapshot(), trails: unrecorded }, 'pass'],
  ['data events', withBucket({ logging: logging() }), 'pass'],
  ['neither', { ...withBucket({ logging: logging() }), trails: unrecorded }, 'fail'],
  ['the access log unread, no data events', { ...withBucket({ logging: DENIED }), trails: unrecorded }, 'inconclusive'],
  ['the access log unread, data events', withBucket({ logging: DENIED }), 'pass'],
  [
    'no access log, selectors unread',
    { ...withBucket({ logging: logging() }), trails: withTrail({ eventSelectors: DENIED }).trails },
    'inconclusive',
  ],
  ['no log bucket', withTrail({ description: known({}) }), 'not-applicable'],
]);

table('LOG-02', [
  ['a healthy target', snapshot(), 'pass'],
  ['no access log', withBucket({ logging: logging() }), 'not-applicable'],
  ['itself', withBucket({ logging: logging(LOG_BUCKET) }), 'fail'],
  ['gone', withTarget({ location: absent('NoSuchBucket') }), 'fail'],
  ['another Region', withTarget({ location: known({ BucketRegion: 'us-east-1' }) }), 'fail'],
  ['another account', withTarget({ ownedAsExpected: known(false) }), 'fail'],
  ['locked', withTarget({ objectLock: known({ ObjectLockEnabled: 'Enabled' }) }), 'fail'],
  ['Requester Pays', withTarget({ requestPayment: known({ Payer: 'Requester' }) }), 'fail'],
  [
    'encrypted with KMS',
    withTarget({
      encryption: known({ Rules: [{ ApplyServerSideEncryptionByDefault: { SSEAlgorithm: 'aws:kms' } }] }),
    }),
    'fail',
  ],
  ['no policy', withTarget({ policy: absent('NoSuchBucketPolicy') }), 'fail'],
  [
    'no policy, but the ACL that consoles used to set',
    withTarget({
      policy: absent('NoSuchBucketPolicy'),
      acl: known({
        Grants: [
          { Grantee: { Type: 'Group', URI: 'http://acs.amazonaws.com/groups/s3/LogDelivery' }, Permission: 'WRITE' },
        ],
      }),
    }),
    'pass',
  ],
  [
    'a policy for another service',
    targetPolicy((one) => Object.assign(one, { Principal: { Service: 'delivery.logs.amazonaws.com' } })),
    'fail',
  ],
  ['a policy for any bucket of anybody', targetPolicy((one) => Object.assign(one, { Condition: {} })), 'fail'],
  [
    'a policy for another bucket',
    targetPolicy((one) => Object.assign(one, { Condition: { ArnLike: { 'aws:SourceArn': 'arn:aws:s3:::other' } } })),
    'fail',
  ],
  [
    'a policy for any bucket of the account',
    targetPolicy((one) => Object.assign(one, { Condition: { StringEquals: { 'aws:SourceAccount': ACCOUNT } } })),
    'pass',
  ],
  ['a policy that denies', targetPolicy((one) => Object.assign(one, { Effect: 'Deny' })), 'fail'],
  ['a malformed policy', withTarget({ policy: known('{') }), 'inconclusive'],
  ['policy refused', withTarget({ policy: DENIED }), 'inconclusive'],
  [
    'policy refused, but locked',
    withTarget({ policy: DENIED, objectLock: known({ ObjectLockEnabled: 'Enabled' }) }),
    'fail',
  ],
  ['not asked', withBucket({ logging: logging('acme-unseen') }), 'inconclusive'],
  ['refused', withBucket({ logging: DENIED }), 'inconclusive'],
]);
