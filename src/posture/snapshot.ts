import type { Evidence, Read } from './evidence.ts';

/**
 * All evidence of one moment, as JSON. Field names inside facts are the AWS API's own (`IsLogging`), so that whoever
 * reads a finding finds the field in the AWS documentation; times are ISO 8601 UTC, policies are text as AWS returned it.
 */
export interface Snapshot {
  readonly v: 1;
  /** The instant all freshness is judged at. */
  readonly collectedAt: string;
  /** `aws`, `aws-cn`, `aws-us-gov`… */
  readonly partition: string;
  readonly identity: Read<CallerIdentity>;
  readonly regions: Read<readonly AccountRegion[]>;
  /** `DescribeTrails` of each Region that was asked: what was refused there. Trails found are in `trails`. */
  readonly trailLists: readonly { readonly region: string; readonly list: Read<readonly string[]> }[];
  /** Each trail once, by ARN; those expected but not found have an absent description. */
  readonly trails: readonly TrailFacts[];
  /** Log buckets, state buckets, targets of access logs and of replication, each once. */
  readonly buckets: readonly BucketFacts[];
  /** Owners of log buckets. */
  readonly accounts: readonly AccountFacts[];
  readonly organization: Evidence<Organization>;
  readonly keys: readonly KeyFacts[];
  readonly logGroups: readonly LogGroupFacts[];
  readonly roles: readonly RoleFacts[];
  readonly eventDataStores: Read<readonly EventDataStoreFacts[]>;
}

export interface CallerIdentity {
  readonly Account: string;
  readonly Arn: string;
}

export interface AccountRegion {
  readonly RegionName: string;
  /** `ENABLED` · `ENABLING` · `DISABLING` · `DISABLED` · `ENABLED_BY_DEFAULT` */
  readonly RegionOptStatus: string;
}

export interface Organization {
  readonly Id: string;
  readonly MasterAccountId?: string;
}

// Trails

export interface TrailFacts {
  readonly arn: string;
  readonly name: string;
  /** Account in the ARN: the management account for an organization trail. */
  readonly account: string;
  readonly homeRegion: string;
  readonly description: Evidence<TrailDescription>;
  readonly status: Read<TrailStatus>;
  readonly eventSelectors: Read<EventSelectors>;
  readonly insightSelectors: Evidence<InsightSelectors>;
}

export interface TrailDescription {
  readonly Name?: string;
  readonly S3BucketName?: string;
  readonly S3KeyPrefix?: string;
  readonly IncludeGlobalServiceEvents?: boolean;
  readonly IsMultiRegionTrail?: boolean;
  readonly HomeRegion?: string;
  readonly TrailARN?: string;
  readonly LogFileValidationEnabled?: boolean;
  readonly CloudWatchLogsLogGroupArn?: string;
  readonly CloudWatchLogsRoleArn?: string;
  readonly KmsKeyId?: string;
  readonly HasCustomEventSelectors?: boolean;
  readonly HasInsightSelectors?: boolean;
  readonly IsOrganizationTrail?: boolean;
  readonly RecursiveLogging?: boolean;
}

export interface TrailStatus {
  readonly IsLogging?: boolean;
  readonly LatestDeliveryError?: string;
  readonly LatestDeliveryTime?: string;
  readonly LatestDigestDeliveryError?: string;
  readonly LatestDigestDeliveryTime?: string;
  readonly LatestCloudWatchLogsDeliveryError?: string;
  readonly LatestCloudWatchLogsDeliveryTime?: string;
  readonly StartLoggingTime?: string;
  readonly StopLoggingTime?: string;
}

export interface EventSelectors {
  readonly EventSelectors?: readonly BasicSelector[];
  readonly AdvancedEventSelectors?: readonly AdvancedSelector[];
}

export interface BasicSelector {
  readonly ReadWriteType?: string;
  readonly IncludeManagementEvents?: boolean;
  readonly DataResources?: readonly { readonly Type?: string; readonly Values?: readonly string[] }[];
  readonly ExcludeManagementEventSources?: readonly string[];
}

export interface AdvancedSelector {
  readonly Name?: string;
  readonly FieldSelectors?: readonly FieldSelector[];
}

export interface FieldSelector {
  readonly Field: string;
  readonly Equals?: readonly string[];
  readonly StartsWith?: readonly string[];
  readonly EndsWith?: readonly string[];
  readonly NotEquals?: readonly string[];
  readonly NotStartsWith?: readonly string[];
  readonly NotEndsWith?: readonly string[];
}

export interface InsightSelectors {
  readonly InsightSelectors?: readonly { readonly InsightType?: string }[];
}

// Buckets

