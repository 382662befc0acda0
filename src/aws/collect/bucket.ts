import type { S3Client } from '@aws-sdk/client-s3';
import type { BucketFacts, BucketLocation } from '../../posture/bucket-facts.ts';
import { type Evidence, known, mapped } from '../../posture/evidence.ts';
import { unreadBucket } from '../../posture/world.ts';
import { collectAccessPoints } from './access-points.ts';
import { answered, readOf } from './ask.ts';
import type { Collector } from './collector.ts';

type Whereabouts = Pick<BucketFacts, 'expectedOwner' | 'location' | 'ownedAsExpected'>;

/** Where a bucket is and whether it is the expected account's; nothing else is asked. */
export async function locateBucket(collector: Collector, bucket: string, owner: string | null): Promise<BucketFacts> {
  return { ...unreadBucket(bucket, owner), ...(await whereabouts(collector, bucket, owner)) };
}

/** All that is asked of a log bucket, except its objects. */
export async function collectBucket(collector: Collector, bucket: string, owner: string | null): Promise<BucketFacts> {
  const located = await locateBucket(collector, bucket, owner);
  if (located.location.state === 'absent') return located;
  const region = located.location.state === 'known' ? located.location.value.BucketRegion : collector.clients.region;
  const s3 = await collector.clients.of('s3', region);
  const [facts, accessPoints] = await Promise.all([
    configuration(collector, s3, bucket, located.expectedOwner),
    collectAccessPoints(collector, bucket, located.expectedOwner, region),
  ]);
  return { ...located, ...facts, accessPoints };
}

/**
 * `HeadBucket` with the expected owner, and without when that is refused: only a bucket that answers to us but not under
 * that owner is known to be somebody else's. With no owner expected the caller's own account is tried.
 */
async function whereabouts(
  { ask, clients, account }: Collector,
  bucket: string,
  owner: string | null,
): Promise<Whereabouts> {
  const { HeadBucketCommand, GetBucketLocationCommand } = await import('@aws-sdk/client-s3');
  const s3 = await clients.of('s3');
  const head = (expected: string | null): Promise<Evidence<BucketLocation>> =>
    ask
      .evidence(
        'HeadBucket',
        () => s3.send(new HeadBucketCommand({ Bucket: bucket, ...expecting(expected) })),
        expected !== account,
      )
      .then((told) => mapped(told, ({ BucketRegion }) => ({ BucketRegion: BucketRegion || clients.region })));

  const tried = owner ?? account;
  const withOwner = await head(tried);
  if (withOwner.state !== 'unknown' || tried === null) {
    return {
      expectedOwner: tried,
      location: withOwner,
      ownedAsExpected: readOf(
        'HeadBucket',
        mapped(withOwner, () => true),
      ),
    };
  }
  const withoutOwner = await head(null);
  if (withoutOwner.state === 'known') {
    return owner === null
      ? { expectedOwner: null, location: withoutOwner, ownedAsExpected: known(true) }
      : { expectedOwner: owner, location: withoutOwner, ownedAsExpected: known(false) };
  }
  const location = await ask.evidence('GetBucketLocation', () =>
    s3.send(new GetBucketLocationCommand({ Bucket: bucket, ...expecting(owner) })),
  );
  return {
    expectedOwner: owner,
    location:
      location.state === 'unknown'
        ? withOwner
        : mapped(location, ({ LocationConstraint }) => ({ BucketRegion: regionOf(LocationConstraint) })),
    ownedAsExpected:
      owner !== null && location.state === 'known'
        ? known(true)
        : readOf(
            'HeadBucket',
            mapped(withOwner, () => true),
          ),
  };
}

type Configuration = Omit<BucketFacts, 'bucket' | keyof Whereabouts | 'accessPoints' | 'objects'>;

