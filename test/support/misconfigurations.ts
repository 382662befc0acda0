import {
  DeleteTrailCommand,
  PutEventSelectorsCommand,
  StartLoggingCommand,
  StopLoggingCommand,
  UpdateTrailCommand,
} from '@aws-sdk/client-cloudtrail';
import { PutRetentionPolicyCommand } from '@aws-sdk/client-cloudwatch-logs';
import { DeleteRolePolicyCommand, PutRolePolicyCommand, UpdateAssumeRolePolicyCommand } from '@aws-sdk/client-iam';
import {
  DisableKeyCommand,
  DisableKeyRotationCommand,
  EnableKeyCommand,
  EnableKeyRotationCommand,
  PutKeyPolicyCommand,
} from '@aws-sdk/client-kms';
import {
  CreateBucketCommand,
  DeleteBucketLifecycleCommand,
  DeleteBucketPolicyCommand,
  DeleteBucketReplicationCommand,
  DeleteObjectCommand,
  type LifecycleRule,
  PutBucketAclCommand,
  PutBucketLifecycleConfigurationCommand,
  PutBucketLoggingCommand,
  PutBucketOwnershipControlsCommand,
  PutBucketReplicationCommand,
  PutBucketVersioningCommand,
  PutObjectCommand,
  PutObjectRetentionCommand,
  PutPublicAccessBlockCommand,
  type ReplicationRule,
} from '@aws-sdk/client-s3';
import {
  DeleteAccessPointCommand,
  PutPublicAccessBlockCommand as PutAccountBlockCommand,
} from '@aws-sdk/client-s3-control';
import {
  ACCESS_LOGS,
  ALL_BLOCKED,
  type Aws,
  accessLogs,
  GOOD_CONFIG,
  goodSelectors,
  keyPolicy,
  LOG_KEY,
  LOGS,
  type Made,
  makeTrail,
  openAccessPoint,
  putLogPolicy,
  REGION,
  type Shape,
  STATE,
  type Statement,
  TRUST,
} from './audited-account.ts';
import { MOTO_ACCOUNT } from './moto.ts';
import type { MotoProxy } from './moto-proxy.ts';

/** One thing wrong with an account that is right otherwise. */
export interface Misconfiguration {
  readonly name: string;
  /** Every control that fails, in report order: the one meant and those that follow from it. */
  readonly fails: readonly string[];
  readonly shape?: Shape;
  readonly spoil?: (aws: Aws, made: Made, proxy: MotoProxy) => unknown;
  /** Puts back what `spoil` wrote. Where it is lacking, the account is made anew. */
  readonly undo?: (aws: Aws, made: Made) => unknown;
  /** Keys that take the place of those of the good config. */
  readonly config?: object;
}

const STRANGER = 'arn:aws:iam::999988887777:role/stranger';
const logs = (key: string) => `arn:aws:s3:::${LOGS}${key}`;
const OPEN = {
  BlockPublicAcls: false,
  IgnorePublicAcls: false,
  BlockPublicPolicy: false,
  RestrictPublicBuckets: false,
};
const DAY = 86_400_000;

const demandingCopy = (replication: object) => ({
  logBuckets: GOOD_CONFIG.logBuckets.map((bucket) => ({ ...bucket, replication })),
});

const lifecycle = (rule: Partial<LifecycleRule>) => ({
  spoil: ({ s3 }: Aws) =>
    s3.send(
      new PutBucketLifecycleConfigurationCommand({
        Bucket: LOGS,
        LifecycleConfiguration: { Rules: [{ ID: 'rule', Status: 'Enabled', Filter: { Prefix: '' }, ...rule }] },
      }),
    ),
  undo: ({ s3 }: Aws) => s3.send(new DeleteBucketLifecycleCommand({ Bucket: LOGS })),
});

const policed = (change: (statements: Statement[]) => unknown) => ({
  spoil: (aws: Aws) => putLogPolicy(aws, change),
  undo: goodPolicy,
});

