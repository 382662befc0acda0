import { expect, it } from 'vitest';
import { absent, known } from '../../../src/posture/evidence.ts';
import type { Snapshot } from '../../../src/posture/snapshot.ts';
import { LOG_STATEMENTS, type StatementDocument, withStatements } from '../../support/policy.ts';
import {
  ACCOUNT,
  DENIED,
  findingOf,
  GOOD_DESCRIPTION,
  snapshot,
  TRAIL_ARN,
  trailFacts,
  withBucket,
} from '../../support/snapshot.ts';

const [aclCheck = {}, write = {}, tlsOnly = {}] = LOG_STATEMENTS;
const writes = (patch: StatementDocument) => withStatements(aclCheck, { ...write, ...patch }, tlsOnly);
const describedAs = (given: Snapshot, patch: object): Snapshot => ({
  ...given,
  trails: [trailFacts({ description: known({ ...GOOD_DESCRIPTION, ...patch }) })],
});
const LEGACY = { AWS: 'arn:aws:iam::903692715234:root' };

it.each([
  ['the good policy', snapshot(), 'pass', 'high'],
  ['no condition at all', withStatements({ ...aclCheck, Condition: {} }, { ...write, Condition: {} }), 'pass', 'high'],
  ['no statement for the ACL', withStatements(write), 'fail', 'high'],
  ['no statement for the logs', withStatements(aclCheck), 'fail', 'high'],
  [
    'logs and digests apart',
    writes({
      Resource: ['CloudTrail', 'CloudTrail-Digest'].map(
        (folder) => `${String(write['Resource']).slice(0, -1)}${folder}/*`,
      ),
    }),
    'pass',
    'high',
  ],
  [
    'logs without digests',
    writes({ Resource: `${String(write['Resource']).slice(0, -1)}CloudTrail/*` }),
    'fail',
    'high',
  ],
  [
    'logs of one Region',
    writes({ Resource: `${String(write['Resource']).slice(0, -1)}*/eu-west-2/*` }),
    'fail',
    'high',
  ],
  ['no policy', withBucket({ policy: absent('NoSuchBucketPolicy') }), 'fail', 'high'],
  [
    'another account in the path',
    writes({ Resource: String(write['Resource']).replace(ACCOUNT, '999999999999') }),
    'fail',
    'high',
  ],
  [
    'a prefix that the trail does not use',
    writes({ Resource: String(write['Resource']).replace('AWSLogs', 'x/AWSLogs') }),
    'fail',
    'high',
  ],
  ['a trail with a prefix, a policy without', describedAs(snapshot(), { S3KeyPrefix: 'audit' }), 'fail', 'high'],
  [
    'both with a prefix',
    describedAs(writes({ Resource: String(write['Resource']).replace('AWSLogs', 'audit/AWSLogs') }), {
      S3KeyPrefix: 'audit',
    }),
    'pass',
    'high',
  ],
  ['another service', writes({ Principal: { Service: 'config.amazonaws.com' } }), 'fail', 'high'],
  ['another ACL', writes({ Condition: { StringEquals: { 's3:x-amz-acl': 'private' } } }), 'fail', 'high'],
  [
    'another trail',
    writes({ Condition: { StringEquals: { 'aws:SourceArn': TRAIL_ARN.replace('audit', 'other') } } }),
    'fail',
    'high',
  ],
  [
    'a pattern under StringEquals',
    writes({ Condition: { StringEquals: { 'aws:SourceArn': 'arn:aws:cloudtrail:*' } } }),
    'fail',
    'high',
  ],
  [
    'a pattern under ArnLike',
    writes({ Condition: { ArnLike: { 'aws:SourceArn': `arn:aws:cloudtrail:*:${ACCOUNT}:trail/*` } } }),
    'pass',
    'high',
  ],
  [
    'a key that CloudTrail does not send',
    writes({ Condition: { StringEquals: { 'aws:PrincipalOrgID': 'o-1' } } }),
    'fail',
    'high',
  ],
  [
    'a key of which we know nothing',
    writes({ Condition: { StringEquals: { 'aws:SourceOrgID': 'o-1' } } }),
    'inconclusive',
    'high',
  ],
  [
    'the accounts of old',
    withStatements({ ...aclCheck, Principal: LEGACY, Condition: {} }, { ...write, Principal: LEGACY, Condition: {} }),
    'fail',
    'medium',
  ],
  ['not readable', withBucket({ policy: DENIED }), 'inconclusive', 'high'],
  ['no log bucket', snapshot({ trails: [], trailLists: [] }), 'not-applicable', 'high'],
])('CloudTrail may deliver: %s', (_, given, outcome, severity) => {
  expect(findingOf('POL-08', given)).toMatchObject({ outcome, severity });
});

it.each([
  ['unknown', DENIED, 'inconclusive'],
  ['known, and no statement for it', known({ Id: 'o-exampleorgid' }), 'fail'],
])('an organization trail with the organization %s', (_, organization, outcome) => {
  const given = { ...describedAs(snapshot(), { IsOrganizationTrail: true }), organization };
  expect(findingOf('POL-08', given).outcome).toBe(outcome);
});