async function configuration(
  { ask, account }: Collector,
  s3: S3Client,
  bucket: string,
  owner: string | null,
): Promise<Configuration> {
  const sdk = await import('@aws-sdk/client-s3');
  const input = { Bucket: bucket, ...expecting(owner) };
  const foreign = owner !== account;
  const [
    objectLock,
    versioning,
    lifecycle,
    policy,
    policyStatus,
    publicAccessBlock,
    ownership,
    acl,
    logging,
    encryption,
    replication,
    requestPayment,
    top,
  ] = await Promise.all([
    ask.evidence(
      'GetObjectLockConfiguration',
      () => s3.send(new sdk.GetObjectLockConfigurationCommand(input)),
      foreign,
    ),
    ask.read('GetBucketVersioning', () => s3.send(new sdk.GetBucketVersioningCommand(input)), foreign),
    ask.evidence(
      'GetBucketLifecycleConfiguration',
      () => s3.send(new sdk.GetBucketLifecycleConfigurationCommand(input)),
      foreign,
    ),
    ask.evidence('GetBucketPolicy', () => s3.send(new sdk.GetBucketPolicyCommand(input)), foreign),
    ask.evidence('GetBucketPolicyStatus', () => s3.send(new sdk.GetBucketPolicyStatusCommand(input)), foreign),
    ask.evidence('GetPublicAccessBlock', () => s3.send(new sdk.GetPublicAccessBlockCommand(input)), foreign),
    ask.evidence(
      'GetBucketOwnershipControls',
      () => s3.send(new sdk.GetBucketOwnershipControlsCommand(input)),
      foreign,
    ),
    ask.read('GetBucketAcl', () => s3.send(new sdk.GetBucketAclCommand(input)), foreign),
    ask.read('GetBucketLogging', () => s3.send(new sdk.GetBucketLoggingCommand(input)), foreign),
    ask.evidence('GetBucketEncryption', () => s3.send(new sdk.GetBucketEncryptionCommand(input)), foreign),
    ask.evidence('GetBucketReplication', () => s3.send(new sdk.GetBucketReplicationCommand(input)), foreign),
    ask.read('GetBucketRequestPayment', () => s3.send(new sdk.GetBucketRequestPaymentCommand(input)), foreign),
    ask.read('ListObjectsV2', () => s3.send(new sdk.ListObjectsV2Command({ ...input, Delimiter: '/' })), foreign),
  ]);
  return {
    objectLock: answered('GetObjectLockConfiguration', objectLock, (answer) => answer.ObjectLockConfiguration),
    versioning,
    lifecycle,
    policy: answered('GetBucketPolicy', policy, (answer) => answer.Policy),
    policyStatus: answered('GetBucketPolicyStatus', policyStatus, ({ PolicyStatus }) =>
      PolicyStatus?.IsPublic === undefined ? undefined : PolicyStatus,
    ),
    publicAccessBlock: answered(
      'GetPublicAccessBlock',
      publicAccessBlock,
      (answer) => answer.PublicAccessBlockConfiguration,
    ),
    ownership: answered('GetBucketOwnershipControls', ownership, (answer) => answer.OwnershipControls),
    acl,
    logging,
    encryption: answered('GetBucketEncryption', encryption, (answer) => answer.ServerSideEncryptionConfiguration),
    replication: answered('GetBucketReplication', replication, (answer) => answer.ReplicationConfiguration),
    requestPayment: readOf(
      'GetBucketRequestPayment',
      answered('GetBucketRequestPayment', requestPayment, (answer) => (answer.Payer ? answer : undefined)),
    ),
    topLevel: mapped(top, ({ CommonPrefixes = [], Contents = [], IsTruncated = false }) => ({
      prefixes: CommonPrefixes.flatMap(({ Prefix }) => Prefix ?? []),
      keys: Contents.flatMap(({ Key }) => Key ?? []),
      truncated: IsTruncated,
    })),
  };
}

const expecting = (owner: string | null) => (owner === null ? {} : { ExpectedBucketOwner: owner });

/** Empty for us-east-1, `EU` for the oldest buckets of Ireland. */
const regionOf = (constraint: string | undefined): string =>
  constraint === 'EU' ? 'eu-west-1' : constraint || 'us-east-1';
