import { expect, it } from 'vitest';
import { unknown } from '../../../src/posture/evidence.ts';
import { DEFAULT_REQUIREMENTS } from '../../../src/posture/scope.ts';
import { allow, BUCKET_ARN, deny, OBJECTS_ARN, STRANGER, withMore } from '../../support/policy.ts';
import { ACCOUNT, findingOf, scope, withBucket } from '../../support/snapshot.ts';

/** Mistakes that auditors before us made with bucket policies, each with the right answer. */
it.each([
  ['a Deny is not ignored', 'POL-03', withMore(allow('s3:DeleteObject'), deny('s3:DeleteObject')), 'pass'],
  [
    'a Deny under a condition is not taken for one',
    'POL-03',
    withMore(
      allow('s3:DeleteObject'),
      deny('s3:DeleteObject', { Condition: { StringEquals: { 'aws:RequestedRegion': 'us-east-1' } } }),
    ),
    'fail',
  ],
  [
    'NotPrincipal with Allow is everyone else',
    'POL-05',
    withMore({ ...allow('s3:GetObject'), Principal: undefined, NotPrincipal: { AWS: STRANGER } }),
    'fail',
  ],
  [
    'NotPrincipal with Deny spares whom it names',
    'POL-05',
    withMore(allow('s3:GetObject'), { ...deny('s3:*'), Principal: undefined, NotPrincipal: { AWS: STRANGER } }),
    'fail',
  ],
  ['NotAction grants all the rest', 'POL-03', withMore({ ...allow(undefined), NotAction: 's3:GetObject' }), 'fail'],
  [
    'NotAction in a Deny denies all the rest',
    'POL-03',
    withMore(allow('s3:*'), { ...deny(undefined), NotAction: 's3:GetObject' }),
    'pass',
  ],
  [
    'NotResource grants on all the rest',
    'POL-05',
    withMore({ ...allow('s3:GetObject'), Resource: undefined, NotResource: `${BUCKET_ARN}/public/*` }),
    'fail',
  ],
  [
    'IfExists does not narrow',
    'POL-05',
    withMore(
      allow('s3:GetObject', {
        Principal: '*',
        Condition: { StringEqualsIfExists: { 'aws:PrincipalArn': `arn:aws:iam::${ACCOUNT}:role/reader` } },
      }),
    ),
    'fail',
  ],
  [
    'ForAllValues does not narrow',
    'POL-05',
    withMore(
      allow('s3:GetObject', {
        Principal: '*',
        Condition: { 'ForAllValues:StringEquals': { 'aws:PrincipalArn': `arn:aws:iam::${ACCOUNT}:role/reader` } },
      }),
    ),
    'fail',
  ],
  [
    'a bucket whose name begins alike is another',
    'POL-03',
    withMore(allow('s3:*', { Resource: [`${BUCKET_ARN}-old`, `${BUCKET_ARN}-old/*`] })),
    'pass',
  ],
  [
    'a pattern that reaches the bucket is this one',
    'POL-03',
    withMore(allow('s3:*', { Resource: 'arn:aws:s3:::acme-*' })),
    'fail',
  ],
  ['bucket ARNs do not grant on objects', 'POL-05', withMore(allow('s3:GetObject', { Resource: BUCKET_ARN })), 'pass'],
  ['wildcards hide deletion', 'POL-03', withMore(allow('s3:*Object', { Resource: OBJECTS_ARN })), 'fail'],
])('%s', (_, control, given, outcome) => {
  const reader = `arn:aws:iam::${ACCOUNT}:role/reader`;
  const demanded = scope({ logBucketDefaults: { ...DEFAULT_REQUIREMENTS, readers: [reader] } });
  expect(findingOf(control, given, demanded).outcome).toBe(outcome);
});

it('an account id is not matched as part of another', () => {
  const demanded = scope({ logBucketDefaults: { ...DEFAULT_REQUIREMENTS, readers: [ACCOUNT.slice(0, 11)] } });
  const given = withMore(allow('s3:GetObject', { Principal: { AWS: `arn:aws:iam::${ACCOUNT}:role/x` } }));
  expect(findingOf('POL-05', given, demanded).outcome).toBe('fail');
});

it.each(['POL-01', 'POL-02', 'POL-03', 'POL-04', 'POL-05', 'POL-06', 'POL-08', 'POL-09', 'POL-10', 'AP-01'])(
  "%s: another account's bucket that will not answer is no failure",
  (control) => {
    const call = { api: 'GetBucketPolicy', iamAction: 's3:GetBucketPolicy' };
    const given = withBucket({ policy: unknown('cross-account', call, 'AccessDenied') });
    expect(findingOf(control, given).outcome).toBe('inconclusive');
  },
);
