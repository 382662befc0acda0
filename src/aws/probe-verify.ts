import type { S3Client } from '@aws-sdk/client-s3';
import type { Ask } from './collect/ask.ts';
import type { PostureClients } from './collect/clients.ts';

export interface VerifyPlace {
  readonly bucket: string;
  /** In front of `AWSLogs/`: `''` or ending in `/`. */
  readonly prefix: string;
  readonly region: string;
}

/** One digest, at most so many listed objects away. */
const LOOKED_AT = 1000;

/** Makes each call of `verify` once, on the first digest that is found; what comes of it is in the record of `ask`. */
export async function probeVerify(
  ask: Ask,
  clients: PostureClients,
  places: readonly VerifyPlace[],
  keyRegions: readonly string[],
): Promise<void> {
  const { ListPublicKeysCommand } = await import('@aws-sdk/client-cloudtrail');
  const keys = keyRegions.map(async (region) => {
    const cloudtrail = await clients.of('cloudtrail', region);
    await ask.evidence('ListPublicKeys', () => cloudtrail.send(new ListPublicKeysCommand({})));
  });
  const buckets = places.map(async (place) => probeBucket(ask, await clients.of('s3', place.region), place));
  await Promise.all([...keys, ...buckets]);
}

async function probeBucket(ask: Ask, s3: S3Client, { bucket: Bucket, prefix }: VerifyPlace): Promise<void> {
  const {
    GetObjectCommand,
    GetObjectLegalHoldCommand,
    GetObjectRetentionCommand,
    ListObjectsV2Command,
    ListObjectVersionsCommand,
  } = await import('@aws-sdk/client-s3');
  const Prefix = `${prefix}AWSLogs/`;
  const [listed] = await Promise.all([
    ask.evidence('ListObjectsV2', () => s3.send(new ListObjectsV2Command({ Bucket, Prefix, MaxKeys: LOOKED_AT }))),
    ask.evidence('ListObjectVersions', () => s3.send(new ListObjectVersionsCommand({ Bucket, Prefix, MaxKeys: 1 }))),
  ]);
  const objects = listed.state === 'known' ? (listed.value.Contents ?? []) : [];
  const named = objects.filter((object) => (object.Size ?? 0) > 0);
  const Key = (named.find((object) => object.Key?.includes('/CloudTrail-Digest/')) ?? named[0])?.Key;
  if (Key === undefined) return;
  await Promise.all([
    // One byte: S3 decrypts before it cuts, so a key that is refused is refused here too.
    ask.evidence('GetObject', async () => {
      const { Body } = await s3.send(new GetObjectCommand({ Bucket, Key, Range: 'bytes=0-0' }));
      await Body?.transformToByteArray();
      return {};
    }),
    ask.evidence('GetObjectRetention', () => s3.send(new GetObjectRetentionCommand({ Bucket, Key }))),
    ask.evidence('GetObjectLegalHold', () => s3.send(new GetObjectLegalHoldCommand({ Bucket, Key }))),
  ]);
}
