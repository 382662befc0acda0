import {
  CloudTrailClient,
  CreateTrailCommand,
  PutEventSelectorsCommand,
  StartLoggingCommand,
} from '@aws-sdk/client-cloudtrail';
import {
  CloudWatchLogsClient,
  CreateLogGroupCommand,
  PutRetentionPolicyCommand,
} from '@aws-sdk/client-cloudwatch-logs';
import {
  AttachRolePolicyCommand,
  CreatePolicyCommand,
  CreateRoleCommand,
  IAMClient,
  PutRolePolicyCommand,
} from '@aws-sdk/client-iam';
import { CreateKeyCommand, EnableKeyRotationCommand, KMSClient, PutKeyPolicyCommand } from '@aws-sdk/client-kms';
import {
  CreateBucketCommand,
  type DefaultRetention,
  PutBucketLoggingCommand,
  PutBucketOwnershipControlsCommand,
  PutBucketPolicyCommand,
  PutBucketVersioningCommand,
  PutObjectCommand,
  PutObjectLockConfigurationCommand,
  PutPublicAccessBlockCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import {
  CreateAccessPointCommand,
  PutAccessPointPolicyCommand,
  PutPublicAccessBlockCommand as PutAccountBlockCommand,
  S3ControlClient,
} from '@aws-sdk/client-s3-control';
import { MOTO_ACCOUNT } from './moto.ts';

export const REGION = 'eu-west-2';
export const LOGS = 'acme-cloudtrail-logs';
export const ACCESS_LOGS = 'acme-access-logs';
export const STATE = 'acme-terraform-state';
export const TRAIL = `arn:aws:cloudtrail:${REGION}:${MOTO_ACCOUNT}:trail/audit`;
export const READER = `arn:aws:iam::${MOTO_ACCOUNT}:role/audit-reader`;
export const AUDITORS = `arn:aws:iam::${MOTO_ACCOUNT}:role/auditors`;

export const ALL_BLOCKED = {
  BlockPublicAcls: true,
  IgnorePublicAcls: true,
  BlockPublicPolicy: true,
  RestrictPublicBuckets: true,
};

const LOG_BUCKET = {
  name: LOGS,
  account: MOTO_ACCOUNT,
  readers: [READER],
  admins: [`arn:aws:iam::${MOTO_ACCOUNT}:role/break-glass`],
};

/** The config that the good account satisfies. YAML knows JSON. */
export const GOOD_CONFIG = {
  trails: [TRAIL],
  logBuckets: [LOG_BUCKET],
  stateBuckets: [{ name: STATE, account: MOTO_ACCOUNT }],
  auditReaderRole: { role: READER, trustedPrincipals: [AUDITORS] },
  keyReaders: [READER],
  posture: { objects: { sample: 'all' } },
};

export interface Aws {
  readonly s3: S3Client;
  readonly control: S3ControlClient;
  readonly cloudtrail: CloudTrailClient;
  readonly kms: KMSClient;
  readonly logs: CloudWatchLogsClient;
  readonly iam: IAMClient;
}

export function awsAt(endpoint: string): Aws {
  const config = { region: REGION, endpoint, credentials: { accessKeyId: 'test', secretAccessKey: 'test' } };
  return {
    s3: new S3Client({ ...config, forcePathStyle: true }),
    control: new S3ControlClient({ ...config, endpointProvider: () => ({ url: new URL(endpoint) }) }),
    cloudtrail: new CloudTrailClient(config),
    kms: new KMSClient(config),
    logs: new CloudWatchLogsClient(config),
    iam: new IAMClient(config),
  };
}

export type Statement = { [element: string]: unknown };

/** The policy of a good log bucket, statement by statement, so that a test can change one. */
export function logPolicy(): { Version: string; Statement: Statement[] } {
  const bucket = `arn:aws:s3:::${LOGS}`;
  const ours = { 'aws:SourceArn': TRAIL };
  return {
    Version: '2012-10-17',
    Statement: [
      {
        Sid: 'AclCheck',
        Effect: 'Allow',
        Principal: { Service: 'cloudtrail.amazonaws.com' },
        Action: 's3:GetBucketAcl',
        Resource: bucket,
        Condition: { StringEquals: ours },
      },
      {
        Sid: 'Write',
        Effect: 'Allow',
        Principal: { Service: 'cloudtrail.amazonaws.com' },
        Action: 's3:PutObject',
        Resource: `${bucket}/AWSLogs/${MOTO_ACCOUNT}/*`,
        Condition: { StringEquals: { 's3:x-amz-acl': 'bucket-owner-full-control', ...ours } },
      },
      {
        Sid: 'TlsOnly',
        Effect: 'Deny',
        Principal: '*',
        Action: 's3:*',
        Resource: [bucket, `${bucket}/*`],
        Condition: { Bool: { 'aws:SecureTransport': 'false' } },
      },
      {
        Sid: 'NobodyWeakens',
        Effect: 'Deny',
        Principal: '*',
        Action: [
          's3:DeleteObject*',
          's3:DeleteBucket*',
          's3:PutBucketPolicy',
          's3:PutBucketAcl',
          's3:PutObjectRetention',
          's3:PutObjectLegalHold',
          's3:PutBucketObjectLockConfiguration',
          's3:PutBucketVersioning',
          's3:PutLifecycleConfiguration',
          's3:PutReplicationConfiguration',
          's3:PutEncryptionConfiguration',
          's3:PutBucketPublicAccessBlock',
          's3:PutBucketOwnershipControls',
          's3:BypassGovernanceRetention',
        ],
        Resource: [bucket, `${bucket}/*`],
        Condition: { ArnNotLike: { 'aws:PrincipalArn': `arn:aws:iam::${MOTO_ACCOUNT}:role/break-glass` } },
      },
    ],
  };
}

export function keyPolicy(trail = TRAIL, account = MOTO_ACCOUNT): { Version: string; Statement: Statement[] } {
  return {
    Version: '2012-10-17',
    Statement: [
      {
        Sid: 'Encrypt',
        Effect: 'Allow',
        Principal: { Service: 'cloudtrail.amazonaws.com' },
        Action: ['kms:GenerateDataKey*', 'kms:DescribeKey'],
        Resource: '*',
        Condition: {
          StringEquals: { 'aws:SourceArn': trail },
          StringLike: { 'kms:EncryptionContext:aws:cloudtrail:arn': `arn:aws:cloudtrail:*:${account}:trail/*` },
        },
      },
      { Sid: 'Read', Effect: 'Allow', Principal: { AWS: READER }, Action: 'kms:Decrypt', Resource: '*' },
      {
        Sid: 'Account',
        Effect: 'Allow',
        Principal: { AWS: `arn:aws:iam::${account}:root` },
        Action: 'kms:*',
        Resource: '*',
      },
    ],
  };
}

export interface Made {
  readonly keyId: string;
}

export interface Shape {
  /** `null`: a bucket without Object Lock. */
  readonly retention?: DefaultRetention | null;
  readonly versioned?: boolean;
  /** `false`: Object Lock without a rule. */
  readonly lockRule?: boolean;
}

/** An account as it should be, made through the API. `shape`: what moto does not let one change afterwards. */
export async function makeAccount(aws: Aws, shape: Shape = {}): Promise<Made> {
  const { s3 } = aws;
  const here = { CreateBucketConfiguration: { LocationConstraint: REGION } } as const;
  await aws.control.send(
    new PutAccountBlockCommand({ AccountId: MOTO_ACCOUNT, PublicAccessBlockConfiguration: ALL_BLOCKED }),
  );
  const locked = shape.retention !== null;
  await s3.send(new CreateBucketCommand({ Bucket: LOGS, ...here, ObjectLockEnabledForBucket: locked }));
  await s3.send(new CreateBucketCommand({ Bucket: STATE, ...here }));
  await s3.send(new CreateBucketCommand({ Bucket: ACCESS_LOGS, ...here }));
  if (locked && shape.lockRule !== false) {
    await s3.send(
      new PutObjectLockConfigurationCommand({
        Bucket: LOGS,
        ObjectLockConfiguration: {
          ObjectLockEnabled: 'Enabled',
          Rule: { DefaultRetention: shape.retention ?? { Mode: 'COMPLIANCE', Days: 365 } },
        },
      }),
    );
  }
  if (!locked && shape.versioned !== false) {
    await s3.send(new PutBucketVersioningCommand({ Bucket: LOGS, VersioningConfiguration: { Status: 'Enabled' } }));
  }
  await s3.send(new PutPublicAccessBlockCommand({ Bucket: LOGS, PublicAccessBlockConfiguration: ALL_BLOCKED }));
  await s3.send(
    new PutBucketOwnershipControlsCommand({
      Bucket: LOGS,
      OwnershipControls: { Rules: [{ ObjectOwnership: 'BucketOwnerEnforced' }] },
    }),
  );
  await putLogPolicy(aws, () => undefined);
  await accessLogs(aws);
  await openAccessPoint(aws, 'auditors', READER);
  await deliver(aws);
  const keyId = await makeKey(aws);
  await aws.logs.send(new CreateLogGroupCommand({ logGroupName: 'audit' }));
  await aws.logs.send(new PutRetentionPolicyCommand({ logGroupName: 'audit', retentionInDays: 400 }));
  await makeReader(aws);
  await makeTrail(aws, { keyId });
  return { keyId };
}

/** The trail as it should be, but for these fields. */
export async function makeTrail({ cloudtrail }: Aws, { keyId }: Made, fields: object = {}): Promise<void> {
  await cloudtrail.send(
    new CreateTrailCommand({
      Name: 'audit',
      S3BucketName: LOGS,
      IsMultiRegionTrail: true,
      IncludeGlobalServiceEvents: true,
      EnableLogFileValidation: true,
      KmsKeyId: keyId,
      CloudWatchLogsLogGroupArn: `arn:aws:logs:${REGION}:${MOTO_ACCOUNT}:log-group:audit:*`,
      CloudWatchLogsRoleArn: `arn:aws:iam::${MOTO_ACCOUNT}:role/cloudtrail-logs`,
      ...fields,
    }),
  );
  await cloudtrail.send(new StartLoggingCommand({ Name: 'audit' }));
  await cloudtrail.send(new PutEventSelectorsCommand({ TrailName: 'audit', AdvancedEventSelectors: goodSelectors() }));
}

interface Selector {
  readonly Name: string;
  readonly FieldSelectors: { Field: string; Equals?: string[]; StartsWith?: string[] }[];
}

export function goodSelectors(): Selector[] {
  return [
    { Name: 'management', FieldSelectors: [{ Field: 'eventCategory', Equals: ['Management'] }] },
    {
      Name: 'state and logs',
      FieldSelectors: [
        { Field: 'eventCategory', Equals: ['Data'] },
        { Field: 'resources.type', Equals: ['AWS::S3::Object'] },
        { Field: 'resources.ARN', StartsWith: [`arn:aws:s3:::${STATE}/`, `arn:aws:s3:::${LOGS}/`] },
      ],
    },
  ];
}

/** Puts the good log policy after `change` has had its way with it. */
export async function putLogPolicy(aws: Aws, change: (statements: Statement[]) => void): Promise<void> {
  const policy = logPolicy();
  change(policy.Statement);
  await aws.s3.send(new PutBucketPolicyCommand({ Bucket: LOGS, Policy: JSON.stringify(policy) }));
}

/** An access point to the logs whose policy lets this principal read through it. */
export async function openAccessPoint({ control }: Aws, Name: string, principal: string): Promise<void> {
  const { AccessPointArn } = await control.send(
    new CreateAccessPointCommand({
      AccountId: MOTO_ACCOUNT,
      Name,
      Bucket: LOGS,
      PublicAccessBlockConfiguration: ALL_BLOCKED,
    }),
  );
  const read = {
    Effect: 'Allow',
    Principal: { AWS: principal },
    Action: 's3:GetObject',
    Resource: `${AccessPointArn}/object/*`,
  };
  const Policy = JSON.stringify({ Version: '2012-10-17', Statement: [read] });
  await control.send(new PutAccessPointPolicyCommand({ AccountId: MOTO_ACCOUNT, Name, Policy }));
}

/** Has reads of the logs written down, in a bucket that takes it. */
export async function accessLogs({ s3 }: Aws): Promise<void> {
  await s3.send(
    new PutBucketPolicyCommand({
      Bucket: ACCESS_LOGS,
      Policy: JSON.stringify({
        Version: '2012-10-17',
        Statement: [
          {
            Effect: 'Allow',
            Principal: { Service: 'logging.s3.amazonaws.com' },
            Action: 's3:PutObject',
            Resource: `arn:aws:s3:::${ACCESS_LOGS}/*`,
            Condition: {
              ArnLike: { 'aws:SourceArn': `arn:aws:s3:::${LOGS}` },
              StringEquals: { 'aws:SourceAccount': MOTO_ACCOUNT },
            },
          },
        ],
      }),
    }),
  );
  await s3.send(
    new PutBucketLoggingCommand({
      Bucket: LOGS,
      BucketLoggingStatus: { LoggingEnabled: { TargetBucket: ACCESS_LOGS, TargetPrefix: 'logs/' } },
    }),
  );
}

export const LOG_KEY = `AWSLogs/${MOTO_ACCOUNT}/CloudTrail/${REGION}/2026/03/01/log.json.gz`;
export const DIGEST_KEY = `AWSLogs/${MOTO_ACCOUNT}/CloudTrail-Digest/${REGION}/2026/03/01/digest.json.gz`;

async function deliver({ s3 }: Aws): Promise<void> {
  for (const Key of [LOG_KEY, DIGEST_KEY]) await s3.send(new PutObjectCommand({ Bucket: LOGS, Key, Body: 'x' }));
}

async function makeKey({ kms }: Aws): Promise<string> {
  const { KeyMetadata } = await kms.send(new CreateKeyCommand({ Description: 'trail' }));
  const KeyId = KeyMetadata?.Arn ?? '';
  await kms.send(new PutKeyPolicyCommand({ KeyId, PolicyName: 'default', Policy: JSON.stringify(keyPolicy()) }));
  await kms.send(new EnableKeyRotationCommand({ KeyId }));
  return KeyId;
}

/** Who may become the reader. */
export const TRUST = JSON.stringify({
  Version: '2012-10-17',
  Statement: [{ Effect: 'Allow', Principal: { AWS: AUDITORS }, Action: 'sts:AssumeRole' }],
});

async function makeReader({ iam }: Aws): Promise<void> {
  await iam.send(
    new CreateRoleCommand({
      RoleName: 'audit-reader',
      AssumeRolePolicyDocument: TRUST,
    }),
  );
  await iam.send(
    new PutRolePolicyCommand({
      RoleName: 'audit-reader',
      PolicyName: 'read',
      PolicyDocument: JSON.stringify({
        Version: '2012-10-17',
        Statement: [
          {
            Effect: 'Allow',
            Action: ['s3:GetObject', 's3:ListBucket'],
            Resource: [`arn:aws:s3:::${LOGS}`, `arn:aws:s3:::${LOGS}/*`],
          },
        ],
      }),
    }),
  );
  const { Policy } = await iam.send(
    new CreatePolicyCommand({
      PolicyName: 'trails',
      PolicyDocument: JSON.stringify({
        Version: '2012-10-17',
        Statement: [
          { Effect: 'Allow', Action: ['cloudtrail:DescribeTrails', 'cloudtrail:ListPublicKeys'], Resource: '*' },
        ],
      }),
    }),
  );
  await iam.send(new AttachRolePolicyCommand({ RoleName: 'audit-reader', PolicyArn: Policy?.Arn }));
}
