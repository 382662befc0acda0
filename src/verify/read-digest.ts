import pLimit from 'p-limit';
import type { DigestEntry, DigestReading, Place } from '../chain/attestation.ts';
import { parseDigest } from '../chain/digest.ts';
import { type DigestKey, formatTime, HOUR } from '../chain/location.ts';
import { MalformedFields } from '../json/fields.ts';
import type { KeySource } from '../keys/key-source.ts';
import { type Head, type Reading, type ReadOptions, readObject } from '../source/reading.ts';
import type { Source } from '../source/source.ts';
import type { Reader } from '../source/thread-reader.ts';

const MiB = 1024 * 1024;
const DAY = 24 * HOUR;
/** Some 2,500 logs in an hour, at about 400 bytes each: what nearly every digest keeps below. */
const USUAL = { keep: true, limits: { inflated: 1 * MiB } };
/** Some 600,000 logs. Larger ones are not CloudTrail's. */
const LARGEST = { keep: true, limits: { inflated: 256 * MiB } };
/** Digests beyond the usual size are inflated one after the other: a window full of bombs would not fit in memory. */
const oneAtATime = pLimit(1);

export interface ReadEntry extends DigestEntry {
  /** Bytes received, as stored. */
  readonly storedBytes: number;
  /** What the read told besides; `null` where there was none. */
  readonly head: Head | null;
}

/** Reads a listed digest, parses it and finds its public key; judges nothing. */
export async function readDigest(
  source: Source,
  keys: KeySource,
  key: DigestKey,
  place: Place,
  read: Reader['read'] = readObject,
): Promise<ReadEntry> {
  const location = { bucket: source.bucket ?? '', key: key.key };
  // One answer serves a Region: asked for while the first digest is read, it costs no time of its own.
  if (!key.chain.backfill) keys.expect?.(key.chain.region, key.endTime);
  const attempt = async (by: Reader['read'], how: ReadOptions) => {
    const reading = await by(source, location, how);
    return { reading, understood: await understand(reading, keys, key) };
  };
  const usual = await attempt(read, USUAL);
  const { reading, understood } =
    usual.reading.kind === 'malformed' ? await oneAtATime(() => attempt(readObject, LARGEST)) : usual;
  const { account, region, trail } = key.chain;
  const bucket = source.bucket === null ? {} : { bucket: source.bucket };
  return {
    key,
    place,
    subject: { type: 'digest', account, region, trail, ...bucket, key: key.key, hour: formatTime(key.endTime) },
    reading: understood,
    lastModified: reading.kind === 'trouble' ? null : reading.head.lastModified,
    storedBytes: reading.kind === 'trouble' ? 0 : reading.storedBytes,
    head: reading.kind === 'trouble' ? null : reading.head,
  };
}

async function understand(reading: Reading, keys: KeySource, key: DigestKey): Promise<DigestReading> {
  if (reading.kind === 'trouble') return reading;
  if (reading.kind === 'malformed') return { kind: 'malformed', reason: reading.reason, sha256: null };
  const { sha256, content = new Uint8Array() } = reading;
  try {
    const digest = parseDigest(content);
    const metadata = reading.head.metadata ?? {};
    const around = signedAround(key, metadata['backfill-generation-timestamp']);
    const publicKey = await keys.find(key.chain.region, digest.fingerprint, around);
    const notes = reading.encoding === 'identity' ? ['stored or served uncompressed', ...reading.notes] : reading.notes;
    return { kind: 'content', digest, sha256, signature: metadata['signature'] ?? null, publicKey, notes };
  } catch (error) {
    if (error instanceof MalformedFields) return { kind: 'malformed', reason: error.message, sha256 };
    throw error;
  }
}

/** A backfill digest is made after its hour, and not years after. */
const MADE = { before: DAY, after: 366 * DAY };

/**
 * When the digest was signed, epoch milliseconds. Nothing vouches for it yet, so it is believed only as far as it may be
 * so: an hourly digest is named for its time, and a backfill digest says when it was made.
 */
function signedAround({ chain, endTime }: DigestKey, generated: string | undefined): number {
  const made = chain.backfill && generated !== undefined ? Date.parse(generated) : Number.NaN;
  return made >= endTime - MADE.before && made <= endTime + MADE.after ? made : endTime;
}
