import { gunzipSync, gzipSync } from 'node:zlib';
import { digestKey, formatTime, HOUR } from '../chain/location.ts';
import { signer } from './signer.ts';
import {
  type BuiltDigest,
  type DigestJson,
  deliverDigest,
  get,
  gzip,
  readDigest,
  rewrite,
  type World,
} from './world.ts';

/**
 * What somebody may have done to a delivered trail: one verb each. Every function takes the world and changes it; hours
 * and logs count from 0, a negative hour counts from the newest. `trail()` offers all of them as methods.
 */

function digestAt(world: World, hour: number): BuiltDigest {
  const digest = world.digests.at(hour);
  if (!digest) throw new RangeError(`the trail has no hour ${hour}`);
  return digest;
}

function logAt(world: World, hour: number, log: number): string {
  const key = digestAt(world, hour).logs.at(log);
  if (key === undefined) throw new RangeError(`hour ${hour} has no log ${log}`);
  return key;
}

/** Changes one letter inside the JSON and compresses it again. */
export function alterLog(world: World, hour: number, log = 0): void {
  rewrite(world, logAt(world, hour, log), (body) => {
    const content = gunzipSync(body);
    const at = content.indexOf('"eventName":"') + '"eventName":"'.length;
    content[at] = (content[at] ?? 0) ^ 0x20;
    return gzip(content);
  });
}

/** Flips one bit of the compressed stream. */
export function corruptLog(world: World, hour: number, log = 0): void {
  rewrite(world, logAt(world, hour, log), (body) => {
    const copy = Buffer.from(body);
    const at = Math.floor(copy.length / 2);
    copy[at] = (copy[at] ?? 0) ^ 1;
    return copy;
  });
}

/** Same content, another deflate level. */
export function recompressLog(world: World, hour: number, log = 0, level = 1): void {
  rewrite(world, logAt(world, hour, log), (body) => gzipSync(gunzipSync(body), { level }));
}

/** Stored without compression. */
export function unzipLog(world: World, hour: number, log = 0): void {
  rewrite(world, logAt(world, hour, log), (body) => gunzipSync(body));
}

/** Bytes after the gzip member. */
export function appendToLog(world: World, hour: number, log = 0, bytes: Uint8Array = gzip(Buffer.from('{}'))): void {
  rewrite(world, logAt(world, hour, log), (body) => Buffer.concat([body, bytes]));
}

/** Takes bytes off the end. */
export function cutLog(world: World, hour: number, log = 0, bytes = 4): void {
  rewrite(world, logAt(world, hour, log), (body) => body.subarray(0, body.length - bytes));
}

export function dropLog(world: World, hour: number, log = 0): void {
  world.objects.delete(logAt(world, hour, log));
}

/** A log file beside the hour's own, which no digest names. */
export function addLog(world: World, hour: number): void {
  const key = logAt(world, hour, 0);
  const beside = key.replace(/[A-Za-z0-9]{16}\.json\.gz$/, 'undigested000000.json.gz');
  world.objects.set(beside, get(world, key));
}

export function dropDigest(world: World, hour: number): void {
  world.objects.delete(digestAt(world, hour).key);
}

/** The newest digests with their logs. */
export function cutTail(world: World, hours: number): void {
  for (const { key, logs } of world.digests.slice(world.digests.length - hours))
    for (const gone of [key, ...logs]) world.objects.delete(gone);
}

/** The oldest digests with their logs. */
export function cutHead(world: World, hours: number): void {
  for (const { key, logs } of world.digests.slice(0, hours))
    for (const gone of [key, ...logs]) world.objects.delete(gone);
}

export function dropEverything(world: World): void {
  world.objects.clear();
}

/** Leaves the hour's first log out of its digest; the signature stays the old one. */
export function editDigest(world: World, hour: number): void {
  rewrite(world, digestAt(world, hour).key, (body) => {
    const digest = JSON.parse(gunzipSync(body).toString('utf8'));
    digest.logFiles = digest.logFiles.slice(1);
    return gzip(Buffer.from(JSON.stringify(digest)));
  });
}

/** Leaves the hour's first log out and signs with another key, under the known fingerprint. */
export function signByStranger(world: World, hour: number): void {
  const digest = readDigest(world, digestAt(world, hour).key);
  digest.logFiles = digest.logFiles.slice(1);
  deliverDigest(world, digest, signer('stranger'));
}

/** Leaves the hour's first log out and signs with the genuine key: only the next digest's link can tell. */
export function resignDigest(world: World, hour: number): void {
  const digest = readDigest(world, digestAt(world, hour).key);
  digest.logFiles = digest.logFiles.slice(1);
  deliverDigest(world, digest, world.signer);
}

