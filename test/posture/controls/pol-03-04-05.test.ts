import { describe, expect, it } from 'vitest';
import { absent } from '../../../src/posture/evidence.ts';
import { DEFAULT_REQUIREMENTS } from '../../../src/posture/scope.ts';
import { allow, BREAK_GLASS, BUCKET_ARN, deny, OBJECTS_ARN, STRANGER, withMore } from '../../support/policy.ts';
import { ACCOUNT, DENIED, findingOf, scope, snapshot, withBucket } from '../../support/snapshot.ts';

const everyone = { Principal: '*' };
const butBreakGlass = { Condition: { ArnNotLike: { 'aws:PrincipalArn': BREAK_GLASS } } };
const LISTED = scope({
  logBucketDefaults: { ...DEFAULT_REQUIREMENTS, admins: [BREAK_GLASS], readers: [BREAK_GLASS, '999999999999'] },
});
const CAVEAT = /resource policy only/;

describe.each([
  [
    'POL-03',
    [
      's3:DeleteObject',
      's3:DeleteObjectVersion',
      's3:DeleteBucket',
      's3:DeleteObjectTagging',
      's3:DeleteObjectVersionTagging',
      's3:ReplicateDelete',
      's3:PutLifecycleConfiguration',
      's3:Delete*',
      's3:*',
      '*',
    ],
  ],
  [
    'POL-04',
    [
      's3:BypassGovernanceRetention',
      's3:PutObjectRetention',
      's3:PutObjectLegalHold',
      's3:PutBucketObjectLockConfiguration',
      's3:PutBucketVersioning',
      's3:PutBucketPolicy',
      's3:DeleteBucketPolicy',
      's3:PutBucketAcl',
      's3:PutObjectAcl',
      's3:PutObjectVersionAcl',
      's3:PutBucketPublicAccessBlock',
      's3:PutBucketOwnershipControls',
      's3:PutEncryptionConfiguration',
      's3:PutReplicationConfiguration',
      's3:PauseReplication',
      's3:PutBucketLogging',
      's3:PutBucketNotification',
      's3:PutBucketRequestPayment',
      's3:PutBucketAbac',
      's3:PutInventoryConfiguration',
      's3:UpdateObjectEncryption',
      's3:ObjectOwnerOverrideToBucketOwner',
      's3:Put*',
      's3:*',
      '*',
    ],
  ],
  [
    'POL-05',
    [
      's3:GetObject',
      's3:GetObjectVersion',
      's3:GetObjectTagging',
      's3:ListBucket',
      's3:ListBucketVersions',
      's3:Get*',
      's3:List*',
      's3:*',
      '*',
    ],
  ],
])('%s', (control, actions) => {
  it.each(actions)('fails when a stranger is granted %s', (action) => {
    const finding = findingOf(control, withMore(allow(action)));
    expect(finding.outcome).toBe('fail');
    expect(finding.message).toContain(STRANGER);
    expect(finding.message).toContain('(Extra)');
  });

  it.each([
    ['the good policy', snapshot(), 'pass'],
    ['no policy', withBucket({ policy: absent('NoSuchBucketPolicy') }), 'pass'],
    ['not readable', withBucket({ policy: DENIED }), 'inconclusive'],
    ['an operator nobody knows', withMore(allow('s3:*', { Condition: { Odd: { k: 'v' } } })), 'inconclusive'],
    ['the own account', withMore(allow('s3:*', { Principal: { AWS: `arn:aws:iam::${ACCOUNT}:root` } })), 'pass'],
    ['another account as a whole', withMore(allow('s3:*', { Principal: { AWS: '999999999999' } })), 'fail'],
    ['a break-glass role that is not listed', withMore(allow('s3:*', { Principal: { AWS: BREAK_GLASS } })), 'fail'],
    ['a stranger whom a Deny stops', withMore(allow('s3:*'), deny('s3:*', butBreakGlass)), 'pass'],
    [
      'everyone, tied to a role that is not listed',
      withMore(allow('s3:*', everyone), deny('s3:*', butBreakGlass)),
      'fail',
    ],
    ['another bucket', withMore(allow('s3:*', { Resource: [`${BUCKET_ARN}-old`, `${BUCKET_ARN}-old/*`] })), 'pass'],
    ['only uploads that were left lying', withMore(allow('s3:AbortMultipartUpload')), 'pass'],
  ])('%s', (_, given, outcome) => {
    expect(findingOf(control, given).outcome).toBe(outcome);
  });

  it.each([
    ['a role that is listed', allow('s3:*', { Principal: { AWS: BREAK_GLASS } }), []],
    ['everyone, tied to a listed role by a Deny', allow('s3:*', everyone), [deny('s3:*', butBreakGlass)]],
    [
      'everyone, tied to a listed role by a condition',
      allow('s3:*', { ...everyone, Condition: { ArnEquals: { 'aws:PrincipalArn': BREAK_GLASS } } }),
      [],
    ],
  ])('passes %s', (_, statement, denies) => {
    expect(findingOf(control, withMore(statement, ...denies), LISTED).outcome).toBe('pass');
  });

  it('is not applicable without a log bucket', () => {
    expect(findingOf(control, snapshot({ trails: [], trailLists: [] })).outcome).toBe('not-applicable');
  });

  it('says with its pass what it cannot see', () => {
    expect(findingOf(control, snapshot()).message).toMatch(CAVEAT);
  });
});

it('POL-02 says what it cannot see too', () => {
  expect(findingOf('POL-02', snapshot()).message).toMatch(CAVEAT);
});

it('POL-04 takes restoring alone for a small matter', () => {
  expect(findingOf('POL-04', withMore(allow('s3:RestoreObject')))).toMatchObject({ outcome: 'fail', severity: 'low' });
});

it('POL-05 lets in an account that is listed, and the audit-reader role', () => {
  expect(findingOf('POL-05', withMore(allow('s3:GetObject')), LISTED).outcome).toBe('pass');
  const reader = `arn:aws:iam::${ACCOUNT}:role/audit-reader`;
  const readerRole = { arn: reader, trustedPrincipals: [], externalId: false, mfa: false, iamRead: false };
  const given = withMore(allow('s3:GetObject', { Principal: { AWS: reader }, Resource: OBJECTS_ARN }));
  expect(findingOf('POL-05', given).outcome).toBe('fail');
  expect(findingOf('POL-05', given, scope({ readerRole })).outcome).toBe('pass');
});
