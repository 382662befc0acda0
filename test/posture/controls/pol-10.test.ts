import { expect, it } from 'vitest';
import { absent, known } from '../../../src/posture/evidence.ts';
import type { Snapshot } from '../../../src/posture/snapshot.ts';
import { BREAK_GLASS, BUCKET_ARN, deny, OBJECTS_ARN, withMore } from '../../support/policy.ts';
import { DENIED, findingOf, GOOD_DESCRIPTION, snapshot, trailFacts, withBucket } from '../../support/snapshot.ts';

const SSE = 's3:x-amz-server-side-encryption';
const puts = (Condition: object) => withMore(deny('s3:PutObject', { Resource: OBJECTS_ARN, Condition }));
const notService = { Bool: { 'aws:PrincipalIsAWSService': 'false' } };
const underKey = (given: Snapshot): Snapshot => ({
  ...given,
  trails: [
    trailFacts({ description: known({ ...GOOD_DESCRIPTION, KmsKeyId: 'arn:aws:kms:eu-west-2:111122223333:key/k' }) }),
  ],
});

it.each([
  ['the good policy', snapshot(), 'pass'],
  ['no policy', withBucket({ policy: absent('NoSuchBucketPolicy') }), 'pass'],
  [
    'aws:kms only, though digests may be under SSE-S3',
    underKey(puts({ StringNotEquals: { [SSE]: 'aws:kms' } })),
    'fail',
  ],
  ['aws:kms or AES256', underKey(puts({ StringNotEquals: { [SSE]: ['aws:kms', 'AES256'] } })), 'pass'],
  ['AES256 only, for a trail without a key', puts({ StringNotEquals: { [SSE]: 'AES256' } }), 'pass'],
  ['AES256 only, for a trail with a key', underKey(puts({ StringNotEquals: { [SSE]: 'AES256' } })), 'fail'],
  ['some encryption', puts({ Null: { [SSE]: 'true' } }), 'pass'],
  ['a network', puts({ StringNotEquals: { 'aws:SourceVpc': 'vpc-1' } }), 'fail'],
  ['a network, services excepted', puts({ StringNotEquals: { 'aws:SourceVpc': 'vpc-1' }, ...notService }), 'pass'],
  ['addresses', puts({ NotIpAddress: { 'aws:SourceIp': '192.0.2.0/24' } }), 'fail'],
  ['the organization', puts({ StringNotEquals: { 'aws:PrincipalOrgID': 'o-1' } }), 'fail'],
  [
    'the organization, CloudTrail excepted by name',
    puts({ StringNotEquals: { 'aws:PrincipalOrgID': 'o-1', 'aws:PrincipalServiceName': 'cloudtrail.amazonaws.com' } }),
    'pass',
  ],
  ['everybody but a role', puts({ ArnNotLike: { 'aws:PrincipalArn': BREAK_GLASS } }), 'fail'],
  ['everybody', puts({}), 'fail'],
  [
    'lock headers, which CloudTrail does not send',
    puts({ StringNotEquals: { 's3:object-lock-mode': 'COMPLIANCE' } }),
    'fail',
  ],
  ['another ACL', puts({ StringNotEquals: { 's3:x-amz-acl': 'bucket-owner-full-control' } }), 'pass'],
  ['old TLS', puts({ NumericLessThan: { 's3:TlsVersion': '1.2' } }), 'pass'],
  ['TLS 1.3 only, which we cannot tell', puts({ NumericLessThan: { 's3:TlsVersion': '1.3' } }), 'inconclusive'],
  ['another trail', puts({ ArnNotLike: { 'aws:SourceArn': 'arn:aws:cloudtrail:*:999999999999:trail/*' } }), 'fail'],
  ['the ACL check', withMore(deny('s3:GetBucketAcl', { Resource: BUCKET_ARN })), 'fail'],
  ['other actions', withMore(deny('s3:DeleteObject*')), 'pass'],
  [
    'all but a role, by NotPrincipal',
    withMore({ ...deny('s3:*'), Principal: undefined, NotPrincipal: { AWS: BREAK_GLASS } }),
    'fail',
  ],
  ['not readable', withBucket({ policy: DENIED }), 'inconclusive'],
  ['no log bucket', snapshot({ trails: [], trailLists: [] }), 'not-applicable'],
])('no Deny in the way of delivery: %s', (_, given, outcome) => {
  expect(findingOf('POL-10', given).outcome).toBe(outcome);
});

it('names the Deny and what it stops', () => {
  const { message, evidence } = findingOf('POL-10', puts({ StringNotEquals: { 'aws:SourceVpc': 'vpc-1' } }));
  expect(message).toMatch(/^Guard denies s3:PutObject under SSE-S3 to .*\/CloudTrail\/\* for arn:/);
  expect(evidence).toMatchObject({ statements: ['Guard'] });
});