const granting = (Principal: unknown, Action: string | string[]) =>
  policed((statements) =>
    statements.push({ Sid: 'More', Effect: 'Allow', Principal, Action, Resource: [logs(''), logs('/*')] }),
  );

const selecting = (change: (selectors: ReturnType<typeof goodSelectors>) => void) => ({
  spoil: ({ cloudtrail }: Aws) => {
    const selectors = goodSelectors();
    change(selectors);
    return cloudtrail.send(new PutEventSelectorsCommand({ TrailName: 'audit', AdvancedEventSelectors: selectors }));
  },
  undo: selectWell,
});

const status = (fields: object) => ({
  spoil: (_aws: Aws, _made: Made, proxy: MotoProxy) => {
    const now = Date.now() / 1000;
    proxy.json.set('GetTrailStatus', (answer) => ({
      ...answer,
      LatestDeliveryTime: now - 300,
      LatestDigestDeliveryTime: now - 1800,
      LatestCloudWatchLogsDeliveryTime: now - 300,
      ...fields,
    }));
  },
});

const store = (fields: object) => ({
  spoil: (_aws: Aws, _made: Made, proxy: MotoProxy) => {
    const EventDataStoreArn = `arn:aws:cloudtrail:${REGION}:${MOTO_ACCOUNT}:eventdatastore/1234`;
    proxy.json.set('ListEventDataStores', () => ({ EventDataStores: [{ EventDataStoreArn, Name: 'lake' }] }));
    proxy.json.set('GetEventDataStore', () => ({
      EventDataStoreArn,
      Status: 'ENABLED',
      TerminationProtectionEnabled: true,
      RetentionPeriod: 2557,
      MultiRegionEnabled: true,
      AdvancedEventSelectors: [{ FieldSelectors: [{ Field: 'eventCategory', Equals: ['Management'] }] }],
      ...fields,
    }));
  },
});

const trail = (wrong: object, right: object) => ({
  spoil: ({ cloudtrail }: Aws) => cloudtrail.send(new UpdateTrailCommand({ Name: 'audit', ...wrong })),
  undo: ({ cloudtrail }: Aws) => cloudtrail.send(new UpdateTrailCommand({ Name: 'audit', ...right })),
});

