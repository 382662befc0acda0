import { describe, expect, it } from 'vitest';
import type { BucketFacts, ReplicationRule } from '../../../src/posture/bucket-facts.ts';
import { absent, known } from '../../../src/posture/evidence.ts';
import { DEFAULT_REQUIREMENTS, type PostureScope } from '../../../src/posture/scope.ts';
import type { Snapshot } from '../../../src/posture/snapshot.ts';
import type { Outcome } from '../../../src/report/finding.ts';
import { bucketFacts, DENIED, findingOf, scope, withBucket } from '../../support/snapshot.ts';

const COPY = 'acme-logs-copy';
const OTHER = '999999999999';
const COPIER = 'arn:aws:iam::111122223333:role/copier';
const letting = (AWS: string, Action: string): string =>
  JSON.stringify({
    Version: '2012-10-17',
    Statement: [
      { Effect: 'Allow', Principal: { AWS }, Action, Resource: [`arn:aws:s3:::${COPY}`, `arn:aws:s3:::${COPY}/*`] },
    ],
  });
const demanding = (otherAccount: boolean, otherRegion: boolean): PostureScope =>
  scope({ logBucketDefaults: { ...DEFAULT_REQUIREMENTS, replication: { otherAccount, otherRegion } } });
const both = demanding(true, true);
const rule = (patch: ReplicationRule = {}): ReplicationRule => ({
  ID: 'copy',
  Status: 'Enabled',
  Filter: { Prefix: '' },
  Destination: { Bucket: `arn:aws:s3:::${COPY}`, Account: OTHER },
  DeleteMarkerReplication: { Status: 'Disabled' },
  ...patch,
});
const copying = (rules: ReplicationRule[], copy: Partial<BucketFacts> = {}): Snapshot => {
  const given = withBucket({ replication: known({ Role: COPIER, Rules: rules }) });
  const facts = bucketFacts({
    bucket: COPY,
    expectedOwner: OTHER,
    location: known({ BucketRegion: 'eu-central-1' }),
    ...copy,
  });
  return { ...given, buckets: [...given.buckets, facts] };
};

const open = (copy: Partial<BucketFacts>): Snapshot => {
  const given = copying([rule()], { publicAccessBlock: known({}), ...copy });
  const account = { account: OTHER, publicAccessBlock: known({}), multiRegionAccessPoints: known([]) };
  return { ...given, accounts: [...given.accounts, account] };
};

type Row = [what: string, given: Snapshot, outcome: Outcome, demanded?: PostureScope];
const table = (id: string, rows: Row[]) =>
  describe(id, () => {
    it.each(rows)('%s', (_, given, outcome, demanded = both) => {
      expect(findingOf(id, given, demanded).outcome).toBe(outcome);
    });
  });

table('REP-01', [
  ['not demanded', copying([rule()]), 'not-applicable', scope()],
  ['to another account and Region', copying([rule()]), 'pass'],
  ['none', withBucket({}), 'fail'],
  ['disabled', copying([rule({ Status: 'Disabled' })]), 'fail'],
  ['another prefix', copying([rule({ Filter: { Prefix: 'backup/' } })]), 'fail'],
  ['only a part of the logs', copying([rule({ Filter: { Prefix: 'AWSLogs/111122223333/CloudTrail/' } })]), 'fail'],
  ['only what somebody tags', copying([rule({ Filter: { Tag: { Key: 'copy', Value: 'yes' } } })]), 'fail'],
  ['the second of two rules', copying([rule({ Filter: { Prefix: 'backup/' } }), rule({ Priority: 2 })]), 'pass'],
  ['delete markers too', copying([rule({ DeleteMarkerReplication: { Status: 'Enabled' } })]), 'fail'],
  ['the same Region', copying([rule()], { location: known({ BucketRegion: 'eu-west-2' }) }), 'fail'],
  [
    'the same Region, which is enough',
    copying([rule()], { location: known({ BucketRegion: 'eu-west-2' }) }),
    'pass',
    demanding(true, false),
  ],
  [
    'the same account',
    copying([rule({ Destination: { Bucket: `arn:aws:s3:::${COPY}`, Account: '111122223333' } })]),
    'fail',
  ],
  [
    'an account that nobody names',
    copying([rule({ Destination: { Bucket: `arn:aws:s3:::${COPY}` } })], { ownedAsExpected: DENIED }),
    'inconclusive',
  ],
  ['a copy that does not answer', copying([rule()], { location: DENIED }), 'inconclusive'],
  ['a copy that is gone', copying([rule()], { location: absent('NoSuchBucket') }), 'fail'],
  ['refused', withBucket({ replication: DENIED }), 'inconclusive'],
]);

const NO_LOCK = absent('ObjectLockConfigurationNotFoundError');
table('REP-02', [
  ['not demanded', copying([rule()], { objectLock: NO_LOCK }), 'not-applicable', scope()],
  ['as strong', copying([rule()]), 'pass'],
  ['no copy', withBucket({}), 'not-applicable'],
  ['no lock', copying([rule()], { objectLock: NO_LOCK }), 'fail'],
  [
    'GOVERNANCE',
    copying([rule()], {
      objectLock: known({
        ObjectLockEnabled: 'Enabled',
        Rule: { DefaultRetention: { Mode: 'GOVERNANCE', Days: 365 } },
      }),
    }),
    'fail',
  ],
  [
    'too short',
    copying([rule()], {
      objectLock: known({ ObjectLockEnabled: 'Enabled', Rule: { DefaultRetention: { Mode: 'COMPLIANCE', Days: 30 } } }),
    }),
    'fail',
  ],
  [
    'its own block off, that of its account unseen',
    copying([rule()], { publicAccessBlock: known({}) }),
    'inconclusive',
  ],
  ['open to the public', open({}), 'fail'],
  [
    'open to a stranger',
    copying([rule()], { policy: known(letting('arn:aws:iam::888888888888:role/x', 's3:Get*')) }),
    'fail',
  ],
  [
    'the role that copies may write there',
    copying([rule()], { policy: known(letting(COPIER, 's3:Replicate*')) }),
    'pass',
  ],
  [
    'another role may write there',
    copying([rule()], { policy: known(letting(`${COPIER}-2`, 's3:Replicate*')) }),
    'fail',
  ],
  ['a policy that cannot be read', copying([rule()], { policy: DENIED }), 'inconclusive'],
  ['credentials do not reach it', copying([rule()], { objectLock: DENIED }), 'inconclusive'],
  ['open to the public, its lock unread', open({ objectLock: DENIED }), 'fail'],
  ['refused', withBucket({ replication: DENIED }), 'inconclusive'],
]);
