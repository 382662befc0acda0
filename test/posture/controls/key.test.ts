import { describe, expect, it } from 'vitest';
import { known } from '../../../src/posture/evidence.ts';
import type { PostureScope } from '../../../src/posture/scope.ts';
import type { KeyFacts, KeyMetadata, Snapshot } from '../../../src/posture/snapshot.ts';
import type { Outcome } from '../../../src/report/finding.ts';
import {
  ACCOUNT,
  DENIED,
  findingOf,
  scope,
  snapshot,
  TRAIL_ARN,
  withDescription,
  withTrail,
} from '../../support/snapshot.ts';

const KEY = `arn:aws:kms:eu-west-2:${ACCOUNT}:key/1`;
const READER = `arn:aws:iam::${ACCOUNT}:role/reader`;
const ADMIN = `arn:aws:iam::${ACCOUNT}:role/break-glass`;
const GOOD: KeyMetadata = {
  Arn: KEY,
  AWSAccountId: ACCOUNT,
  KeyState: 'Enabled',
  KeyManager: 'CUSTOMER',
  Origin: 'AWS_KMS',
  KeySpec: 'SYMMETRIC_DEFAULT',
};

interface Statement {
  Sid: string;
  Effect: string;
  Principal: unknown;
  Action: string | string[];
  Resource: string;
  Condition?: unknown;
}
const allow = (Sid: string, Principal: unknown, Action: string | string[], Condition?: unknown): Statement => ({
  Sid,
  Effect: 'Allow',
  Principal,
  Action,
  Resource: '*',
  ...(Condition ? { Condition } : {}),
});
const ROOT = allow('Root', { AWS: `arn:aws:iam::${ACCOUNT}:root` }, 'kms:*');
const TRAIL = allow('CloudTrail', { Service: 'cloudtrail.amazonaws.com' }, 'kms:GenerateDataKey*', {
  StringEquals: { 'aws:SourceArn': TRAIL_ARN },
  StringLike: { 'kms:EncryptionContext:aws:cloudtrail:arn': `arn:aws:cloudtrail:*:${ACCOUNT}:trail/*` },
});
const policy = (...statements: Statement[]) => JSON.stringify({ Version: '2012-10-17', Statement: statements });

const withKey = (patch: Partial<KeyFacts> = {}): Snapshot => ({
  ...withDescription({ KmsKeyId: patch.id ?? KEY }),
  keys: [
    {
      id: KEY,
      metadata: known(GOOD),
      rotation: known({ KeyRotationEnabled: true }),
      policy: known(policy(ROOT, TRAIL)),
      ...patch,
    },
  ],
});
const metadata = (patch: KeyMetadata, more: Partial<KeyFacts> = {}) =>
  withKey({ metadata: known({ ...GOOD, ...patch }), ...more });
const grants = (...statements: Statement[]) => withKey({ policy: known(policy(ROOT, ...statements)) });
const demanding = scope({ keyReaders: [READER], keyAdmins: [ADMIN] });

type Row = [what: string, given: Snapshot, outcome: Outcome, demanded?: PostureScope];
const table = (id: string, rows: Row[]) =>
  describe(id, () => {
    it.each(rows)('%s', (_, given, outcome, demanded = scope()) => {
      expect(findingOf(id, given, demanded).outcome).toBe(outcome);
    });
  });

table('KEY-01', [
  ['a key', withKey(), 'pass'],
  ['none', snapshot(), 'fail'],
  ['not readable', withTrail({ description: DENIED }), 'inconclusive'],
]);

table('KEY-02', [
  ['enabled', withKey(), 'pass'],
  ['disabled', metadata({ KeyState: 'Disabled' }), 'fail'],
  ['to be deleted', metadata({ KeyState: 'PendingDeletion', DeletionDate: '2026-03-08T00:00:00.000Z' }), 'fail'],
  ['managed by AWS', metadata({ KeyManager: 'AWS' }), 'fail'],
  ['refused', withKey({ metadata: DENIED }), 'inconclusive'],
  ['not asked', { ...withKey(), keys: [] }, 'inconclusive'],
  ['no key', snapshot(), 'not-applicable'],
  ['the trail is not readable', withTrail({ description: DENIED }), 'inconclusive'],
]);