export const MISCONFIGURATIONS: readonly Misconfiguration[] = [
  {
    name: 'the trail is gone',
    fails: ['TRAIL-01', 'TRAIL-04', 'SEL-01', 'SEL-02', 'SEL-03', 'SEL-04'],
    spoil: ({ cloudtrail }) => cloudtrail.send(new DeleteTrailCommand({ Name: 'audit' })),
    undo: (aws, made) => makeTrail(aws, made),
  },
  {
    name: 'logging stopped',
    fails: ['TRAIL-02', 'TRAIL-04', 'SEL-01', 'SEL-02', 'SEL-03', 'SEL-04'],
    spoil: ({ cloudtrail }) => cloudtrail.send(new StopLoggingCommand({ Name: 'audit' })),
    undo: ({ cloudtrail }) => cloudtrail.send(new StartLoggingCommand({ Name: 'audit' })),
  },
  {
    name: 'no insights where they are wanted',
    fails: ['TRAIL-11'],
    config: { posture: { optIn: ['TRAIL-11'] } },
  },
  {
    name: 'one Region only',
    fails: ['TRAIL-03', 'TRAIL-04', 'SEL-01'],
    ...trail({ IsMultiRegionTrail: false }, { IsMultiRegionTrail: true }),
  },
  { name: 'no organization trail', fails: ['TRAIL-05'], config: { organization: true } },
  { name: 'delivery refused', fails: ['TRAIL-06'], ...status({ LatestDeliveryError: 'AccessDenied' }) },
  {
    name: 'validation off',
    fails: ['TRAIL-07'],
    ...trail({ EnableLogFileValidation: false }, { EnableLogFileValidation: true }),
  },
  {
    name: 'no digest for hours',
    fails: ['TRAIL-08'],
    ...status({ LatestDigestDeliveryTime: Date.now() / 1000 - 5 * 3600 }),
  },
  {
    name: 'another bucket',
    fails: [
      'TRAIL-09',
      'SEL-04',
      'LOCK-01',
      'LOCK-02',
      'LOCK-03',
      'LOCK-04',
      'LOCK-05',
      'LOCK-06',
      'POL-02',
      'POL-06',
      'POL-08',
      'POL-09',
      'OWN-01',
      'MISC-02',
      'LOG-01',
    ],
    ...trail({ S3BucketName: ACCESS_LOGS }, { S3BucketName: LOGS }),
  },
  {
    name: 'management events read only',
    fails: ['SEL-01'],
    ...selecting(([management]) => management?.FieldSelectors.push({ Field: 'readOnly', Equals: ['true'] })),
  },
  {
    name: 'a selector for the bucket itself, not its objects',
    fails: ['SEL-02', 'SEL-03', 'SEL-04'],
    ...selecting(([, data]) => {
      data?.FieldSelectors.splice(2, 1, { Field: 'resources.ARN', Equals: [`arn:aws:s3:::${STATE}/`] });
    }),
  },
  {
    name: 'writes only',
    fails: ['SEL-03'],
    ...selecting(([, data]) => data?.FieldSelectors.push({ Field: 'readOnly', Equals: ['false'] })),
  },
  {
    name: 'log bucket not recorded',
    fails: ['SEL-04'],
    ...selecting(([, data]) => {
      data?.FieldSelectors.splice(2, 1, { Field: 'resources.ARN', StartsWith: [`arn:aws:s3:::${STATE}/`] });
    }),
  },
  {
    name: 'a star in a selector',
    fails: ['SEL-05'],
    ...selecting((selectors) => {
      selectors.push({
        Name: 'star',
        FieldSelectors: [
          { Field: 'eventCategory', Equals: ['Data'] },
          { Field: 'resources.type', Equals: ['AWS::S3::Object'] },
          { Field: 'resources.ARN', StartsWith: ['arn:aws:s3:::acme-*'] },
        ],
      });
    }),
  },
  {
    name: 'no key',
    fails: ['KEY-01'],
    spoil: (aws, made) => trailAnew(aws, made, { KmsKeyId: undefined }),
    undo: (aws, made) => trailAnew(aws, made),
  },
  {
    name: 'key disabled',
    fails: ['KEY-02'],
    spoil: ({ kms }, { keyId }) => kms.send(new DisableKeyCommand({ KeyId: keyId.split('/').at(-1) })),
    undo: ({ kms }, { keyId }) => kms.send(new EnableKeyCommand({ KeyId: keyId.split('/').at(-1) })),
  },
  {
    name: 'no rotation',
    fails: ['KEY-03'],
    spoil: ({ kms }, { keyId }) => kms.send(new DisableKeyRotationCommand({ KeyId: keyId })),
    undo: ({ kms }, { keyId }) => kms.send(new EnableKeyRotationCommand({ KeyId: keyId })),
  },
  {
    name: 'key for any trail',
    fails: ['KEY-04'],
    spoil: ({ kms }, { keyId }) => {
      const policy = keyPolicy();
      delete policy.Statement[0]?.['Condition'];
      return putKeyPolicy(kms, keyId, policy);
    },
    undo: ({ kms }, { keyId }) => putKeyPolicy(kms, keyId, keyPolicy()),
  },
  {
    name: 'no CloudWatch delivery',
    fails: ['CWL-01'],
    ...status({ LatestCloudWatchLogsDeliveryError: 'AccessDenied' }),
  },
  {
    name: 'log group forgets',
    fails: ['CWL-02'],
    spoil: ({ logs: cloudwatch }) =>
      cloudwatch.send(new PutRetentionPolicyCommand({ logGroupName: 'audit', retentionInDays: 30 })),
    undo: ({ logs: cloudwatch }) =>
      cloudwatch.send(new PutRetentionPolicyCommand({ logGroupName: 'audit', retentionInDays: 400 })),
  },
  {
    name: 'no Object Lock',
    fails: ['LOCK-01', 'LOCK-02', 'LOCK-03', 'LOCK-05', 'OBJ-01', 'OBJ-02', 'OBJ-05'],
    shape: { retention: null },
  },
  {
    name: 'Object Lock without a rule',
    fails: ['LOCK-02', 'LOCK-03', 'LOCK-05', 'OBJ-01', 'OBJ-02', 'OBJ-05'],
    shape: { lockRule: false },
  },
  {
    name: 'GOVERNANCE',
    fails: ['LOCK-02', 'LOCK-05', 'OBJ-01', 'OBJ-02'],
    shape: { retention: { Mode: 'GOVERNANCE', Days: 365 } },
  },
  {
    name: 'a month of retention',
    fails: ['LOCK-03', 'LOCK-05', 'OBJ-01', 'OBJ-02'],
    shape: { retention: { Mode: 'COMPLIANCE', Days: 30 } },
  },
  {
    name: 'never versioned',
    fails: ['LOCK-01', 'LOCK-02', 'LOCK-03', 'LOCK-04', 'LOCK-05', 'OBJ-01', 'OBJ-02', 'OBJ-05'],
    shape: { retention: null, versioned: false },
  },
  {
    name: 'logs deleted after a month',
    fails: ['LIFE-01', 'LIFE-02'],
    ...lifecycle({ Expiration: { Days: 30 }, NoncurrentVersionExpiration: { NoncurrentDays: 1 } }),
  },
  { name: 'logs hidden after a month', fails: ['LIFE-02'], ...lifecycle({ Expiration: { Days: 30 } }) },
  {
    name: 'logs frozen after a month',
    fails: ['LIFE-03'],
    ...lifecycle({ Transitions: [{ Days: 30, StorageClass: 'GLACIER' }] }),
  },
  { name: 'kept forever', fails: ['LIFE-04'], config: { posture: { optIn: ['LIFE-04'] } } },
  {
    name: 'no bucket policy',
    fails: ['POL-01', 'POL-06', 'POL-08', 'POL-09'],
    spoil: ({ s3 }) => s3.send(new DeleteBucketPolicyCommand({ Bucket: LOGS })),
    undo: goodPolicy,
  },
  { name: 'a stranger may put', fails: ['LOCK-06', 'POL-02'], ...granting({ AWS: STRANGER }, 's3:PutObject') },
  {
    name: 'any trail may put',
    fails: ['POL-02'],
    ...policed((statements) => {
      const write = statements.find(({ Sid }) => Sid === 'Write');
      if (write) write['Condition'] = { StringEquals: { 's3:x-amz-acl': 'bucket-owner-full-control' } };
    }),
  },
  { name: 'a stranger may delete', fails: ['POL-03'], ...granting({ AWS: STRANGER }, 's3:ReplicateDelete') },
  { name: 'a stranger may weaken', fails: ['POL-04'], ...granting({ AWS: STRANGER }, 's3:PutBucketNotification') },
  { name: 'a stranger may read', fails: ['POL-05'], ...granting({ AWS: STRANGER }, ['s3:GetObject', 's3:ListBucket']) },
  {
    name: 'HTTP without TLS',
    fails: ['POL-06'],
    ...policed((statements) => {
      statements.splice(
        statements.findIndex(({ Sid }) => Sid === 'TlsOnly'),
        1,
      );
    }),
  },
  {
    name: 'public by ACL',
    fails: ['POL-07', 'PAB-01', 'PAB-02', 'OWN-01', 'OWN-02'],
    spoil: async (aws) => {
      await openAccount(aws);
      await ownedByWriters(aws);
      await aws.s3.send(new PutPublicAccessBlockCommand({ Bucket: LOGS, PublicAccessBlockConfiguration: OPEN }));
      await aws.s3.send(new PutBucketAclCommand({ Bucket: LOGS, ACL: 'public-read' }));
    },
    undo: async (aws) => {
      await privateAgain(aws);
      await ownedByBucket(aws);
      await closeBucket(aws);
      await closeAccount(aws);
    },
  },
  {
    name: 'CloudTrail cannot deliver',
    fails: ['POL-08'],
    ...policed((statements) => {
      const acl = statements.find(({ Sid }) => Sid === 'AclCheck');
      if (acl) acl['Action'] = 's3:GetBucketLocation';
    }),
  },
  {
    name: 'no guard',
    fails: ['POL-09'],
    ...policed((statements) => statements.splice(-1, 1)),
  },
  {
    name: 'a Deny that stops delivery',
    fails: ['POL-10'],
    ...policed((statements) => {
      statements.push({
        Effect: 'Deny',
        Principal: '*',
        Action: 's3:PutObject',
        Resource: logs('/*'),
        Condition: { StringNotEquals: { 's3:x-amz-server-side-encryption': 'aws:kms' } },
      });
    }),
  },
  { name: 'account open', fails: ['PAB-01'], spoil: openAccount, undo: closeAccount },
  {
    name: 'account and bucket open',
    fails: ['PAB-01', 'PAB-02'],
    spoil: async (aws) => {
      await openAccount(aws);
      await aws.s3.send(
        new PutPublicAccessBlockCommand({
          Bucket: LOGS,
          PublicAccessBlockConfiguration: { ...ALL_BLOCKED, RestrictPublicBuckets: false },
        }),
      );
    },
    undo: async (aws) => {
      await closeBucket(aws);
      await closeAccount(aws);
    },
  },
  { name: 'objects owned by writers', fails: ['OWN-01'], spoil: ownedByWriters, undo: ownedByBucket },
  {
    name: 'ACL for a stranger',
    fails: ['OWN-01', 'OWN-02'],
    spoil: async (aws) => {
      await ownedByWriters(aws);
      await aws.s3.send(new PutBucketAclCommand({ Bucket: LOGS, GrantRead: 'id=stranger' }));
    },
    undo: async (aws) => {
      await privateAgain(aws);
      await ownedByBucket(aws);
    },
  },
  {
    name: 'Requester Pays',
    fails: ['MISC-01'],
    spoil: (_aws, _made, proxy) =>
      proxy.xml.set(
        `GetBucketRequestPayment ${LOGS}`,
        '<RequestPaymentConfiguration><Payer>Requester</Payer></RequestPaymentConfiguration>',
      ),
  },
  {
    name: 'other things in the bucket',
    fails: ['MISC-02'],
    spoil: ({ s3 }) => s3.send(new PutObjectCommand({ Bucket: LOGS, Key: 'backup/db.dump', Body: 'x' })),
  },
  {
    name: 'an access point for a stranger',
    fails: ['AP-01'],
    spoil: (aws) => openAccessPoint(aws, 'side-door', STRANGER),
    undo: ({ control }) => control.send(new DeleteAccessPointCommand({ AccountId: MOTO_ACCOUNT, Name: 'side-door' })),
  },
  {
    name: 'a multi-Region access point for a stranger',
    fails: ['AP-02'],
    spoil: (_aws, _made, proxy) => {
      proxy.xml.set(
        'ListMultiRegionAccessPoints',
        `<ListMultiRegionAccessPointsResult><AccessPoints><AccessPoint><Name>wide</Name><Alias>wide.mrap</Alias><Status>READY</Status><PublicAccessBlock><BlockPublicAcls>true</BlockPublicAcls><IgnorePublicAcls>true</IgnorePublicAcls><BlockPublicPolicy>true</BlockPublicPolicy><RestrictPublicBuckets>true</RestrictPublicBuckets></PublicAccessBlock><Regions><Region><Bucket>${LOGS}</Bucket><Region>${REGION}</Region></Region></Regions></AccessPoint></AccessPoints></ListMultiRegionAccessPointsResult>`,
      );
      const policy = JSON.stringify({
        Version: '2012-10-17',
        Statement: [
          {
            Effect: 'Allow',
            Principal: { AWS: STRANGER },
            Action: 's3:GetObject',
            Resource: `arn:aws:s3::${MOTO_ACCOUNT}:accesspoint/wide.mrap/object/*`,
          },
        ],
      });
      proxy.xml.set(
        'GetMultiRegionAccessPointPolicy',
        `<GetMultiRegionAccessPointPolicyResult><Policy><Established><Policy>${policy.replaceAll('"', '&quot;')}</Policy></Established></Policy></GetMultiRegionAccessPointPolicyResult>`,
      );
    },
  },
  {
    name: 'no copy',
    fails: ['REP-01'],
    config: demandingCopy({ otherAccount: true }),
  },
  {
    name: 'a copy that is not locked',
    fails: ['REP-02'],
    config: demandingCopy({}),
    spoil: async ({ s3 }) => {
      const Bucket = 'acme-logs-copy';
      await s3.send(new CreateBucketCommand({ Bucket, CreateBucketConfiguration: { LocationConstraint: REGION } }));
      await s3.send(new PutBucketVersioningCommand({ Bucket, VersioningConfiguration: { Status: 'Enabled' } }));
      const Rules: ReplicationRule[] = [
        {
          ID: 'copy',
          Status: 'Enabled',
          Priority: 1,
          Filter: { Prefix: '' },
          Destination: { Bucket: `arn:aws:s3:::${Bucket}` },
          DeleteMarkerReplication: { Status: 'Disabled' },
        },
      ];
      const Role = `arn:aws:iam::${MOTO_ACCOUNT}:role/replication`;
      await s3.send(new PutBucketReplicationCommand({ Bucket: LOGS, ReplicationConfiguration: { Role, Rules } }));
    },
    undo: ({ s3 }) => s3.send(new DeleteBucketReplicationCommand({ Bucket: LOGS })),
  },
  {
    name: 'no access log, no object events',
    fails: ['SEL-04', 'LOG-01'],
    spoil: async (aws, made, proxy) => {
      await aws.s3.send(new PutBucketLoggingCommand({ Bucket: LOGS, BucketLoggingStatus: {} }));
      await MISCONFIGURATIONS.find(({ name }) => name === 'log bucket not recorded')?.spoil?.(aws, made, proxy);
    },
    undo: async (aws) => {
      await accessLogs(aws);
      await selectWell(aws);
    },
  },
  {
    name: 'access log into a bucket that does not take it',
    fails: ['LOG-02'],
    spoil: ({ s3 }) => s3.send(new DeleteBucketPolicyCommand({ Bucket: ACCESS_LOGS })),
    undo: accessLogs,
  },
  {
    name: 'a reader who may put',
    fails: ['IAM-01'],
    spoil: ({ iam }) =>
      iam.send(
        new PutRolePolicyCommand({
          RoleName: 'audit-reader',
          PolicyName: 'more',
          PolicyDocument: JSON.stringify({
            Version: '2012-10-17',
            Statement: [{ Effect: 'Allow', Action: 's3:PutObject', Resource: logs('/*') }],
          }),
        }),
      ),
    undo: ({ iam }) => iam.send(new DeleteRolePolicyCommand({ RoleName: 'audit-reader', PolicyName: 'more' })),
  },
  {
    name: 'a reader anybody may become',
    fails: ['IAM-02'],
    spoil: ({ iam }) =>
      iam.send(
        new UpdateAssumeRolePolicyCommand({
          RoleName: 'audit-reader',
          PolicyDocument: JSON.stringify({
            Version: '2012-10-17',
            Statement: [{ Effect: 'Allow', Principal: { AWS: '*' }, Action: 'sts:AssumeRole' }],
          }),
        }),
      ),
    undo: ({ iam }) => iam.send(new UpdateAssumeRolePolicyCommand({ RoleName: 'audit-reader', PolicyDocument: TRUST })),
  },
  {
    name: 'a log with less retention than the rest',
    fails: ['OBJ-01'],
    spoil: ({ s3 }) =>
      s3.send(
        new PutObjectRetentionCommand({
          Bucket: LOGS,
          Key: LOG_KEY,
          Retention: { Mode: 'COMPLIANCE', RetainUntilDate: new Date(Date.now() + 30 * DAY) },
          BypassGovernanceRetention: true,
        }),
      ),
  },
  {
    name: 'a log hidden by a delete marker',
    fails: ['OBJ-03'],
    spoil: ({ s3 }) => s3.send(new DeleteObjectCommand({ Bucket: LOGS, Key: LOG_KEY })),
  },
  {
    name: 'a log written over',
    fails: ['OBJ-04'],
    spoil: ({ s3 }) => s3.send(new PutObjectCommand({ Bucket: LOGS, Key: LOG_KEY, Body: 'another' })),
  },
  {
    name: 'a fresh log in the archive',
    fails: ['OBJ-06'],
    spoil: ({ s3 }) =>
      s3.send(
        new PutObjectCommand({
          Bucket: LOGS,
          Key: LOG_KEY.replace('log.', 'cold.'),
          Body: 'x',
          StorageClass: 'GLACIER',
        }),
      ),
  },
  { name: 'a store that stopped', fails: ['LAKE-01'], ...store({ Status: 'STOPPED_INGESTION' }) },
  { name: 'a store without protection', fails: ['LAKE-02'], ...store({ TerminationProtectionEnabled: false }) },
  { name: 'a store that forgets', fails: ['LAKE-03'], ...store({ RetentionPeriod: 90 }) },
  { name: 'a store of one Region', fails: ['LAKE-04'], ...store({ MultiRegionEnabled: false }) },
  {
    name: 'a store without writes',
    fails: ['LAKE-05'],
    ...store({
      AdvancedEventSelectors: [
        {
          FieldSelectors: [
            { Field: 'eventCategory', Equals: ['Management'] },
            { Field: 'readOnly', Equals: ['true'] },
          ],
        },
      ],
    }),
  },
];