export interface BucketFacts {
  readonly bucket: string;
  /** The account passed as `ExpectedBucketOwner`; `null` where none was known. */
  readonly expectedOwner: string | null;
  /** Absent: there is no such bucket (`NoSuchBucket`). */
  readonly location: Evidence<BucketLocation>;
  /** `false` where the bucket answers without `ExpectedBucketOwner` and refuses with it. */
  readonly ownedAsExpected: Read<boolean>;
  readonly objectLock: Evidence<ObjectLockConfiguration>;
  readonly versioning: Read<Versioning>;
  readonly lifecycle: Evidence<{ readonly Rules?: readonly LifecycleRule[] }>;
  /** The document as AWS returned it. */
  readonly policy: Evidence<string>;
  readonly policyStatus: Evidence<{ readonly IsPublic?: boolean }>;
  readonly publicAccessBlock: Evidence<PublicAccessBlock>;
  readonly ownership: Evidence<{ readonly Rules?: readonly { readonly ObjectOwnership?: string }[] }>;
  readonly acl: Read<Acl>;
  readonly logging: Read<{ readonly LoggingEnabled?: LoggingTarget }>;
  readonly encryption: Evidence<{ readonly Rules?: readonly EncryptionRule[] }>;
  readonly replication: Evidence<{ readonly Role?: string; readonly Rules?: readonly ReplicationRule[] }>;
  readonly requestPayment: Read<{ readonly Payer?: string }>;
  /** First page of what lies at the top. */
  readonly topLevel: Read<TopLevel>;
  readonly accessPoints: Read<readonly AccessPointFacts[]>;
  readonly objects: Read<ObjectSurvey>;
}

export interface BucketLocation {
  readonly BucketRegion: string;
}

export interface ObjectLockConfiguration {
  readonly ObjectLockEnabled?: string;
  readonly Rule?: {
    readonly DefaultRetention?: {
      readonly Mode?: string;
      readonly Days?: number;
      readonly Years?: number;
      readonly DefaultEventHold?: { readonly Days?: number; readonly Years?: number };
    };
  };
}

export interface Versioning {
  readonly Status?: string;
  readonly MFADelete?: string;
}

export interface LifecycleRule {
  readonly ID?: string;
  readonly Status?: string;
  /** Legacy, instead of `Filter`. */
  readonly Prefix?: string;
  readonly Filter?: {
    readonly Prefix?: string;
    readonly Tag?: Tag;
    readonly ObjectSizeGreaterThan?: number;
    readonly ObjectSizeLessThan?: number;
    readonly And?: {
      readonly Prefix?: string;
      readonly Tags?: readonly Tag[];
      readonly ObjectSizeGreaterThan?: number;
      readonly ObjectSizeLessThan?: number;
    };
  };
  readonly Expiration?: {
    readonly Date?: string;
    readonly Days?: number;
    readonly ExpiredObjectDeleteMarker?: boolean;
  };
  readonly NoncurrentVersionExpiration?: {
    readonly NoncurrentDays?: number;
    readonly NewerNoncurrentVersions?: number;
  };
  readonly Transitions?: readonly { readonly Date?: string; readonly Days?: number; readonly StorageClass?: string }[];
  readonly NoncurrentVersionTransitions?: readonly {
    readonly NoncurrentDays?: number;
    readonly NewerNoncurrentVersions?: number;
    readonly StorageClass?: string;
  }[];
  readonly AbortIncompleteMultipartUpload?: { readonly DaysAfterInitiation?: number };
}

export interface Tag {
  readonly Key?: string;
  readonly Value?: string;
}

export interface PublicAccessBlock {
  readonly BlockPublicAcls?: boolean;
  readonly IgnorePublicAcls?: boolean;
  readonly BlockPublicPolicy?: boolean;
  readonly RestrictPublicBuckets?: boolean;
}

export interface Acl {
  readonly Owner?: { readonly ID?: string };
  readonly Grants?: readonly {
    readonly Grantee?: { readonly Type?: string; readonly ID?: string; readonly URI?: string };
    readonly Permission?: string;
  }[];
}

export interface LoggingTarget {
  readonly TargetBucket?: string;
  readonly TargetPrefix?: string;
}

export interface EncryptionRule {
  readonly ApplyServerSideEncryptionByDefault?: { readonly SSEAlgorithm?: string; readonly KMSMasterKeyID?: string };
  readonly BucketKeyEnabled?: boolean;
}

export interface ReplicationRule {
  readonly ID?: string;
  readonly Priority?: number;
  readonly Status?: string;
  /** Legacy, instead of `Filter`. */
  readonly Prefix?: string;
  readonly Filter?: {
    readonly Prefix?: string;
    readonly Tag?: Tag;
    readonly And?: { readonly Prefix?: string; readonly Tags?: readonly Tag[] };
  };
  readonly Destination?: { readonly Bucket?: string; readonly Account?: string; readonly StorageClass?: string };
  readonly DeleteMarkerReplication?: { readonly Status?: string };
}

export interface TopLevel {
  readonly prefixes: readonly string[];
  readonly keys: readonly string[];
  readonly truncated: boolean;
}

