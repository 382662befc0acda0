import { expect, it } from 'vitest';
import { absent, known } from '../../../src/posture/evidence.ts';
import type { Snapshot } from '../../../src/posture/snapshot.ts';
import { allow, withMore } from '../../support/policy.ts';
import { DENIED, findingOf, snapshot, withBucket } from '../../support/snapshot.ts';

const openAccess = (given: Snapshot): Snapshot => ({
  ...given,
  accounts: given.accounts.map((account) => ({
    ...account,
    publicAccessBlock: absent('NoSuchPublicAccessBlockConfiguration'),
  })),
  buckets: given.buckets.map((facts) => ({
    ...facts,
    publicAccessBlock: absent('NoSuchPublicAccessBlockConfiguration'),
  })),
});
const grantTo = (URI: string) =>
  withBucket({
    acl: known({ Owner: { ID: 'owner' }, Grants: [{ Grantee: { Type: 'Group', URI }, Permission: 'READ' }] }),
  });
const EVERYBODY = 'http://acs.amazonaws.com/groups/global/AllUsers';
const isPublic = withBucket({ policyStatus: known({ IsPublic: true }) });
const silent = (given: Snapshot): Snapshot => ({
  ...given,
  buckets: given.buckets.map((facts) => ({ ...facts, policyStatus: known({}) })),
});

it.each([
  ['as AWS says', snapshot(), 'pass', 'critical'],
  [
    'without a policy',
    withBucket({ policy: absent('NoSuchBucketPolicy'), policyStatus: absent('NoSuchBucketPolicy') }),
    'pass',
    'critical',
  ],
  ['public, says AWS', openAccess(isPublic), 'fail', 'critical'],
  ['public, but restricted', isPublic, 'fail', 'medium'],
  ['an ACL for everybody', openAccess(grantTo(EVERYBODY)), 'fail', 'critical'],
  ['an ACL for everybody, ignored', grantTo(EVERYBODY), 'fail', 'medium'],
  [
    'an ACL for anybody with an account',
    openAccess(grantTo('http://acs.amazonaws.com/groups/global/AuthenticatedUsers')),
    'fail',
    'critical',
  ],
  [
    'AWS is silent and the policy is public',
    openAccess(silent(withMore(allow('s3:GetObject', { Principal: '*' })))),
    'fail',
    'critical',
  ],
  ['AWS is silent and the policy is not public', silent(withMore(allow('s3:GetObject'))), 'pass', 'critical'],
  ['status not readable', withBucket({ policyStatus: DENIED }), 'inconclusive', 'critical'],
  ['ACL not readable', withBucket({ acl: DENIED }), 'inconclusive', 'critical'],
  [
    'ACL not readable, but public',
    openAccess(withBucket({ acl: DENIED, policyStatus: known({ IsPublic: true }) })),
    'fail',
    'critical',
  ],
  ['no log bucket', snapshot({ trails: [], trailLists: [] }), 'not-applicable', 'critical'],
])('not public: %s', (_, given, outcome, severity) => {
  expect(findingOf('POL-07', given)).toMatchObject({ outcome, severity });
});

it('tells where we and AWS differ', () => {
  const finding = findingOf('POL-07', withMore(allow('s3:GetObject', { Principal: '*' })));
  expect(finding).toMatchObject({ outcome: 'pass', evidence: { IsPublic: false, publicStatements: ['Extra'] } });
});