function goodPolicy(aws: Aws) {
  return putLogPolicy(aws, () => undefined);
}

function selectWell({ cloudtrail }: Aws) {
  return cloudtrail.send(new PutEventSelectorsCommand({ TrailName: 'audit', AdvancedEventSelectors: goodSelectors() }));
}

/** What moto does not let one take from a trail. */
async function trailAnew(aws: Aws, made: Made, fields?: object): Promise<void> {
  await aws.cloudtrail.send(new DeleteTrailCommand({ Name: 'audit' }));
  await makeTrail(aws, made, fields);
}

function putKeyPolicy(kms: Aws['kms'], KeyId: string, policy: object) {
  return kms.send(new PutKeyPolicyCommand({ KeyId, PolicyName: 'default', Policy: JSON.stringify(policy) }));
}

function blockAccount({ control }: Aws, PublicAccessBlockConfiguration: typeof ALL_BLOCKED) {
  return control.send(new PutAccountBlockCommand({ AccountId: MOTO_ACCOUNT, PublicAccessBlockConfiguration }));
}

function openAccount(aws: Aws) {
  return blockAccount(aws, OPEN);
}

function closeAccount(aws: Aws) {
  return blockAccount(aws, ALL_BLOCKED);
}

function closeBucket({ s3 }: Aws) {
  return s3.send(new PutPublicAccessBlockCommand({ Bucket: LOGS, PublicAccessBlockConfiguration: ALL_BLOCKED }));
}

function own({ s3 }: Aws, ObjectOwnership: 'ObjectWriter' | 'BucketOwnerEnforced') {
  return s3.send(
    new PutBucketOwnershipControlsCommand({ Bucket: LOGS, OwnershipControls: { Rules: [{ ObjectOwnership }] } }),
  );
}

function ownedByWriters(aws: Aws) {
  return own(aws, 'ObjectWriter');
}

function ownedByBucket(aws: Aws) {
  return own(aws, 'BucketOwnerEnforced');
}

function privateAgain({ s3 }: Aws) {
  return s3.send(new PutBucketAclCommand({ Bucket: LOGS, ACL: 'private' }));
}
