import { expect, it } from 'vitest';
import type { AccessPointFacts } from '../../../src/posture/bucket-facts.ts';
import { absent, type Evidence, known } from '../../../src/posture/evidence.ts';
import { DEFAULT_REQUIREMENTS } from '../../../src/posture/scope.ts';
import type { MultiRegionAccessPointFacts, Snapshot } from '../../../src/posture/snapshot.ts';
import { allow, STRANGER, withMore } from '../../support/policy.ts';
import { ACCOUNT, DENIED, findingOf, LOG_BUCKET, scope, snapshot, withBucket } from '../../support/snapshot.ts';

const ARN = `arn:aws:s3:eu-west-2:${ACCOUNT}:accesspoint/audit`;
const NO_POLICY = absent('NoSuchAccessPointPolicy');
const policyFor = (arn: string, Action: string, Principal: unknown = { AWS: STRANGER }) =>
  known(
    JSON.stringify({
      Version: '2012-10-17',
      Statement: [allow(Action, { Principal, Resource: [arn, `${arn}/object/*`] })],
    }),
  );
const point = (policy: Evidence<string>): AccessPointFacts => ({
  Name: 'audit',
  AccessPointArn: ARN,
  NetworkOrigin: 'Internet',
  publicAccessBlock: known({}),
  policy,
  policyStatus: known({ IsPublic: false }),
});
const points = (...policies: Evidence<string>[]) => withBucket({ accessPoints: known(policies.map(point)) });
const delegated = (key: string) =>
  withMore(allow('*', { Principal: { AWS: '*' }, Condition: { StringEquals: { [key]: ACCOUNT } } }));

it.each([
  ['none', snapshot(), 'pass'],
  ['one without a policy', points(NO_POLICY), 'pass'],
  ['the own account', points(policyFor(ARN, 's3:*', { AWS: ACCOUNT })), 'pass'],
  ['a stranger reads', points(policyFor(ARN, 's3:GetObject')), 'fail'],
  ['a stranger deletes', points(NO_POLICY, policyFor(ARN, 's3:DeleteObject')), 'fail'],
  ['everyone', points(policyFor(ARN, 's3:*', '*')), 'fail'],
  ['a policy for another access point', points(policyFor(ARN.replace('audit', 'other'), 's3:*')), 'pass'],
  ['a policy that is not readable', points(DENIED), 'inconclusive'],
  ['a policy that is none', points(known('{}')), 'inconclusive'],
  ['one not readable, another open', points(DENIED, policyFor(ARN, 's3:GetObject')), 'fail'],
  ['the list is not readable', withBucket({ accessPoints: DENIED }), 'inconclusive'],
  ['the bucket policy is not readable', withBucket({ policy: DENIED }), 'inconclusive'],
  ['the bucket leaves it to access points', delegated('s3:DataAccessPointAccount'), 'fail'],
  ['the same in another case', delegated('S3:dataaccesspointaccount'), 'fail'],
  ['no log bucket', snapshot({ trails: [], trailLists: [] }), 'not-applicable'],
])('AP-01, access points: %s', (_, given, outcome) => {
  expect(findingOf('AP-01', given).outcome).toBe(outcome);
});

it('AP-01 accepts listed readers', () => {
  const listed = scope({ logBucketDefaults: { ...DEFAULT_REQUIREMENTS, readers: [STRANGER] } });
  expect(findingOf('AP-01', points(policyFor(ARN, 's3:GetObject')), listed).outcome).toBe('pass');
  expect(findingOf('AP-01', points(policyFor(ARN, 's3:*')), listed).outcome).toBe('fail');
});

const MRAP_ARN = `arn:aws:s3::${ACCOUNT}:accesspoint/abc.mrap`;
const multi = (policy: Evidence<string>, Bucket = LOG_BUCKET): Snapshot => {
  const one: MultiRegionAccessPointFacts = {
    Name: 'all',
    Alias: 'abc.mrap',
    Regions: [{ Bucket, Region: 'eu-west-2' }],
    policy,
  };
  return snapshot({
    accounts: [{ account: ACCOUNT, publicAccessBlock: known({}), multiRegionAccessPoints: known([one]) }],
  });
};

it.each([
  ['none', snapshot(), 'pass'],
  ['of another bucket', multi(policyFor(MRAP_ARN, 's3:*'), 'other'), 'pass'],
  ['without a policy', multi(NO_POLICY), 'pass'],
  ['a stranger reads', multi(policyFor(MRAP_ARN, 's3:GetObject')), 'fail'],
  ['a policy that is not readable', multi(DENIED), 'inconclusive'],
  [
    'the list is not readable',
    snapshot({ accounts: [{ account: ACCOUNT, publicAccessBlock: known({}), multiRegionAccessPoints: DENIED }] }),
    'inconclusive',
  ],
  ['an owner nobody asked about', snapshot({ accounts: [] }), 'inconclusive'],
  ['no log bucket', snapshot({ trails: [], trailLists: [] }), 'not-applicable'],
])('AP-02, multi-Region access points: %s', (_, given, outcome) => {
  expect(findingOf('AP-02', given).outcome).toBe(outcome);
});
