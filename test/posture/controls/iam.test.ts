import { describe, expect, it } from 'vitest';
import { absent, type Evidence, known } from '../../../src/posture/evidence.ts';
import { callsOf } from '../../../src/posture/needs.ts';
import { readerPolicy } from '../../../src/posture/reader-policy.ts';
import { DEFAULT_REQUIREMENTS, type ReaderRoleScope } from '../../../src/posture/scope.ts';
import type { Snapshot } from '../../../src/posture/snapshot.ts';
import { ssoRolePatterns, trustPolicy } from '../../../src/posture/trust-policy.ts';
import { BUCKET_ARN, OBJECTS_ARN } from '../../support/policy.ts';
import {
  ACCOUNT,
  DENIED,
  findingOf,
  LOG_BUCKET,
  STATE_BUCKET,
  scope,
  snapshot,
  trailFacts,
} from '../../support/snapshot.ts';

const ROLE = `arn:aws:iam::${ACCOUNT}:role/audit-reader`;
const HUB = 'arn:aws:iam::222222222222:role/hub';
const demands = (patch: Partial<ReaderRoleScope> = {}) =>
  scope({
    readerRole: { arn: ROLE, trustedPrincipals: [HUB], externalId: true, mfa: false, iamRead: false, ...patch },
  });
const text = (...Statement: object[]) => JSON.stringify({ Version: '2012-10-17', Statement });
const may = (Action: unknown, Resource: unknown = '*', more: object = {}) => ({
  Effect: 'Allow',
  Action,
  Resource,
  ...more,
});
const READS = may(
  ['s3:GetObject', 's3:GetObjectVersion', 's3:ListBucket', 's3:ListBucketVersions'],
  [BUCKET_ARN, OBJECTS_ARN],
);
const trust = (patch: object = {}) =>
  text({
    Effect: 'Allow',
    Principal: { AWS: HUB },
    Action: 'sts:AssumeRole',
    Condition: { StringEquals: { 'sts:ExternalId': 'x' } },
    ...patch,
  });

type Given = {
  readonly document?: Evidence<string>;
  readonly boundary?: Evidence<string>;
  readonly AssumeRolePolicyDocument?: string;
};
const withRole = ({
  document = known(text(READS)),
  boundary = absent('None'),
  AssumeRolePolicyDocument = trust(),
}: Given): Snapshot =>
  snapshot({
    roles: [
      {
        arn: ROLE,
        role: known({ Arn: ROLE, AssumeRolePolicyDocument }),
        policies: known(document.state === 'absent' ? [] : [{ name: 'reading', kind: 'inline', document }]),
        boundary,
      },
    ],
  });
const withPolicy = (...statements: object[]) => withRole({ document: known(text(...statements)) });

