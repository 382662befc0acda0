/** The AWS services that are asked, by the name of their client. */
export type ServiceName =
  | 'cloudtrail'
  | 's3'
  | 's3control'
  | 'sts'
  | 'kms'
  | 'logs'
  | 'iam'
  | 'account'
  | 'organizations';

/** What an IAM policy can narrow the call's permission to. */
export type Scoping = '*' | 'bucket' | 'object' | 'access-point' | 'key' | 'role' | 'event-data-store';

export interface Call {
  readonly service: ServiceName;
  /** Operation of the API; some share a name across services, hence not always the table's key. */
  readonly operation: string;
  /** Permissions of the call; the first is the one a refusal is reported with. Empty: none is needed. */
  readonly iamActions: readonly [string, ...string[]] | readonly [];
  /** Error codes that mean "there is none". All others leave the fact unknown. */
  readonly absent: readonly string[];
  readonly scoping: Scoping;
}

const call = (
  service: ServiceName,
  operation: string,
  iamActions: Call['iamActions'],
  scoping: Scoping,
  absent: readonly string[] = [],
): Call => ({ service, operation, iamActions, scoping, absent });

const NO_BLOCK = ['NoSuchPublicAccessBlockConfiguration'];
const NO_ROLE = ['NoSuchEntity', 'NoSuchEntityException'];

/**
 * Every call that is made, all of them Get, List, Describe or Head. Collector, `iam-policy`, `doctor` and the docs read
 * this one table.
 */
