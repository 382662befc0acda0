import { describe, expect, it } from 'vitest';
import { type Evidence, known } from '../../../src/posture/evidence.ts';
import type { Organization, Snapshot } from '../../../src/posture/snapshot.ts';
import { BUCKET_ARN, type StatementDocument, withStatements } from '../../support/policy.ts';
import { ACCOUNT, findingOf, GOOD_DESCRIPTION, TRAIL_ARN, trailFacts } from '../../support/snapshot.ts';

/** Statements as the AWS CloudTrail guide arranges them for its three kinds of bucket policy. */
const SERVICE = { Service: 'cloudtrail.amazonaws.com' };
const ACL = { 's3:x-amz-acl': 'bucket-owner-full-control' };
const checks = (trails: string | string[]): StatementDocument => ({
  Sid: 'AWSCloudTrailAclCheck20150319',
  Effect: 'Allow',
  Principal: SERVICE,
  Action: 's3:GetBucketAcl',
  Resource: BUCKET_ARN,
  Condition: { StringEquals: { 'aws:SourceArn': trails } },
});
const writes = (Sid: string, Resource: string | string[], trails: string | string[]): StatementDocument => ({
  Sid,
  Effect: 'Allow',
  Principal: SERVICE,
  Action: 's3:PutObject',
  Resource,
  Condition: { StringEquals: { ...ACL, 'aws:SourceArn': trails } },
});

const OTHER_ACCOUNT = '222222222222';
const OTHER_TRAIL = `arn:aws:cloudtrail:us-east-1:${OTHER_ACCOUNT}:trail/secondaryTrailName`;
const ORGANIZATION = 'o-exampleorgid';
const logsOf = (place: string) => `${BUCKET_ARN}/AWSLogs/${place}/*`;

const ownTrail = trailFacts();
const otherTrail = trailFacts({
  arn: OTHER_TRAIL,
  account: OTHER_ACCOUNT,
  description: known({ ...GOOD_DESCRIPTION, TrailARN: OTHER_TRAIL }),
});
const organizationTrail = trailFacts({ description: known({ ...GOOD_DESCRIPTION, IsOrganizationTrail: true }) });

interface Sample {
  readonly trails: Snapshot['trails'];
  readonly organization?: Evidence<Organization>;
  readonly statements: readonly StatementDocument[];
}

const SAMPLES: { readonly [name: string]: Sample } = {
  'one account': {
    trails: [ownTrail],
    statements: [checks(TRAIL_ARN), writes('AWSCloudTrailWrite20150319', logsOf(ACCOUNT), TRAIL_ARN)],
  },
  'several accounts': {
    trails: [ownTrail, otherTrail],
    statements: [
      checks([TRAIL_ARN, OTHER_TRAIL]),
      writes('AWSCloudTrailWrite20150319', [logsOf(ACCOUNT), logsOf(OTHER_ACCOUNT)], [TRAIL_ARN, OTHER_TRAIL]),
    ],
  },
  'an organization trail': {
    trails: [organizationTrail],
    organization: known({ Id: ORGANIZATION, MasterAccountId: ACCOUNT }),
    statements: [
      checks(TRAIL_ARN),
      writes('AWSCloudTrailWrite20150319', logsOf(ACCOUNT), TRAIL_ARN),
      writes('AWSCloudTrailOrganizationWrite20150319', logsOf(ORGANIZATION), TRAIL_ARN),
    ],
  },
};

const given = ({ trails, organization }: Sample, statements: readonly StatementDocument[]): Snapshot => ({
  ...withStatements(...statements),
  trails,
  ...(organization ? { organization } : {}),
});
const outcomes = (snapshot: Snapshot) =>
  ['POL-02', 'POL-03', 'POL-08'].map((control) => findingOf(control, snapshot).outcome);