describe('IAM-01, what the audit reader may do', () => {
  it.each([
    ['reads logs', withPolicy(READS), 'pass'],
    [
      'reads configuration anywhere',
      withPolicy(
        READS,
        may([
          'cloudtrail:DescribeTrails',
          'cloudtrail:Get*',
          's3:GetBucket*',
          's3:GetEncryptionConfiguration',
          's3:ListAccessPoints',
          'kms:DescribeKey',
          'sts:GetCallerIdentity',
        ]),
      ),
      'pass',
    ],
    ['decrypts with a named key', withPolicy(may('kms:Decrypt', `arn:aws:kms:eu-west-2:${ACCOUNT}:key/k`)), 'pass'],
    ['decrypts with any key', withPolicy(may('kms:Decrypt')), 'fail'],
    ['everything', withPolicy(may('*')), 'fail'],
    ['everything on the bucket', withPolicy(may('s3:*', [BUCKET_ARN, OBJECTS_ARN])), 'fail'],
    ['reads every bucket', withPolicy(may('s3:GetObject')), 'fail'],
    ['reads a bucket whose name begins like it', withPolicy(may('s3:GetObject', `${BUCKET_ARN}*`)), 'fail'],
    ['deletes', withPolicy(READS, may('s3:DeleteObject', OBJECTS_ARN)), 'fail'],
    ['deletes, spelt otherwise', withPolicy(may('S3:deleteobject', OBJECTS_ARN)), 'fail'],
    ['all but deleting', withPolicy({ Effect: 'Allow', NotAction: 's3:Delete*', Resource: '*' }), 'fail'],
    ['stops logging', withPolicy(may('cloudtrail:StopLogging')), 'fail'],
    ['whatever begins with cloudtrail', withPolicy(may('cloudtrail:*')), 'fail'],
    ['schedules the deletion of keys', withPolicy(may('kms:ScheduleKeyDeletion')), 'fail'],
    ['passes roles', withPolicy(may('iam:PassRole')), 'fail'],
    ['assumes roles', withPolicy(may('sts:AssumeRole')), 'fail'],
    ['reads IAM unasked', withPolicy(may('iam:ListUsers')), 'fail'],
    [
      'decrypts what it reads in S3',
      withPolicy(may('kms:Decrypt', '*', { Condition: { StringLike: { 'kms:ViaService': 's3.*.amazonaws.com' } } })),
      'pass',
    ],
    [
      'decrypts through any service',
      withPolicy(may('kms:Decrypt', '*', { Condition: { StringLike: { 'kms:ViaService': '*' } } })),
      'fail',
    ],
    ['lists the state bucket', withPolicy(may('s3:ListBucket', `arn:aws:s3:::${STATE_BUCKET}`)), 'pass'],
    ['reads the state bucket', withPolicy(may('s3:GetObject', `arn:aws:s3:::${STATE_BUCKET}/*`)), 'fail'],
    [
      'deletes, but for a Deny',
      withPolicy(may('s3:DeleteObject', OBJECTS_ARN), { Effect: 'Deny', Action: 's3:Delete*', Resource: '*' }),
      'pass',
    ],
    [
      'deletes, but for a Deny under a condition',
      withPolicy(may('s3:DeleteObject', OBJECTS_ARN), {
        Effect: 'Deny',
        Action: 's3:Delete*',
        Resource: '*',
        Condition: { Bool: { 'aws:MultiFactorAuthPresent': 'false' } },
      }),
      'fail',
    ],
    [
      'everything, within a boundary',
      withRole({ document: known(text(may('*'))), boundary: known(text(READS)) }),
      'pass',
    ],
    [
      'everything, within a boundary that allows it',
      withRole({ document: known(text(may('*'))), boundary: known(text(may('*'))) }),
      'fail',
    ],
    [
      'everything, within a boundary nobody may read',
      withRole({ document: known(text(may('*'))), boundary: DENIED }),
      'inconclusive',
    ],
    ['reads logs, within a boundary nobody may read', withRole({ boundary: DENIED }), 'pass'],
    ['a policy that is not readable', withRole({ document: DENIED }), 'inconclusive'],
    ['a policy that is none', withRole({ document: known('{}') }), 'inconclusive'],
    [
      'no such role',
      snapshot({ roles: [{ arn: ROLE, role: absent('NoSuchEntity'), policies: DENIED, boundary: DENIED }] }),
      'fail',
    ],
    ['never asked about', snapshot(), 'inconclusive'],
  ])('%s', (_, given, outcome) => {
    expect(findingOf('IAM-01', given, demands()).outcome).toBe(outcome);
  });

  it('reads IAM where the config asks for it', () => {
    expect(findingOf('IAM-01', withPolicy(may(['iam:Get*', 'iam:List*'])), demands({ iamRead: true })).outcome).toBe(
      'pass',
    );
  });

  it('cannot tell reading of logs from other reading while log buckets are unknown', () => {
    const blind = { ...withRole({}), trails: [trailFacts({ description: DENIED })] };
    expect(findingOf('IAM-01', blind, demands()).outcome).toBe('inconclusive');
  });
});

