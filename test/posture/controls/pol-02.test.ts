import { expect, it } from 'vitest';
import { absent, known } from '../../../src/posture/evidence.ts';
import { DEFAULT_REQUIREMENTS } from '../../../src/posture/scope.ts';
import {
  allow,
  BREAK_GLASS,
  BUCKET_ARN,
  deny,
  LOG_STATEMENTS,
  OBJECTS_ARN,
  STRANGER,
  type StatementDocument,
  withMore,
  withStatements,
} from '../../support/policy.ts';
import {
  ACCOUNT,
  DENIED,
  findingOf,
  scope,
  snapshot,
  TRAIL_ARN,
  trailFacts,
  withBucket,
} from '../../support/snapshot.ts';

const [aclCheck = {}, write = {}, tlsOnly = {}] = LOG_STATEMENTS;
const withWrite = (patch: StatementDocument) => withStatements(aclCheck, { ...write, ...patch }, tlsOnly);
const ACL = { 's3:x-amz-acl': 'bucket-owner-full-control' };
const tied = (condition: object) => withWrite({ Condition: condition });

it.each([
  ['the good policy', snapshot(), 'pass', 'critical'],
  ['none at all', withBucket({ policy: absent('NoSuchBucketPolicy') }), 'pass', 'critical'],
  ['not readable', withBucket({ policy: DENIED }), 'inconclusive', 'critical'],
  ['no policy language', withBucket({ policy: known('[]') }), 'inconclusive', 'critical'],
  ['a stranger', withMore(allow('s3:PutObject')), 'fail', 'critical'],
  ['everyone, but for the public access block', withMore(allow('s3:Put*', { Principal: '*' })), 'fail', 'medium'],
  [
    'everyone in the organization',
    withMore(allow('s3:PutObject', { Principal: '*', Condition: { StringEquals: { 'aws:PrincipalOrgID': 'o-1' } } })),
    'fail',
    'critical',
  ],
  [
    'another service',
    withMore(allow('s3:PutObject', { Principal: { Service: 'config.amazonaws.com' } })),
    'fail',
    'critical',
  ],
  ['replication into it', withMore(allow('s3:ReplicateObject')), 'fail', 'critical'],
  ['tags', withMore(allow('s3:PutObjectTagging')), 'fail', 'critical'],
  ['only aborting uploads', withMore(allow('s3:AbortMultipartUpload')), 'pass', 'critical'],
  ['only reading', withMore(allow('s3:GetObject')), 'pass', 'critical'],
  [
    'a role of the own account',
    withMore(allow('s3:PutObject', { Principal: { AWS: BREAK_GLASS } })),
    'fail',
    'critical',
  ],
  [
    'the own account, which leaves it to its IAM',
    withMore(allow('s3:*', { Principal: { AWS: ACCOUNT } })),
    'pass',
    'critical',
  ],
  ['another account', withMore(allow('s3:PutObject', { Principal: { AWS: '999999999999' } })), 'fail', 'critical'],
  [
    'a stranger whom a Deny stops',
    withMore(
      allow('s3:PutObject'),
      deny('s3:PutObject', { Condition: { ArnNotLike: { 'aws:PrincipalArn': BREAK_GLASS } } }),
    ),
    'pass',
    'critical',
  ],
  [
    'a stranger under an operator nobody knows',
    withMore(allow('s3:PutObject', { Condition: { Odd: { k: 'v' } } })),
    'inconclusive',
    'critical',
  ],
  // CloudTrail's own statement
  ['CloudTrail without SourceArn', tied({ StringEquals: ACL }), 'fail', 'critical'],
  [
    'CloudTrail tied to the account only',
    tied({ StringEquals: { ...ACL, 'aws:SourceAccount': ACCOUNT } }),
    'fail',
    'medium',
  ],
  [
    'CloudTrail tied to another account',
    tied({ StringEquals: { ...ACL, 'aws:SourceAccount': '999999999999' } }),
    'fail',
    'critical',
  ],
  [
    'CloudTrail tied to any trail of the account',
    tied({ StringEquals: ACL, ArnLike: { 'aws:SourceArn': `arn:aws:cloudtrail:*:${ACCOUNT}:trail/*` } }),
    'fail',
    'medium',
  ],
  [
    'CloudTrail tied to the trail in any Region',
    tied({ StringEquals: ACL, ArnLike: { 'aws:SourceArn': `arn:aws:cloudtrail:*:${ACCOUNT}:trail/audit` } }),
    'pass',
    'critical',
  ],
  [
    'CloudTrail tied to a foreign trail',
    tied({ StringEquals: { ...ACL, 'aws:SourceArn': TRAIL_ARN.replace(ACCOUNT, '999999999999') } }),
    'fail',
    'critical',
  ],
  [
    'a star under StringEquals, which is a letter there',
    tied({ StringEquals: { ...ACL, 'aws:SourceArn': 'arn:aws:cloudtrail:*:*:trail/audit' } }),
    'fail',
    'critical',
  ],
  [
    'CloudTrail tied only if the key is there',
    tied({ StringEquals: ACL, StringEqualsIfExists: { 'aws:SourceArn': TRAIL_ARN } }),
    'fail',
    'critical',
  ],
  ['CloudTrail outside AWSLogs', withWrite({ Resource: OBJECTS_ARN }), 'fail', 'medium'],
])('who may put objects: %s', (_, given, outcome, severity) => {
  expect(findingOf('POL-02', given)).toMatchObject({ outcome, severity });
});

it('accepts writers that the config lists', () => {
  const listed = scope({ logBucketDefaults: { ...DEFAULT_REQUIREMENTS, writers: [STRANGER] } });
  expect(findingOf('POL-02', withMore(allow('s3:PutObject')), listed).outcome).toBe('pass');
});

it('accepts trails of other accounts that the config names', () => {
  const other = 'arn:aws:cloudtrail:eu-west-2:222222222222:trail/theirs';
  const given = withMore({
    ...write,
    Sid: 'Theirs',
    Resource: `${BUCKET_ARN}/AWSLogs/222222222222/*`,
    Condition: { StringEquals: { ...ACL, 'aws:SourceArn': other } },
  });
  const named = scope({ trails: [TRAIL_ARN, other].map((arn) => ({ arn, bucket: null, prefix: null })) });
  expect(findingOf('POL-02', given).outcome).toBe('fail');
  expect(findingOf('POL-02', given, named).outcome).toBe('pass');
});

it('a stranger is a failure though nobody knows which trails write here', () => {
  const blind = (given: typeof good) => ({ ...given, trails: [trailFacts({ description: DENIED })] });
  const good = snapshot();
  const named = scope({ logBuckets: [{ ...DEFAULT_REQUIREMENTS, bucket: 'acme-cloudtrail-logs', prefix: null }] });
  expect(findingOf('POL-02', blind(good), named).outcome).toBe('inconclusive');
  expect(findingOf('POL-02', blind(withMore(allow('s3:PutObject'))), named).outcome).toBe('fail');
});

it('is latent, not passed, where RestrictPublicBuckets keeps strangers out of a public policy', () => {
  const given = withMore(allow('s3:PutObject', { Principal: '*' }));
  const unblocked = {
    ...given,
    accounts: [],
    buckets: given.buckets.map((facts) => ({ ...facts, publicAccessBlock: DENIED })),
  };
  expect(findingOf('POL-02', given)).toMatchObject({ outcome: 'fail', severity: 'medium' });
  expect(findingOf('POL-02', unblocked)).toMatchObject({ outcome: 'fail', severity: 'critical' });
});