export const CALLS = {
  GetCallerIdentity: call('sts', 'GetCallerIdentity', [], '*'),
  ListRegions: call('account', 'ListRegions', ['account:ListRegions'], '*'),
  DescribeOrganization: call('organizations', 'DescribeOrganization', ['organizations:DescribeOrganization'], '*', [
    'AWSOrganizationsNotInUseException',
  ]),

  DescribeTrails: call('cloudtrail', 'DescribeTrails', ['cloudtrail:DescribeTrails'], '*'),
  GetTrailStatus: call('cloudtrail', 'GetTrailStatus', ['cloudtrail:GetTrailStatus'], '*'),
  GetEventSelectors: call('cloudtrail', 'GetEventSelectors', ['cloudtrail:GetEventSelectors'], '*'),
  GetInsightSelectors: call('cloudtrail', 'GetInsightSelectors', ['cloudtrail:GetInsightSelectors'], '*', [
    'InsightNotEnabledException',
  ]),
  ListEventDataStores: call('cloudtrail', 'ListEventDataStores', ['cloudtrail:ListEventDataStores'], '*'),
  GetEventDataStore: call('cloudtrail', 'GetEventDataStore', ['cloudtrail:GetEventDataStore'], 'event-data-store'),

  HeadBucket: call('s3', 'HeadBucket', ['s3:ListBucket'], 'bucket', ['NoSuchBucket', 'NotFound']),
  GetBucketLocation: call('s3', 'GetBucketLocation', ['s3:GetBucketLocation'], 'bucket', ['NoSuchBucket']),
  GetObjectLockConfiguration: call(
    's3',
    'GetObjectLockConfiguration',
    ['s3:GetBucketObjectLockConfiguration'],
    'bucket',
    ['ObjectLockConfigurationNotFoundError'],
  ),
  GetBucketVersioning: call('s3', 'GetBucketVersioning', ['s3:GetBucketVersioning'], 'bucket'),
  GetBucketLifecycleConfiguration: call(
    's3',
    'GetBucketLifecycleConfiguration',
    ['s3:GetLifecycleConfiguration'],
    'bucket',
    ['NoSuchLifecycleConfiguration'],
  ),
  GetBucketPolicy: call('s3', 'GetBucketPolicy', ['s3:GetBucketPolicy'], 'bucket', ['NoSuchBucketPolicy']),
  GetBucketPolicyStatus: call('s3', 'GetBucketPolicyStatus', ['s3:GetBucketPolicyStatus'], 'bucket', [
    'NoSuchBucketPolicy',
  ]),
  GetPublicAccessBlock: call('s3', 'GetPublicAccessBlock', ['s3:GetBucketPublicAccessBlock'], 'bucket', NO_BLOCK),
  GetBucketOwnershipControls: call('s3', 'GetBucketOwnershipControls', ['s3:GetBucketOwnershipControls'], 'bucket', [
    'OwnershipControlsNotFoundError',
  ]),
  GetBucketAcl: call('s3', 'GetBucketAcl', ['s3:GetBucketAcl'], 'bucket'),
  GetBucketLogging: call('s3', 'GetBucketLogging', ['s3:GetBucketLogging'], 'bucket'),
  GetBucketEncryption: call('s3', 'GetBucketEncryption', ['s3:GetEncryptionConfiguration'], 'bucket', [
    'ServerSideEncryptionConfigurationNotFoundError',
  ]),
  GetBucketReplication: call('s3', 'GetBucketReplication', ['s3:GetReplicationConfiguration'], 'bucket', [
    'ReplicationConfigurationNotFoundError',
  ]),
  GetBucketRequestPayment: call('s3', 'GetBucketRequestPayment', ['s3:GetBucketRequestPayment'], 'bucket'),
  ListObjectsV2: call('s3', 'ListObjectsV2', ['s3:ListBucket'], 'bucket'),
  ListObjectVersions: call('s3', 'ListObjectVersions', ['s3:ListBucketVersions'], 'bucket'),
  GetObjectRetention: call('s3', 'GetObjectRetention', ['s3:GetObjectRetention'], 'object', [
    'NoSuchObjectLockConfiguration',
  ]),
  GetObjectLegalHold: call('s3', 'GetObjectLegalHold', ['s3:GetObjectLegalHold'], 'object', [
    'NoSuchObjectLockConfiguration',
  ]),

  GetAccountPublicAccessBlock: call(
    's3control',
    'GetPublicAccessBlock',
    ['s3:GetAccountPublicAccessBlock'],
    '*',
    NO_BLOCK,
  ),
  ListAccessPoints: call('s3control', 'ListAccessPoints', ['s3:ListAccessPoints'], '*'),
  GetAccessPoint: call('s3control', 'GetAccessPoint', ['s3:GetAccessPoint'], '*'),
  GetAccessPointPolicy: call('s3control', 'GetAccessPointPolicy', ['s3:GetAccessPointPolicy'], 'access-point', [
    'NoSuchAccessPointPolicy',
  ]),
  GetAccessPointPolicyStatus: call(
    's3control',
    'GetAccessPointPolicyStatus',
    ['s3:GetAccessPointPolicyStatus'],
    'access-point',
    ['NoSuchAccessPointPolicy'],
  ),
  ListMultiRegionAccessPoints: call(
    's3control',
    'ListMultiRegionAccessPoints',
    ['s3:ListMultiRegionAccessPoints'],
    '*',
  ),
  GetMultiRegionAccessPointPolicy: call(
    's3control',
    'GetMultiRegionAccessPointPolicy',
    ['s3:GetMultiRegionAccessPointPolicy'],
    '*',
    ['NoSuchAccessPointPolicy', 'NoSuchMultiRegionAccessPointPolicy'],
  ),

  DescribeKey: call('kms', 'DescribeKey', ['kms:DescribeKey'], 'key'),
  GetKeyRotationStatus: call('kms', 'GetKeyRotationStatus', ['kms:GetKeyRotationStatus'], 'key'),
  GetKeyPolicy: call('kms', 'GetKeyPolicy', ['kms:GetKeyPolicy'], 'key'),

  DescribeLogGroups: call('logs', 'DescribeLogGroups', ['logs:DescribeLogGroups'], '*'),

  GetRole: call('iam', 'GetRole', ['iam:GetRole'], 'role', NO_ROLE),
  ListAttachedRolePolicies: call('iam', 'ListAttachedRolePolicies', ['iam:ListAttachedRolePolicies'], 'role', NO_ROLE),
  ListRolePolicies: call('iam', 'ListRolePolicies', ['iam:ListRolePolicies'], 'role', NO_ROLE),
  GetRolePolicy: call('iam', 'GetRolePolicy', ['iam:GetRolePolicy'], 'role', NO_ROLE),
  GetPolicy: call('iam', 'GetPolicy', ['iam:GetPolicy'], '*', NO_ROLE),
  ListPublicKeys: call('cloudtrail', 'ListPublicKeys', ['cloudtrail:ListPublicKeys'], '*'),
  GetObject: call('s3', 'GetObject', ['s3:GetObject', 's3:GetObjectVersion'], 'object'),
  /** Not a call of its own: S3 decrypts for whoever reads an object under a KMS key. */
  Decrypt: call('kms', 'Decrypt', ['kms:Decrypt'], 'key'),

  GetPolicyVersion: call('iam', 'GetPolicyVersion', ['iam:GetPolicyVersion'], '*', NO_ROLE),
} as const satisfies { readonly [name: string]: Call };

export type CallName = keyof typeof CALLS;

/** Calls of `verify`; those of posture are the sum of what the controls declare and what finding the subjects takes. */
export const VERIFY_CALLS = [
  'GetCallerIdentity',
  'ListRegions',
  'DescribeTrails',
  'GetTrailStatus',
  'ListPublicKeys',
  'HeadBucket',
  'ListObjectsV2',
  'ListObjectVersions',
  'GetObject',
  'GetObjectRetention',
  'GetObjectLegalHold',
  'Decrypt',
] as const satisfies readonly CallName[];

/** The call as `Unknown` evidence names it. */
export function namedIn(name: CallName): { readonly api: string; readonly iamAction: string } {
  const { operation, iamActions }: Call = CALLS[name];
  return { api: operation, iamAction: iamActions[0] ?? '' };
}