describe('IAM-02, who may become the audit reader', () => {
  const trusted = (patch: object) => withRole({ AssumeRolePolicyDocument: trust(patch) });
  it.each([
    ['the one named', withRole({}), 'pass'],
    ['everybody', trusted({ Principal: '*' }), 'fail'],
    ['everybody by NotPrincipal', trusted({ Principal: undefined, NotPrincipal: { AWS: HUB } }), 'fail'],
    [
      'everybody, tied to the one named',
      trusted({
        Principal: '*',
        Condition: { ArnEquals: { 'aws:PrincipalArn': HUB }, StringEquals: { 'sts:ExternalId': 'x' } },
      }),
      'pass',
    ],
    ['its whole account', trusted({ Principal: { AWS: '222222222222' } }), 'fail'],
    ['another', trusted({ Principal: { AWS: [HUB, 'arn:aws:iam::333333333333:role/x'] } }), 'fail'],
    ['without an external id', trusted({ Condition: {} }), 'fail'],
    [
      'with an external id if there is one',
      trusted({ Condition: { StringEqualsIfExists: { 'sts:ExternalId': 'x' } } }),
      'fail',
    ],
    [
      'no such role',
      snapshot({ roles: [{ arn: ROLE, role: absent('NoSuchEntity'), policies: DENIED, boundary: DENIED }] }),
      'fail',
    ],
    [
      'not readable',
      snapshot({ roles: [{ arn: ROLE, role: DENIED, policies: DENIED, boundary: DENIED }] }),
      'inconclusive',
    ],
    ['no policy language', withRole({ AssumeRolePolicyDocument: '' }), 'inconclusive'],
  ])('%s', (_, given, outcome) => {
    expect(findingOf('IAM-02', given, demands()).outcome).toBe(outcome);
  });

  it.each([
    ['there', { StringEquals: { 'sts:ExternalId': 'x' }, Bool: { 'aws:MultiFactorAuthPresent': 'true' } }, 'pass'],
    [
      'if there',
      { StringEquals: { 'sts:ExternalId': 'x' }, BoolIfExists: { 'aws:MultiFactorAuthPresent': 'true' } },
      'fail',
    ],
    ['not asked for', { StringEquals: { 'sts:ExternalId': 'x' } }, 'fail'],
  ])('MFA %s', (_, Condition, outcome) => {
    expect(findingOf('IAM-02', trusted({ Condition }), demands({ mfa: true })).outcome).toBe(outcome);
  });

  const GITHUB = `arn:aws:iam::${ACCOUNT}:oidc-provider/token.actions.githubusercontent.com`;
  const sub = (operator: string, value: unknown) => ({
    [operator]: { 'token.actions.githubusercontent.com:sub': value },
  });
  it.each([
    ['one branch', sub('StringEquals', 'repo:acme/audit:ref:refs/heads/main'), 'pass'],
    ['the repositories of one owner', sub('StringLike', 'repo:acme/*'), 'pass'],
    ['every repository of the world', sub('StringLike', 'repo:*'), 'fail'],
    ['owners whose names begin the same', sub('StringLike', ['repo:acme/audit:*', 'repo:acme*']), 'fail'],
    ['whoever has a token, if it names no subject', sub('StringLikeIfExists', 'repo:acme/*'), 'fail'],
    ['whoever has a token', {}, 'fail'],
  ])('a web identity: %s', (_, Condition, outcome) => {
    const given = trusted({ Principal: { Federated: GITHUB }, Condition });
    expect(findingOf('IAM-02', given, demands({ trustedPrincipals: [GITHUB] })).outcome).toBe(outcome);
  });

  it('names nobody in particular when the config does not, but still not everybody', () => {
    const anyone = demands({ trustedPrincipals: [], externalId: false });
    expect(findingOf('IAM-02', trusted({ Condition: {} }), anyone).outcome).toBe('pass');
    expect(findingOf('IAM-02', trusted({ Principal: '*', Condition: {} }), anyone).outcome).toBe('fail');
  });
});

it.each(['IAM-01', 'IAM-02'])('%s is not applicable where no reader role is configured', (control) => {
  expect(findingOf(control, snapshot()).outcome).toBe('not-applicable');
});

it.each([
  ['whose buckets the config names', [{ ...DEFAULT_REQUIREMENTS, bucket: LOG_BUCKET, prefix: null }]],
  ['whose buckets are found', []],
])('the role that trailseal iam-policy prints passes, %s', (_, logBuckets) => {
  const people = ssoRolePatterns('Audit', 'aws', ACCOUNT);
  const readerRole = { arn: ROLE, trustedPrincipals: [HUB, ...people], externalId: true, mfa: true, iamRead: false };
  const demanded = scope({ readerRole, logBuckets, objects: { sample: 'all', seed: 0 } });
  const place = { partition: 'aws', account: ACCOUNT };
  const printed = withRole({
    document: known(JSON.stringify(readerPolicy(callsOf('audit', demanded), demanded, place))),
    AssumeRolePolicyDocument: JSON.stringify(trustPolicy(readerRole, place, { audience: '', subjects: [] })),
  });
  expect(findingOf('IAM-01', printed, demanded)).toMatchObject({ outcome: 'pass' });
  expect(findingOf('IAM-02', printed, demanded)).toMatchObject({ outcome: 'pass' });
});
