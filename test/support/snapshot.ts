import type { BucketFacts } from '../../src/posture/bucket-facts.ts';
import { absent, known, type Unknown, unknown } from '../../src/posture/evidence.ts';
import { judge } from '../../src/posture/judge.ts';
import { DEFAULT_SCOPE, type PostureScope } from '../../src/posture/scope.ts';
import type { Snapshot } from '../../src/posture/snapshot.ts';
import type { TrailDescription, TrailFacts } from '../../src/posture/trail-facts.ts';
import type { Finding } from '../../src/report/finding.ts';

export const ACCOUNT = '111122223333';
export const LOG_BUCKET = 'acme-cloudtrail-logs';
export const STATE_BUCKET = 'acme-terraform-state';
export const ACCESS_LOG_BUCKET = 'acme-access-logs';
export const TRAIL_ARN = `arn:aws:cloudtrail:eu-west-2:${ACCOUNT}:trail/audit`;
export const NOW = '2026-03-01T12:00:00.000Z';

export const DENIED: Unknown = unknown(
  'access-denied',
  { api: 'GetBucketPolicy', iamAction: 's3:GetBucketPolicy' },
  'AccessDenied',
);

/** As the CloudTrail guide writes it for one account, plus TLS only. */
export const LOG_POLICY = JSON.stringify({
  Version: '2012-10-17',
  Statement: [
    {
      Sid: 'AclCheck',
      Effect: 'Allow',
      Principal: { Service: 'cloudtrail.amazonaws.com' },
      Action: 's3:GetBucketAcl',
      Resource: `arn:aws:s3:::${LOG_BUCKET}`,
      Condition: { StringEquals: { 'aws:SourceArn': TRAIL_ARN } },
    },
    {
      Sid: 'Write',
      Effect: 'Allow',
      Principal: { Service: 'cloudtrail.amazonaws.com' },
      Action: 's3:PutObject',
      Resource: `arn:aws:s3:::${LOG_BUCKET}/AWSLogs/${ACCOUNT}/*`,
      Condition: { StringEquals: { 's3:x-amz-acl': 'bucket-owner-full-control', 'aws:SourceArn': TRAIL_ARN } },
    },
    {
      Sid: 'TlsOnly',
      Effect: 'Deny',
      Principal: '*',
      Action: 's3:*',
      Resource: [`arn:aws:s3:::${LOG_BUCKET}`, `arn:aws:s3:::${LOG_BUCKET}/*`],
      Condition: { Bool: { 'aws:SecureTransport': 'false' } },
    },
  ],
});

/** As the S3 guide writes it for the target of access logs. */
export const ACCESS_LOG_POLICY = JSON.stringify({
  Version: '2012-10-17',
  Statement: [
    {
      Sid: 'AccessLogs',
      Effect: 'Allow',
      Principal: { Service: 'logging.s3.amazonaws.com' },
      Action: 's3:PutObject',
      Resource: `arn:aws:s3:::${ACCESS_LOG_BUCKET}/*`,
      Condition: {
        ArnLike: { 'aws:SourceArn': `arn:aws:s3:::${LOG_BUCKET}` },
        StringEquals: { 'aws:SourceAccount': ACCOUNT },
      },
    },
  ],
});

const ALL_BLOCKED = {
  BlockPublicAcls: true,
  IgnorePublicAcls: true,
  BlockPublicPolicy: true,
  RestrictPublicBuckets: true,
};

export const GOOD_DESCRIPTION: TrailDescription = {
  Name: 'audit',
  TrailARN: TRAIL_ARN,
  HomeRegion: 'eu-west-2',
  S3BucketName: LOG_BUCKET,
  IsMultiRegionTrail: true,
  IncludeGlobalServiceEvents: true,
  LogFileValidationEnabled: true,
  IsOrganizationTrail: false,
};

/** A trail with nothing to complain about; `patch` spoils it. */
export function trailFacts(patch: Partial<TrailFacts> = {}): TrailFacts {
  return {
    arn: TRAIL_ARN,
    name: 'audit',
    account: ACCOUNT,
    homeRegion: 'eu-west-2',
    description: known(GOOD_DESCRIPTION),
    status: known({
      IsLogging: true,
      LatestDeliveryTime: '2026-03-01T11:50:00.000Z',
      LatestDigestDeliveryTime: '2026-03-01T11:20:00.000Z',
      StartLoggingTime: '2025-01-01T00:00:00.000Z',
    }),
    eventSelectors: known({
      AdvancedEventSelectors: [
        { Name: 'management', FieldSelectors: [{ Field: 'eventCategory', Equals: ['Management'] }] },
        {
          Name: 'state and logs',
          FieldSelectors: [
            { Field: 'eventCategory', Equals: ['Data'] },
            { Field: 'resources.type', Equals: ['AWS::S3::Object'] },
            {
              Field: 'resources.ARN',
              StartsWith: [`arn:aws:s3:::${STATE_BUCKET}/`, `arn:aws:s3:::${LOG_BUCKET}/`],
            },
          ],
        },
      ],
    }),
    insightSelectors: absent('InsightNotEnabledException'),
    ...patch,
  };
}

