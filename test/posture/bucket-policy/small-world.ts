import { fc } from '../../support/property.ts';
import type { Caller, Document, Request, StatementDocument } from './brute-force.ts';

export const BUCKET = 'arn:aws:s3:::logs';
const ROLE_A = 'arn:aws:iam::111111111111:role/reader';
const ROLE_A2 = 'arn:aws:iam::111111111111:role/admin';
const ROLE_B = 'arn:aws:iam::222222222222:role/reader';
const USER_B = 'arn:aws:iam::222222222222:user/eve';

const CALLERS: readonly Caller[] = [
  { name: 'anonymous', kind: 'anonymous' },
  { name: 'root A', kind: 'root', account: '111111111111', arn: 'arn:aws:iam::111111111111:root' },
  { name: 'role A', kind: 'identity', account: '111111111111', arn: ROLE_A },
  { name: 'role A2', kind: 'identity', account: '111111111111', arn: ROLE_A2 },
  { name: 'role B', kind: 'identity', account: '222222222222', arn: ROLE_B },
  { name: 'user B', kind: 'identity', account: '222222222222', arn: USER_B },
  { name: 'cloudtrail', kind: 'service', arn: 'cloudtrail.amazonaws.com' },
  { name: 'config', kind: 'service', arn: 'config.amazonaws.com' },
];

const ON_BUCKET = [
  's3:GetBucketAcl',
  's3:ListBucket',
  's3:PutBucketPolicy',
  's3:DeleteBucket',
  's3:PutLifecycleConfiguration',
];
const ON_OBJECTS = [
  ...['s3:GetObject', 's3:GetObjectVersion', 's3:PutObject', 's3:PutObjectAcl', 's3:PutObjectRetention'],
  ...['s3:DeleteObject', 's3:DeleteObjectVersion', 's3:BypassGovernanceRetention'],
];
const KEYS = ['AWSLogs/111111111111/CloudTrail/log', 'AWSLogs/222222222222/CloudTrail/log', 'other'];

const TRAIL = 'arn:aws:cloudtrail:us-east-1:111111111111:trail/audit';
const OTHER_TRAIL = 'arn:aws:cloudtrail:us-east-1:222222222222:trail/audit';
const CONTEXTS: readonly { readonly [key: string]: readonly string[] }[] = [
  { 'aws:securetransport': ['true'] },
  { 'aws:securetransport': ['false'] },
  { 'aws:securetransport': ['true'], 'aws:sourcearn': [TRAIL], 's3:x-amz-acl': ['bucket-owner-full-control'] },
  { 'aws:securetransport': ['true'], 'aws:sourcearn': [OTHER_TRAIL], 's3:x-amz-acl': ['private'] },
  { 'aws:securetransport': ['true'], 'aws:principalorgid': ['o-1'], 'aws:calledvia': ['athena.amazonaws.com', 'x'] },
  { 'aws:securetransport': ['true'], 's3:object-lock-remaining-retention-days': ['30'], 'aws:principalorgid': ['o-2'] },
];

/** Every request of the world: 8 callers × (5 bucket actions + 8 object actions × 3 keys) × 6 contexts. */
export const REQUESTS: readonly Request[] = CALLERS.flatMap((caller) =>
  CONTEXTS.flatMap((context) => {
    const whole = { ...context, ...contextOf(caller) };
    return [
      ...ON_BUCKET.map((action) => ({ caller, action, resource: BUCKET, context: whole })),
      ...ON_OBJECTS.flatMap((action) =>
        KEYS.map((key) => ({ caller, action, resource: `${BUCKET}/${key}`, context: whole })),
      ),
    ];
  }),
);

function contextOf(caller: Caller): Request['context'] {
  switch (caller.kind) {
    case 'anonymous':
      return {};
    case 'service':
      return { 'aws:principalisawsservice': ['true'] };
    default:
      return {
        'aws:principalarn': [caller.arn ?? ''],
        'aws:principalaccount': [caller.account ?? ''],
        'aws:principalisawsservice': ['false'],
      };
  }
}

const some = (values: readonly string[], most = 2) =>
  fc.uniqueArray(fc.constantFrom(...values), { minLength: 1, maxLength: most });

const principalTypes = fc.oneof(
  { weight: 2, arbitrary: fc.constant('*' as const) },
  { weight: 1, arbitrary: fc.constant({ AWS: ['*'] }) },
  {
    weight: 4,
    arbitrary: some(['111111111111', 'arn:aws:iam::222222222222:root', ROLE_A, ROLE_A2, ROLE_B, USER_B], 3).map(
      (AWS) => ({ AWS }),
    ),
  },
  { weight: 2, arbitrary: some(['cloudtrail.amazonaws.com', 'config.amazonaws.com']).map((Service) => ({ Service })) },
);

