import type { Evidence } from './evidence.ts';

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