export interface AccessPointFacts {
  readonly Name: string;
  readonly AccessPointArn: string;
  /** `Internet` or `VPC` */
  readonly NetworkOrigin: string;
  readonly BucketAccountId?: string;
  readonly publicAccessBlock: Read<PublicAccessBlock>;
  readonly policy: Evidence<string>;
  readonly policyStatus: Evidence<{ readonly IsPublic?: boolean }>;
}

// The objects themselves

/** Logs and digests are told apart by key: `AWSLogs/…/CloudTrail/` and `…/CloudTrail-Digest/`. */
export type ObjectKind = 'log' | 'digest';

export interface ObjectVersion {
  readonly kind: ObjectKind;
  readonly Key: string;
  readonly VersionId: string;
  readonly IsLatest: boolean;
  readonly LastModified: string;
  readonly StorageClass?: string;
  readonly Owner?: string;
}

export interface SampledVersion extends ObjectVersion {
  /** Absent: the version carries no retention. */
  readonly retention: Evidence<Retention>;
  readonly legalHold: Evidence<{ readonly Status?: string }>;
}

export interface Retention {
  readonly Mode?: string;
  readonly RetainUntilDate?: string;
  readonly EventHold?: string;
}

/** A count, and the first few of what was counted. */
export interface Counted {
  readonly count: number;
  readonly first: readonly ObjectVersion[];
}

/** One pass over `ListObjectVersions` under the log prefixes; the lists in it are cut, the counts are not. */
export interface ObjectSurvey {
  readonly prefixes: readonly string[];
  /** The listing reached its end. */
  readonly complete: boolean;
  readonly population: { readonly [kind in ObjectKind]: number };
  readonly deleteMarkers: Counted;
  /** Keys that have more than one version. */
  readonly overwritten: Counted;
  /** Versions with the id `null`: written before versioning. */
  readonly preVersioning: Counted;
  /** Versions in an archive class (`GLACIER`, `DEEP_ARCHIVE`), youngest first. */
  readonly archived: Counted;
  readonly sample: { readonly size: number | 'all'; readonly seed: number };
  readonly sampled: readonly SampledVersion[];
}

// Around them

export interface AccountFacts {
  readonly account: string;
  readonly publicAccessBlock: Evidence<PublicAccessBlock>;
  readonly multiRegionAccessPoints: Read<readonly MultiRegionAccessPointFacts[]>;
}

export interface MultiRegionAccessPointFacts {
  readonly Name: string;
  readonly Alias?: string;
  readonly Status?: string;
  readonly PublicAccessBlock?: PublicAccessBlock;
  readonly Regions?: readonly {
    readonly Bucket?: string;
    readonly BucketAccountId?: string;
    readonly Region?: string;
  }[];
  /** The established policy; asked only where a log bucket is a member. */
  readonly policy: Evidence<string>;
}

export interface KeyFacts {
  /** As the trail names it. */
  readonly id: string;
  readonly metadata: Read<KeyMetadata>;
  readonly rotation: Read<{ readonly KeyRotationEnabled?: boolean; readonly RotationPeriodInDays?: number }>;
  readonly policy: Read<string>;
}

export interface KeyMetadata {
  readonly Arn?: string;
  readonly AWSAccountId?: string;
  readonly KeyState?: string;
  readonly KeyManager?: string;
  readonly Origin?: string;
  readonly KeySpec?: string;
  readonly KeyUsage?: string;
  readonly MultiRegion?: boolean;
  readonly DeletionDate?: string;
}

export interface LogGroupFacts {
  /** As the trail names it: ends in `:*`. */
  readonly arn: string;
  /** Absent: not in the list of its account and Region. */
  readonly group: Evidence<{ readonly logGroupName?: string; readonly retentionInDays?: number }>;
}

export interface RoleFacts {
  readonly arn: string;
  readonly role: Evidence<{
    readonly Arn?: string;
    /** URL-decoded. */
    readonly AssumeRolePolicyDocument?: string;
    readonly PermissionsBoundary?: string;
  }>;
  readonly policies: Read<readonly RolePolicyFacts[]>;
  /** Absent: the role has none. */
  readonly boundary: Evidence<string>;
}

export interface RolePolicyFacts {
  readonly name: string;
  readonly kind: 'inline' | 'attached';
  /** URL-decoded. */
  readonly document: Read<string>;
}

export interface EventDataStoreFacts {
  readonly arn: string;
  readonly name: string;
  readonly detail: Read<EventDataStore>;
}

export interface EventDataStore {
  readonly Status?: string;
  readonly TerminationProtectionEnabled?: boolean;
  /** Days. */
  readonly RetentionPeriod?: number;
  readonly MultiRegionEnabled?: boolean;
  readonly OrganizationEnabled?: boolean;
  readonly KmsKeyId?: string;
  readonly BillingMode?: string;
  readonly AdvancedEventSelectors?: readonly AdvancedSelector[];
}
