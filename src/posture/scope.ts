/** What is demanded of one log bucket. */
export interface LogBucketRequirements {
  readonly lock: {
    /** `GOVERNANCE` accepts both modes. */
    readonly mode: 'COMPLIANCE' | 'GOVERNANCE';
    /** Retention in days (N). */
    readonly days: number;
  };
  /** Days a log must stay readable without a restore (H). */
  readonly hotDays: number;
  /** Days before lifecycle may delete a log for good; at least `lock.days`, larger where the config says so. */
  readonly keepDays: number;
  /**
   * Who may do what besides CloudTrail, as policies name them: account ids, role or user ARNs (`*` and `?` allowed
   * after the account id), service principals.
   */
  readonly writers: readonly string[];
  readonly readers: readonly string[];
  /** May delete, and weaken protection: break-glass roles. */
  readonly admins: readonly string[];
  /** Account that owns the bucket, sent as `ExpectedBucketOwner`; `null`: not known. */
  readonly owner: string | null;
  /** `null`: no copy is demanded. */
  readonly replication: { readonly otherAccount: boolean; readonly otherRegion: boolean } | null;
}

export interface LogBucketScope extends LogBucketRequirements {
  readonly bucket: string;
  /** Key prefix before `AWSLogs/`, without slashes at its ends; `null`: what the trails say. */
  readonly prefix: string | null;
}

export interface ExpectedTrail {
  readonly arn: string;
  /** `null`: not demanded. */
  readonly bucket: string | null;
  readonly prefix: string | null;
}

export interface StateBucketScope {
  readonly bucket: string;
  readonly owner: string | null;
  /** Key prefixes whose events must be recorded; `['']` is the whole bucket. */
  readonly keyPrefixes: readonly string[];
}

export interface ReaderRoleScope {
  readonly arn: string;
  /** Principals the trust policy may name, as policies write them (`*` allowed as in ARNs). */
  readonly trustedPrincipals: readonly string[];
  /** Demanded of statements that let in another account. */
  readonly externalId: boolean;
  readonly mfa: boolean;
  /** `iam:Get*` and `iam:List*` are in order for this role (it runs posture's IAM controls). */
  readonly iamRead: boolean;
}

/** How the objects themselves are looked at. */
export interface ObjectSurveyScope {
  /** Versions of each kind (logs, digests) whose retention is asked, one request each; `all` may prove a pass, a number only a fail. */
  readonly sample: number | 'all';
  /** Chooses the sample; the same seed chooses the same versions of the same listing. */
  readonly seed: number;
}

/**
 * What ought to be, plainly: the only part of the configuration that controls see. Every list may be empty and is then
 * filled by discovery: no trails named means all that are found, no log buckets named means those the trails write to.
 */
export interface PostureScope {
  readonly trails: readonly ExpectedTrail[];
  readonly logBuckets: readonly LogBucketScope[];
  /** For log buckets that are found, not named. */
  readonly logBucketDefaults: LogBucketRequirements;
  readonly stateBuckets: readonly StateBucketScope[];
  /** An organization trail is demanded. */
  readonly organization: boolean;
  readonly readerRole: ReaderRoleScope | null;
  /** Principals that may administer, and decrypt with, the trails' KMS keys. */
  readonly keyAdmins: readonly string[];
  readonly keyReaders: readonly string[];
  /** Management events of these high-volume sources may be left out. */
  readonly allowExcludeKms: boolean;
  readonly allowExcludeRdsdata: boolean;
  /** Hours. */
  readonly deliveryMaxAge: number;
  readonly digestMaxAge: number;
  /** `null`: objects are not looked at. */
  readonly objects: ObjectSurveyScope | null;
  /** Ids of opt-in controls that were asked for (`LIFE-04`, `TRAIL-11`, `CWL-03`). */
  readonly optIn: readonly string[];
  /** Name of the regime preset the numbers come from (`pci`, `hipaa`…), `null` without one. */
  readonly regime: string | null;
}

/** PCI DSS 10.5.1: twelve months, three of them at hand. */
export const DEFAULT_REQUIREMENTS: LogBucketRequirements = {
  lock: { mode: 'COMPLIANCE', days: 365 },
  hotDays: 90,
  keepDays: 365,
  writers: [],
  readers: [],
  admins: [],
  owner: null,
  replication: null,
};

export const DEFAULT_SCOPE: PostureScope = {
  trails: [],
  logBuckets: [],
  logBucketDefaults: DEFAULT_REQUIREMENTS,
  stateBuckets: [],
  organization: false,
  readerRole: null,
  keyAdmins: [],
  keyReaders: [],
  allowExcludeKms: false,
  allowExcludeRdsdata: false,
  deliveryMaxAge: 24,
  digestMaxAge: 3,
  objects: null,
  optIn: [],
  regime: null,
};