/** Puts a member in front that the digest has already, and signs with the genuine key; parsers take the one or the other. */
export function repeatKey(world: World, hour: number, member = '"awsAccountId":"999999999999"'): void {
  const digest = readDigest(world, digestAt(world, hour).key);
  const content = Buffer.from(JSON.stringify(digest).replace('{', `{${member},`));
  deliverDigest(world, digest, world.signer, content);
}

/** A fingerprint that no known key has. */
export function forgetKey(world: World, hour: number): void {
  const digest = readDigest(world, digestAt(world, hour).key);
  digest.digestPublicKeyFingerprint = '0'.repeat(32);
  deliverDigest(world, digest, world.signer);
}

/** Makes the digest a starting digest, signed with the genuine key. */
export function unlinkDigest(world: World, hour: number): void {
  const digest = readDigest(world, digestAt(world, hour).key);
  digest.previousDigestS3Bucket = null;
  digest.previousDigestS3Object = null;
  digest.previousDigestHashValue = null;
  digest.previousDigestHashAlgorithm = null;
  digest.previousDigestSignature = null;
  deliverDigest(world, digest, world.signer);
}

/** A second digest after the same predecessor, half an hour later, signed with the genuine key. */
export function forkChain(world: World, hour: number): void {
  const { key, end } = digestAt(world, hour);
  const later = end + HOUR / 2;
  deliverDigest(
    world,
    { ...readDigest(world, key), digestEndTime: formatTime(later), digestS3Object: digestKey(world.chain, later) },
    world.signer,
  );
}

/** Text in the header of the gzip member, where no checksum looks. */
export function hideInLogHeader(world: World, hour: number, log = 0, text = 'payload'): void {
  rewrite(world, logAt(world, hour, log), (body) => {
    const header = Buffer.from(body.subarray(0, 10));
    header[3] = 0x10; // FCOMMENT
    return Buffer.concat([header, Buffer.from(`${text}\0`), body.subarray(10)]);
  });
}

/** Bytes after the digest's gzip member. */
export function appendToDigest(world: World, hour: number, bytes: Uint8Array = gzip(Buffer.from('{}'))): void {
  rewrite(world, digestAt(world, hour).key, (body) => Buffer.concat([body, bytes]));
}

/** Stores any bytes, compressed, in the digest's place; the metadata stay. */
export function replaceDigest(world: World, hour: number, content: string | Uint8Array): void {
  rewrite(world, digestAt(world, hour).key, () => gzip(Buffer.from(content)));
}

export function stripSignature(world: World, hour: number): void {
  const { key } = digestAt(world, hour);
  world.objects.set(key, { ...get(world, key), metadata: {} });
}

/** What a plain copy does: no object keeps its metadata. */
export function stripMetadata(world: World): void {
  for (const [key, object] of world.objects) world.objects.set(key, { ...object, metadata: {} });
}

/** The signature of another hour's digest in the metadata of this one. */
export function swapSignature(world: World, hour: number, other: number): void {
  const { key } = digestAt(world, hour);
  const { metadata } = get(world, digestAt(world, other).key);
  world.objects.set(key, { ...get(world, key), metadata });
}

/** Content and metadata of one hour's digest under the key of another. */
export function moveDigest(world: World, from: number, to: number): void {
  world.objects.set(digestAt(world, to).key, get(world, digestAt(world, from).key));
}

export function swapDigests(world: World, a: number, b: number): void {
  const kept = get(world, digestAt(world, a).key);
  moveDigest(world, b, a);
  world.objects.set(digestAt(world, b).key, kept);
}

/** Puts any object into the bucket. */
export function addObject(world: World, key: string, body: string | Uint8Array = ''): void {
  world.objects.set(key, { body: Buffer.from(body), metadata: {}, lastModified: world.digests.at(-1)?.end ?? 0 });
}

/** Changes fields of a digest, signs it genuinely and links the later ones to it, as if CloudTrail had written it so. */
export function writeDigest(world: World, hour: number, fields: Record<string, unknown>): void {
  const from = world.digests.indexOf(digestAt(world, hour));
  let previous: { hash: string; signature: string } | null = null;
  for (const { key } of world.digests.slice(from)) {
    const digest: DigestJson = { ...readDigest(world, key), ...(previous === null ? fields : {}) };
    // A starting digest stays one.
    if (previous && digest.previousDigestS3Object !== null) {
      digest.previousDigestHashValue = previous.hash;
      digest.previousDigestSignature = previous.signature;
    }
    world.objects.delete(key);
    previous = deliverDigest(world, digest, world.signer);
  }
}

/** The hash that a digest names for a log, in capital letters. */
export function shoutHashes(world: World, hour: number): void {
  const digest = readDigest(world, digestAt(world, hour).key);
  const logFiles = digest.logFiles.map((log) => ({ ...log, hashValue: log.hashValue.toUpperCase() }));
  writeDigest(world, hour, { logFiles });
}
