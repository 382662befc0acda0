import type { Evidence, Read } from './evidence.ts';
import type { ObjectSurvey } from './object-facts.ts';

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
