import { expect, it } from 'vitest';
import { absent } from '../../../src/posture/evidence.ts';
import { DEFAULT_REQUIREMENTS } from '../../../src/posture/scope.ts';
import { BREAK_GLASS, deny, withMore } from '../../support/policy.ts';
import { DENIED, findingOf, scope, snapshot, withBucket } from '../../support/snapshot.ts';

const ACTIONS = [
  ...['s3:DeleteObject*', 's3:BypassGovernanceRetention', 's3:PutLifecycleConfiguration', 's3:PutBucketPolicy'],
  ...['s3:DeleteBucketPolicy', 's3:PutBucketObjectLockConfiguration', 's3:PutBucketVersioning'],
];
const ADMINS = scope({ logBucketDefaults: { ...DEFAULT_REQUIREMENTS, admins: [BREAK_GLASS] } });
const but = (operator: string, more: object = {}) => ({
  Condition: { [operator]: { 'aws:PrincipalArn': BREAK_GLASS }, ...more },
});

it.each([
  ['nobody may', withMore(deny(ACTIONS)), 'pass'],
  ['break-glass excepted', withMore(deny(ACTIONS, but('ArnNotLike'))), 'pass'],
  ['break-glass excepted, as a string', withMore(deny(ACTIONS, but('StringNotEquals'))), 'pass'],
  [
    'services excepted too',
    withMore(deny(ACTIONS, but('ArnNotLike', { BoolIfExists: { 'aws:PrincipalIsAWSService': 'false' } }))),
    'pass',
  ],
  [
    'more roles excepted',
    withMore(
      deny(ACTIONS, { Condition: { ArnNotLike: { 'aws:PrincipalArn': [BREAK_GLASS, 'arn:aws:iam::*:role/x'] } } }),
    ),
    'fail',
  ],
  ['one action missing', withMore(deny(ACTIONS.slice(1))), 'fail'],
  [
    'another condition besides',
    withMore(deny(ACTIONS, but('ArnNotLike', { StringEquals: { 'aws:PrincipalOrgID': 'o-1' } }))),
    'fail',
  ],
  ['no Deny', snapshot(), 'fail'],
  ['no policy', withBucket({ policy: absent('NoSuchBucketPolicy') }), 'fail'],
  ['not readable', withBucket({ policy: DENIED }), 'inconclusive'],
  ['no log bucket', snapshot({ trails: [], trailLists: [] }), 'not-applicable'],
])('guarded by Denies: %s', (_, given, outcome) => {
  expect(findingOf('POL-09', given, ADMINS).outcome).toBe(outcome);
});

it('an exception for a role that the config does not list fails', () => {
  expect(findingOf('POL-09', withMore(deny(ACTIONS, but('ArnNotLike')))).outcome).toBe('fail');
});