const still = { rotation: known({ KeyRotationEnabled: false }) };
table('KEY-03', [
  ['rotated', withKey(), 'pass'],
  ['not rotated', withKey(still), 'fail'],
  ['imported', metadata({ Origin: 'EXTERNAL' }, still), 'not-applicable'],
  ['asymmetric', metadata({ KeySpec: 'RSA_2048' }, still), 'not-applicable'],
  ['not rotated, kind unread', withKey({ ...still, metadata: DENIED }), 'inconclusive'],
  ['refused', withKey({ rotation: DENIED }), 'inconclusive'],
  [
    'a key of another account that does not show it',
    withKey({ id: 'arn:aws:kms:eu-west-2:999999999999:key/1', rotation: DENIED }),
    'not-applicable',
  ],
  ['no key', snapshot(), 'not-applicable'],
]);

const trailOnly = (condition?: unknown) =>
  allow('CloudTrail', { Service: 'cloudtrail.amazonaws.com' }, 'kms:GenerateDataKey*', condition);
table('KEY-04', [
  ['as the guide has it', withKey(), 'pass'],
  ['bound by SourceArn alone', grants(trailOnly({ ArnLike: { 'aws:SourceArn': TRAIL_ARN } })), 'pass'],
  [
    'bound by the encryption context alone',
    grants(
      trailOnly({
        StringLike: { 'kms:EncryptionContext:aws:cloudtrail:arn': `arn:aws:cloudtrail:*:${ACCOUNT}:trail/*` },
      }),
    ),
    'pass',
  ],
  ['not bound', grants(trailOnly()), 'fail'],
  [
    'bound to another account',
    grants(trailOnly({ StringLike: { 'aws:SourceArn': 'arn:aws:cloudtrail:*:999999999999:trail/*' } })),
    'fail',
  ],
  [
    'bound to any account',
    grants(trailOnly({ StringLike: { 'aws:SourceArn': 'arn:aws:cloudtrail:*:*:trail/*' } })),
    'fail',
  ],
  ['bound if the key is there', grants(trailOnly({ StringEqualsIfExists: { 'aws:SourceArn': TRAIL_ARN } })), 'fail'],
  ['CloudTrail may not encrypt', grants(), 'fail'],
  ['a reader who is listed', grants(TRAIL, allow('Read', { AWS: READER }, 'kms:Decrypt')), 'pass', demanding],
  ['a reader who is not', grants(TRAIL, allow('Read', { AWS: READER }, 'kms:Decrypt')), 'fail'],
  [
    'everyone of the account, left to IAM',
    grants(TRAIL, allow('Read', { AWS: '*' }, 'kms:Decrypt', { StringEquals: { 'kms:CallerAccount': ACCOUNT } })),
    'pass',
  ],
  ['everyone', grants(TRAIL, allow('Read', '*', 'kms:Decrypt')), 'fail', demanding],
  ['another account', grants(TRAIL, allow('Read', { AWS: '999999999999' }, 'kms:*')), 'fail', demanding],
  [
    'an administrator who is listed',
    grants(TRAIL, allow('Admin', { AWS: ADMIN }, ['kms:ScheduleKeyDeletion', 'kms:PutKeyPolicy'])),
    'pass',
    demanding,
  ],
  [
    'a reader who may delete the key',
    grants(TRAIL, allow('Admin', { AWS: READER }, 'kms:Schedule*')),
    'fail',
    demanding,
  ],
  ['malformed', withKey({ policy: known('{') }), 'inconclusive'],
  ['refused', withKey({ policy: DENIED }), 'inconclusive'],
  ['no key', snapshot(), 'not-applicable'],
]);

it('KEY-04 prints what a key policy cannot show', () => {
  const finding = findingOf('KEY-04', withKey());
  expect(finding.message).toContain('key policy only');
  expect(finding.evidence).toMatchObject({
    delegatedToIam: [{ principal: `arn:aws:iam::${ACCOUNT}:root`, statement: 'Root' }],
  });
});