/** A log bucket with nothing to complain about; `patch` spoils it. */
export function bucketFacts(patch: Partial<BucketFacts> = {}): BucketFacts {
  return {
    bucket: LOG_BUCKET,
    expectedOwner: ACCOUNT,
    location: known({ BucketRegion: 'eu-west-2' }),
    ownedAsExpected: known(true),
    objectLock: known({
      ObjectLockEnabled: 'Enabled',
      Rule: { DefaultRetention: { Mode: 'COMPLIANCE', Days: 365 } },
    }),
    versioning: known({ Status: 'Enabled' }),
    lifecycle: absent('NoSuchLifecycleConfiguration'),
    policy: known(LOG_POLICY),
    policyStatus: known({ IsPublic: false }),
    publicAccessBlock: known(ALL_BLOCKED),
    ownership: known({ Rules: [{ ObjectOwnership: 'BucketOwnerEnforced' }] }),
    acl: known({
      Owner: { ID: 'owner' },
      Grants: [{ Grantee: { Type: 'CanonicalUser', ID: 'owner' }, Permission: 'FULL_CONTROL' }],
    }),
    logging: known({ LoggingEnabled: { TargetBucket: ACCESS_LOG_BUCKET, TargetPrefix: '' } }),
    encryption: known({ Rules: [{ ApplyServerSideEncryptionByDefault: { SSEAlgorithm: 'AES256' } }] }),
    replication: absent('ReplicationConfigurationNotFoundError'),
    requestPayment: known({ Payer: 'BucketOwner' }),
    topLevel: known({ prefixes: ['AWSLogs/'], keys: [], truncated: false }),
    accessPoints: known([]),
    objects: { ...DENIED, api: 'ListObjectVersions', reason: 'not-collected', code: 'NotCollected' },
    ...patch,
  };
}

/** One trail, one log bucket, one state bucket, all well; `patch` spoils it. */
export function snapshot(patch: Partial<Snapshot> = {}): Snapshot {
  return {
    v: 1,
    collectedAt: NOW,
    partition: 'aws',
    identity: known({ Account: ACCOUNT, Arn: `arn:aws:iam::${ACCOUNT}:user/auditor` }),
    regions: known([
      { RegionName: 'eu-west-2', RegionOptStatus: 'ENABLED_BY_DEFAULT' },
      { RegionName: 'us-east-1', RegionOptStatus: 'ENABLED_BY_DEFAULT' },
      { RegionName: 'af-south-1', RegionOptStatus: 'DISABLED' },
    ]),
    trailLists: [
      { region: 'eu-west-2', list: known([TRAIL_ARN]) },
      { region: 'us-east-1', list: known([TRAIL_ARN]) },
    ],
    trails: [trailFacts()],
    buckets: [
      bucketFacts(),
      bucketFacts({ bucket: STATE_BUCKET, objectLock: absent('ObjectLockConfigurationNotFoundError') }),
      bucketFacts({
        bucket: ACCESS_LOG_BUCKET,
        objectLock: absent('ObjectLockConfigurationNotFoundError'),
        policy: known(ACCESS_LOG_POLICY),
      }),
    ],
    accounts: [{ account: ACCOUNT, publicAccessBlock: known(ALL_BLOCKED), multiRegionAccessPoints: known([]) }],
    organization: absent('AWSOrganizationsNotInUseException'),
    keys: [],
    logGroups: [],
    roles: [],
    eventDataStores: known([]),
    ...patch,
  };
}

export const withTrail = (patch: Partial<TrailFacts>): Snapshot => snapshot({ trails: [trailFacts(patch)] });
export const withDescription = (patch: Partial<TrailDescription>): Snapshot =>
  withTrail({ description: known({ ...GOOD_DESCRIPTION, ...patch }) });
export const withBucket = (patch: Partial<BucketFacts>): Snapshot => {
  const good = snapshot();
  return {
    ...good,
    buckets: good.buckets.map((facts) => (facts.bucket === LOG_BUCKET ? { ...facts, ...patch } : facts)),
  };
};

export const scope = (patch: Partial<PostureScope> = {}): PostureScope => ({
  ...DEFAULT_SCOPE,
  stateBuckets: [{ bucket: STATE_BUCKET, owner: ACCOUNT, keyPrefixes: [''] }],
  ...patch,
});

/** The one finding of a control; throws where there are none or several. */
export function findingOf(control: string, given: Snapshot, demanded: PostureScope = scope()): Finding {
  const found = judge(given, demanded).filter((finding) => finding.control === control);
  const [only] = found;
  if (!only || found.length > 1) throw new Error(`${control} has ${found.length} findings`);
  return only;
}
