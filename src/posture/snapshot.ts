import type { BucketFacts, PublicAccessBlock } from './bucket-facts.ts';
import type { Evidence, Read } from './evidence.ts';
import type { AdvancedSelector, TrailFacts } from './trail-facts.ts';

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
