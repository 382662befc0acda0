import { createHash } from 'node:crypto';
import { gunzipSync, gzipSync } from 'node:zlib';
import { type Chain, digestKey, formatTime } from '../chain/location.ts';
import type { Signer } from './signer.ts';

/** An object as a bucket holds it. */
export interface BuiltObject {
  readonly body: Buffer;
  readonly metadata: Readonly<Record<string, string>>;
  /** Epoch milliseconds. */
  readonly lastModified: number;
}

/** The JSON of a digest in CloudTrail's own field names and order. */
export interface DigestJson {
  awsAccountId: string;
  digestStartTime: string;
  digestEndTime: string;
  digestS3Bucket: string;
  digestS3Object: string;
  digestPublicKeyFingerprint: string;
  digestSignatureAlgorithm: string;
  newestEventTime: string | null;
  oldestEventTime: string | null;
  previousDigestS3Bucket: string | null;
  previousDigestS3Object: string | null;
  previousDigestHashValue: string | null;
  previousDigestHashAlgorithm: string | null;
  previousDigestSignature: string | null;
  logFiles: LogFileJson[];
}

export interface LogFileJson {
  s3Bucket: string;
  s3Object: string;
  hashValue: string;
  hashAlgorithm: string;
  newestEventTime: string;
  oldestEventTime: string;
}

export interface BuiltDigest {
  readonly key: string;
  /** Epoch milliseconds. */
  readonly start: number;
  readonly end: number;
  readonly logs: readonly string[];
}

/** A bucket under construction: CloudTrail's deliveries first, then what somebody did to them. */
export interface World {
  readonly bucket: string;
  readonly chain: Chain;
  readonly signer: Signer;
  readonly objects: Map<string, BuiltObject>;
  /** Oldest first, as delivered; altering an object does not change this list. */
  readonly digests: BuiltDigest[];
}

export function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** Deflate level 6 in one member, as CloudTrail does. */
export function gzip(content: Uint8Array): Buffer {
  return gzipSync(content, { level: 6 });
}

export function get(world: World, key: string): BuiltObject {
  const object = world.objects.get(key);
  if (!object) throw new RangeError(`the built bucket holds no ${key}`);
  return object;
}

/** Replaces the bytes and keeps the rest of the object. */
export function rewrite(world: World, key: string, change: (body: Buffer) => Buffer): void {
  const object = get(world, key);
  world.objects.set(key, { ...object, body: change(object.body) });
}

export function readDigest(world: World, key: string): DigestJson {
  const digest = JSON.parse(gunzipSync(get(world, key).body).toString('utf8')) as DigestJson;
  if (typeof digest?.digestS3Object !== 'string') throw new RangeError(`${key} is no digest any more`);
  return digest;
}

/** The exact bytes that CloudTrail signs. */
export function signingText(digest: DigestJson, content: Buffer): string {
  const { digestEndTime, digestS3Bucket, digestS3Object, previousDigestSignature } = digest;
  return `${digestEndTime}\n${digestS3Bucket}/${digestS3Object}\n${sha256(content)}\n${previousDigestSignature ?? 'null'}`;
}

/** Stores a digest with its signature in the object's metadata, and says what the next one must repeat of it. */
export function deliverDigest(
  world: World,
  digest: DigestJson,
  signer: Signer,
  content = Buffer.from(JSON.stringify(digest)),
): { hash: string; signature: string } {
  const signature = signer.sign(signingText(digest, content));
  const delivered = Date.parse(digest.digestEndTime) + 19 * 60_000;
  const generated = world.chain.backfill ? { 'backfill-generation-timestamp': formatTime(delivered) } : {};
  world.objects.set(digest.digestS3Object, {
    body: gzip(content),
    metadata: { signature, 'signature-algorithm': 'SHA256withRSA', ...generated },
    lastModified: delivered,
  });
  return { hash: sha256(content), signature };
}

export function emptyDigest(world: World, start: number, end: number): DigestJson {
  return {
    awsAccountId: world.chain.account,
    digestStartTime: formatTime(start),
    digestEndTime: formatTime(end),
    digestS3Bucket: world.bucket,
    digestS3Object: digestKey(world.chain, end),
    digestPublicKeyFingerprint: world.signer.fingerprint,
    digestSignatureAlgorithm: 'SHA256withRSA',
    newestEventTime: null,
    oldestEventTime: null,
    previousDigestS3Bucket: null,
    previousDigestS3Object: null,
    previousDigestHashValue: null,
    previousDigestHashAlgorithm: null,
    previousDigestSignature: null,
    logFiles: [],
  };
}