const ACTION_PATTERNS = [
  ...[
    '*',
    's3:*',
    's3:Get*',
    's3:Put*',
    'S3:put*',
    's3:Delete*',
    's3:DeleteObject',
    's3:DeleteObject*',
    's3:?utObject',
  ],
  ...[
    's3:*Object',
    's3:PutObject',
    's3:GetBucketAcl',
    's3:ListBucket',
    's3:PutObjectRetention',
    'kms:*',
    's3:*Retention',
  ],
];
const RESOURCE_PATTERNS = [
  ...[
    '*',
    BUCKET,
    `${BUCKET}*`,
    `${BUCKET}/*`,
    `${BUCKET}/AWSLogs/*`,
    `${BUCKET}/AWSLogs/111111111111/*`,
    'arn:aws:s3:::*',
  ],
  ...['arn:*:s3:::logs/*', 'arn:aws:s3:::other/*', `${BUCKET}/other`, `${BUCKET}/*/CloudTrail/*`, `${BUCKET}/?ther`],
];

const VALUES: { readonly [key: string]: readonly string[] } = {
  'aws:PrincipalArn': [ROLE_A, ROLE_A2, ROLE_B, 'arn:aws:iam::111111111111:role/*', 'arn:aws:iam::*:role/admin', '*'],
  'aws:PrincipalAccount': ['111111111111', '222222222222', '1*'],
  'aws:PrincipalIsAWSService': ['true', 'false'],
  'aws:SourceArn': [TRAIL, OTHER_TRAIL, 'arn:aws:cloudtrail:*:111111111111:trail/*', 'arn:aws:cloudtrail:*'],
  'aws:SecureTransport': ['true', 'false'],
  'aws:PrincipalOrgID': ['o-1', 'o-2', 'o-*', 'O-1'],
  's3:x-amz-acl': ['bucket-owner-full-control', 'private', 'BUCKET-owner-full-control'],
  'aws:CalledVia': ['athena.amazonaws.com', 'y'],
};
const TEXT = [
  'StringEquals',
  'StringNotEquals',
  'StringLike',
  'StringNotLike',
  'StringEqualsIgnoreCase',
  'StringNotEqualsIgnoreCase',
];
const ARN = ['ArnEquals', 'ArnLike', 'ArnNotEquals', 'ArnNotLike'];

const conditionOn = (key: string) => {
  const isArn = key.endsWith('Arn');
  const isBoolean = key === 'aws:SecureTransport' || key === 'aws:PrincipalIsAWSService';
  const base = fc.constantFrom(
    ...(isBoolean ? ['Bool', 'StringEquals', 'StringNotEquals'] : isArn ? [...TEXT, ...ARN] : TEXT),
  );
  const quantifier =
    key === 'aws:CalledVia'
      ? fc.constantFrom('ForAllValues:', 'ForAnyValue:')
      : fc.constantFrom('', '', '', '', '', '', 'ForAllValues:', 'ForAnyValue:');
  const suffix = fc.constantFrom('', '', '', 'IfExists');
  const compared = fc.tuple(quantifier, base, suffix, some(VALUES[key] ?? [])).map(([q, b, s, values]) => ({
    [`${q}${b}${q === 'ForAnyValue:' ? '' : s}`]: { [key]: values },
  }));
  const lacking = fc.constantFrom('true', 'false').map((value) => ({ Null: { [key]: [value] } }));
  return fc.oneof({ weight: 6, arbitrary: compared }, { weight: 1, arbitrary: lacking });
};
const anyKey = fc.constantFrom(...Object.keys(VALUES));
const condition = anyKey.chain(conditionOn);
/** On one key, so that the two may contradict each other. */
const pair = anyKey.chain((key) => fc.tuple(conditionOn(key), conditionOn(key)));

const conditions = fc.oneof(
  { weight: 4, arbitrary: fc.constant({}) },
  { weight: 4, arbitrary: condition },
  { weight: 2, arbitrary: fc.oneof(fc.tuple(condition, condition), pair).map(([a, b]) => ({ ...a, ...b })) },
);

const statement: fc.Arbitrary<StatementDocument> = fc
  .record({
    Effect: fc.constantFrom('Allow', 'Allow', 'Deny'),
    who: fc.tuple(fc.constantFrom('Principal', 'Principal', 'Principal', 'Principal', 'NotPrincipal'), principalTypes),
    what: fc.tuple(fc.constantFrom('Action', 'Action', 'Action', 'NotAction'), some(ACTION_PATTERNS, 3)),
    where: fc.tuple(fc.constantFrom('Resource', 'Resource', 'Resource', 'NotResource'), some(RESOURCE_PATTERNS, 3)),
    Condition: conditions,
  })
  .map(({ Effect, who, what, where, Condition }) => ({
    Effect,
    [who[0]]: who[1],
    [what[0]]: what[1],
    [where[0]]: where[1],
    Condition,
  }));

export const policies: fc.Arbitrary<Document> = fc
  .array(statement, { minLength: 1, maxLength: 4 })
  .map((Statement) => ({ Version: '2012-10-17', Statement }));
