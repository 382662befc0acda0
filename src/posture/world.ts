import type { Subject } from '../report/finding.ts';
import type { BucketFacts } from './bucket-facts.ts';
import { type CallName, namedIn } from './calls.ts';
import { lackingOf, type Read, type Unknown, unknown } from './evidence.ts';
import type { LogBucketScope, PostureScope, StateBucketScope } from './scope.ts';
import type { AccountFacts, Snapshot } from './snapshot.ts';
import type { TrailDescription, TrailFacts } from './trail-facts.ts';

/** All a control may look at. */
export interface World {
  readonly snapshot: Snapshot;
  readonly scope: PostureScope;
  /** `snapshot.collectedAt` in epoch milliseconds: what counts as now. */
  readonly now: number;
}

/** One thing a control has an answer about. */
export interface Target<T> {
  readonly subject: Subject;
  readonly of: T;
}

export interface Targets<T> {
  readonly list: readonly Target<T>[];
  /** Why there may be more than the list shows; decides between "none" and "cannot tell" when the list is empty. */
  readonly unseen: readonly Unknown[];
}

/** A trail that is in scope and was not found to be missing. */
export interface Trail extends TrailFacts {
  readonly description: Read<TrailDescription>;
}

export interface LogBucket {
  readonly name: string;
  readonly demands: LogBucketScope;
  readonly facts: BucketFacts;
  /** Trails in scope that are known to write here. */
  readonly trails: readonly Trail[];
  /** Key prefixes before `AWSLogs/`, each `''` or ending in `/`; one for each way trails write here. */
  readonly prefixes: readonly string[];
}

export interface StateBucket {
  readonly demands: StateBucketScope;
  readonly facts: BucketFacts;
}

export const notCollected = (call: CallName): Unknown => unknown('not-collected', namedIn(call), 'NotCollected');

/** The account the run is about, as far as it is known. */
export function accountOf({ snapshot }: World): string | undefined {
  return snapshot.identity.state === 'known' ? snapshot.identity.value.Account : snapshot.trails[0]?.account;
}

export function theAccount(world: World): Targets<World> {
  const account = accountOf(world);
  return { list: [{ subject: { type: 'account', ...(account ? { account } : {}) }, of: world }], unseen: [] };
}

const trailSubject = ({ arn, account, homeRegion, name }: TrailFacts): Subject => ({
  type: 'trail',
  arn,
  account,
  region: homeRegion,
  trail: name,
});

/** Trails in scope: those named, or all found. One that is known not to exist is TRAIL-01's business alone. */
export function trails({ snapshot, scope }: World): Targets<Trail> {
  const wanted = new Set(scope.trails.map(({ arn }) => arn));
  const list = snapshot.trails
    .filter(({ arn }) => wanted.size === 0 || wanted.has(arn))
    .flatMap((facts) =>
      facts.description.state === 'absent'
        ? []
        : [{ subject: trailSubject(facts), of: { ...facts, description: facts.description } }],
    );
  const missing = [...wanted].filter((arn) => !snapshot.trails.some((facts) => facts.arn === arn));
  return {
    list,
    unseen: [
      ...lackingOf(snapshot.trailLists.map((region) => region.list)),
      ...(missing.length > 0 ? [notCollected('DescribeTrails')] : []),
    ],
  };
}

/** Every trail that was found, in scope or not: coverage is a matter of all that log. */
export function allTrails({ snapshot }: World): readonly Trail[] {
  return snapshot.trails.flatMap((facts) =>
    facts.description.state === 'absent' ? [] : [{ ...facts, description: facts.description }],
  );
}

const slashed = (prefix: string | undefined | null): string => (prefix ? `${prefix.replace(/\/+$/, '')}/` : '');

