import { expect, it } from 'vitest';
import { absent } from '../../../src/posture/evidence.ts';
import {
  BUCKET_ARN,
  deny,
  LOG_STATEMENTS,
  OBJECTS_ARN,
  type StatementDocument,
  withStatements,
} from '../../support/policy.ts';
import { ACCOUNT, DENIED, findingOf, snapshot, withBucket } from '../../support/snapshot.ts';

const PLAIN = { Condition: { Bool: { 'aws:SecureTransport': 'false' } } };
const others = LOG_STATEMENTS.slice(0, 2);
const tls = (...denies: readonly StatementDocument[]) => withStatements(...others, ...denies);

it.each([
  ['one Deny of all', tls(deny('s3:*', PLAIN)), 'pass'],
  ['for AWS *', tls(deny('s3:*', { ...PLAIN, Principal: { AWS: '*' } })), 'pass'],
  ['a boolean', tls(deny('*', { Condition: { Bool: { 'aws:SecureTransport': false } } })), 'pass'],
  [
    'BoolIfExists with a list',
    tls(deny('s3:*', { Condition: { BoolIfExists: { 'AWS:SecureTransport': ['false'] } } })),
    'pass',
  ],
  ['the essential actions', tls(deny(['s3:Get*', 's3:Put*', 's3:Delete*', 's3:List*'], PLAIN)), 'pass'],
  [
    'two Denies',
    tls(deny('s3:*', { ...PLAIN, Resource: BUCKET_ARN }), deny('s3:*', { ...PLAIN, Resource: OBJECTS_ARN })),
    'pass',
  ],
  [
    'another for the TLS version',
    tls(deny('s3:*', PLAIN), deny('s3:*', { Condition: { NumericLessThan: { 's3:TlsVersion': '1.2' } } })),
    'pass',
  ],
  ['no Deny', tls(), 'fail'],
  ['the bucket only', tls(deny('s3:*', { ...PLAIN, Resource: BUCKET_ARN })), 'fail'],
  ['the objects only', tls(deny('s3:*', { ...PLAIN, Resource: OBJECTS_ARN })), 'fail'],
  ['a part of the objects', tls(deny('s3:*', { ...PLAIN, Resource: [BUCKET_ARN, `${BUCKET_ARN}/AWSLogs/*`] })), 'fail'],
  ['reading only', tls(deny('s3:GetObject', PLAIN)), 'fail'],
  ['one account only', tls(deny('s3:*', { ...PLAIN, Principal: { AWS: ACCOUNT } })), 'fail'],
  ['all but one', tls({ ...deny('s3:*', PLAIN), Principal: undefined, NotPrincipal: { AWS: ACCOUNT } }), 'fail'],
  ['the wrong way round', tls(deny('s3:*', { Condition: { Bool: { 'aws:SecureTransport': 'true' } } })), 'fail'],
  [
    'a further condition',
    tls(deny('s3:*', { Condition: { ...PLAIN.Condition, StringEquals: { 'aws:PrincipalOrgID': 'o-1' } } })),
    'fail',
  ],
  ['an Allow under TLS in its place', tls(deny('s3:*', { ...PLAIN, Effect: 'Allow' })), 'fail'],
  ['no policy', withBucket({ policy: absent('NoSuchBucketPolicy') }), 'fail'],
  ['not readable', withBucket({ policy: DENIED }), 'inconclusive'],
  ['no log bucket', snapshot({ trails: [], trailLists: [] }), 'not-applicable'],
])('denies requests without TLS: %s', (_, given, outcome) => {
  expect(findingOf('POL-06', given).outcome).toBe(outcome);
});