/** One element changed, each in a way that a slip of the hand or of a module would. */
const MUTATIONS: readonly (readonly [string, (statement: StatementDocument) => StatementDocument])[] = [
  ['Effect: Deny', (s) => ({ ...s, Effect: 'Deny' })],
  ['Principal: another service', (s) => ({ ...s, Principal: { Service: 'config.amazonaws.com' } })],
  ['Principal: a role', (s) => ({ ...s, Principal: { AWS: `arn:aws:iam::${ACCOUNT}:role/CloudTrail` } })],
  ['Action: another', (s) => ({ ...s, Action: 's3:GetBucketLocation' })],
  ['Resource: another bucket', (s) => ({ ...s, Resource: `arn:aws:s3:::other/AWSLogs/${ACCOUNT}/*` })],
  ['Resource: a part', (s) => ({ ...s, Resource: `${BUCKET_ARN}/AWSLogs/${ACCOUNT}/CloudTrail/eu-west-2/*` })],
  ['Condition: another trail', (s) => conditioned(s, { 'aws:SourceArn': `${TRAIL_ARN}-2` })],
  [
    'Condition: a trail of another account',
    (s) => conditioned(s, { 'aws:SourceArn': TRAIL_ARN.replace(ACCOUNT, '999999999999') }),
  ],
  ['Condition: a key CloudTrail does not send', (s) => conditioned(s, { 'aws:PrincipalOrgID': ORGANIZATION })],
  [
    'Condition: a wildcard under StringEquals',
    (s) => conditioned(s, { 'aws:SourceArn': `arn:aws:cloudtrail:*:${ACCOUNT}:trail/*` }),
  ],
];
const WRITE_MUTATIONS: typeof MUTATIONS = [
  ['Condition: another ACL', (s) => conditioned(s, { 's3:x-amz-acl': 'private' })],
  ['Condition: no SourceArn', (s) => ({ ...s, Condition: { StringEquals: ACL } })],
  [
    'Condition: SourceArn if it exists',
    (s) => ({ ...s, Condition: { StringEquals: ACL, StringEqualsIfExists: { 'aws:SourceArn': TRAIL_ARN } } }),
  ],
  ['Condition: none', ({ Condition: _, ...s }) => s],
  ['Principal: everyone', (s) => ({ ...s, Principal: '*' })],
  ['NotPrincipal', ({ Principal: _, ...s }) => ({ ...s, NotPrincipal: SERVICE })],
  ['NotAction', ({ Action: _, ...s }) => ({ ...s, NotAction: 's3:GetObject' })],
  ['NotResource', ({ Resource: _, ...s }) => ({ ...s, NotResource: BUCKET_ARN })],
  ['Resource: the whole bucket', (s) => ({ ...s, Resource: `${BUCKET_ARN}/*` })],
];

function conditioned(statement: StatementDocument, patch: object): StatementDocument {
  const condition = statement['Condition'] as { readonly StringEquals: object };
  return { ...statement, Condition: { StringEquals: { ...condition.StringEquals, ...patch } } };
}

describe.each(Object.entries(SAMPLES))('the guide, %s', (_, sample) => {
  it('passes POL-02 and POL-08, and POL-03', () => {
    expect(outcomes(given(sample, sample.statements))).toEqual(['pass', 'pass', 'pass']);
  });

  const cases = sample.statements.flatMap((statement, index) =>
    [...MUTATIONS, ...(index > 0 ? WRITE_MUTATIONS : [])].map(
      ([name, mutate]) => [String(statement['Sid']), name, sample.statements.with(index, mutate(statement))] as const,
    ),
  );

  it.each(cases)('%s, %s: one of them fails', (_sid, _name, statements) => {
    expect(outcomes(given(sample, statements))).toContain('fail');
  });

  it.each(sample.statements.map((statement, index) => [String(statement['Sid']), index] as const))(
    'without %s POL-08 fails',
    (_sid, index) => {
      expect(findingOf('POL-08', given(sample, sample.statements.toSpliced(index, 1))).outcome).toBe('fail');
    },
  );
});