/** Log buckets in scope: those named, and those that trails in scope write to. */
export function logBuckets(world: World): Targets<LogBucket> {
  const { snapshot, scope } = world;
  const inScope = trails(world);
  const writing = new Map<string, Trail[]>(scope.logBuckets.map(({ bucket }) => [bucket, []]));
  for (const { of: trail } of inScope.list) {
    const bucket = trail.description.state === 'known' ? trail.description.value.S3BucketName : undefined;
    if (bucket) writing.set(bucket, [...(writing.get(bucket) ?? []), trail]);
  }
  const list = [...writing].map(([name, writers]) => {
    const demands = scope.logBuckets.find(({ bucket }) => bucket === name) ?? {
      ...scope.logBucketDefaults,
      bucket: name,
      prefix: null,
    };
    const prefixes = new Set(
      demands.prefix === null
        ? writers.map(({ description }) => slashed(description.state === 'known' ? description.value.S3KeyPrefix : ''))
        : [slashed(demands.prefix)],
    );
    const facts = bucketFacts(snapshot, name);
    return {
      subject: bucketSubject(snapshot, facts, demands.owner),
      of: { name, demands, facts, trails: writers, prefixes: prefixes.size > 0 ? [...prefixes] : [''] },
    };
  });
  return {
    list,
    unseen: [...inScope.unseen, ...lackingOf(inScope.list.map(({ of }) => of.description))],
  };
}

export function stateBuckets({ snapshot, scope }: World): Targets<StateBucket> {
  const list = scope.stateBuckets.map((demands) => {
    const facts = bucketFacts(snapshot, demands.bucket);
    return { subject: bucketSubject(snapshot, facts, demands.owner), of: { demands, facts } };
  });
  return { list, unseen: [] };
}

function bucketSubject(snapshot: Snapshot, facts: BucketFacts, owner: string | null): Subject {
  const account = owner ?? facts.expectedOwner;
  return {
    type: 'bucket',
    arn: `arn:${snapshot.partition}:s3:::${facts.bucket}`,
    ...(account ? { account } : {}),
    ...(facts.location.state === 'known' ? { region: facts.location.value.BucketRegion } : {}),
    bucket: facts.bucket,
  };
}

/** Facts on a bucket; all unknown where the snapshot does not have it. */
export function bucketFacts(snapshot: Snapshot, name: string): BucketFacts {
  return snapshot.buckets.find(({ bucket }) => bucket === name) ?? unreadBucket(name, null);
}

/** Facts on the account that owns a bucket; all unknown where the owner is not known or was not asked. */
export function ownerFacts(snapshot: Snapshot, { expectedOwner }: BucketFacts): AccountFacts {
  return (
    snapshot.accounts.find(({ account }) => account === expectedOwner) ?? {
      account: expectedOwner ?? '',
      publicAccessBlock: notCollected('GetAccountPublicAccessBlock'),
      multiRegionAccessPoints: notCollected('ListMultiRegionAccessPoints'),
    }
  );
}

/** A bucket of which nothing has been asked yet. */
export function unreadBucket(bucket: string, expectedOwner: string | null): BucketFacts {
  return {
    bucket,
    expectedOwner,
    location: notCollected('HeadBucket'),
    ownedAsExpected: notCollected('HeadBucket'),
    objectLock: notCollected('GetObjectLockConfiguration'),
    versioning: notCollected('GetBucketVersioning'),
    lifecycle: notCollected('GetBucketLifecycleConfiguration'),
    policy: notCollected('GetBucketPolicy'),
    policyStatus: notCollected('GetBucketPolicyStatus'),
    publicAccessBlock: notCollected('GetPublicAccessBlock'),
    ownership: notCollected('GetBucketOwnershipControls'),
    acl: notCollected('GetBucketAcl'),
    logging: notCollected('GetBucketLogging'),
    encryption: notCollected('GetBucketEncryption'),
    replication: notCollected('GetBucketReplication'),
    requestPayment: notCollected('GetBucketRequestPayment'),
    topLevel: notCollected('ListObjectsV2'),
    accessPoints: notCollected('ListAccessPoints'),
    objects: notCollected('ListObjectVersions'),
  };
}
