import { type Fields, isFields, MalformedFields, match, parseFields, text } from '../json/fields.ts';
import { parseTime } from './location.ts';

/**
 * A digest as its bytes say it. Until `attest` has vouched for it, every word here may be a stranger's.
 * The format: spec "integrity", 1.2.
 */
export interface Digest {
  readonly account: string;
  /** Verbatim, since the signature covers the text. */
  readonly endTimeText: string;
  /** Epoch milliseconds; the window is of delivery, not of events. */
  readonly startTime: number;
  readonly endTime: number;
  readonly bucket: string;
  readonly key: string;
  /** 32 lowercase hex digits. */
  readonly fingerprint: string;
  readonly signatureAlgorithm: string;
  /** `null` in a starting digest. */
  readonly previous: PreviousDigest | null;
  readonly logs: readonly LogEntry[];
}

export interface PreviousDigest {
  readonly bucket: string;
  readonly key: string;
  /** SHA-256. */
  readonly hash: Buffer;
  /** Hex as written: the signature of this digest covers the text. */
  readonly signatureText: string;
}

export interface LogEntry {
  readonly bucket: string;
  readonly key: string;
  /** SHA-256 of the uncompressed log file. */
  readonly hash: Buffer;
}

/** Parses the uncompressed bytes of a digest. Throws `MalformedFields`, whose message names the field. */
export function parseDigest(content: Uint8Array): Digest {
  const fields = parseFields(content);
  const startTime = time(fields, 'digestStartTime');
  const endTime = time(fields, 'digestEndTime');
  if (startTime >= endTime) throw new MalformedFields('digestStartTime is not before digestEndTime');
  const logs = fields['logFiles'];
  if (!Array.isArray(logs)) throw new MalformedFields('logFiles is not an array');
  return {
    account: match(fields, 'awsAccountId', /^\d{12}$/),
    endTimeText: text(fields, 'digestEndTime'),
    startTime,
    endTime,
    bucket: text(fields, 'digestS3Bucket'),
    key: text(fields, 'digestS3Object'),
    fingerprint: match(fields, 'digestPublicKeyFingerprint', /^[0-9a-f]{32}$/i).toLowerCase(),
    signatureAlgorithm: text(fields, 'digestSignatureAlgorithm'),
    previous: parsePrevious(fields),
    logs: logs.map(parseLog),
  };
}

const PREVIOUS = [
  'previousDigestS3Bucket',
  'previousDigestS3Object',
  'previousDigestHashValue',
  'previousDigestHashAlgorithm',
  'previousDigestSignature',
];

function parsePrevious(fields: Fields): PreviousDigest | null {
  // All five or none: four fields cannot be checked as a link, and CloudTrail never writes them so.
  if (PREVIOUS.every((name) => (fields[name] ?? null) === null)) return null;
  if (text(fields, 'previousDigestHashAlgorithm') !== 'SHA-256') {
    throw new MalformedFields('previousDigestHashAlgorithm is not SHA-256');
  }
  return {
    bucket: text(fields, 'previousDigestS3Bucket'),
    key: text(fields, 'previousDigestS3Object'),
    hash: sha256(fields, 'previousDigestHashValue'),
    signatureText: match(fields, 'previousDigestSignature', /^(?:[0-9a-f]{2})+$/i),
  };
}

function parseLog(value: unknown, index: number): LogEntry {
  if (!isFields(value)) throw new MalformedFields(`logFiles[${index}] is not an object`);
  if (value['hashAlgorithm'] !== 'SHA-256') {
    throw new MalformedFields(`logFiles[${index}].hashAlgorithm is not SHA-256`);
  }
  return { bucket: text(value, 's3Bucket'), key: text(value, 's3Object'), hash: sha256(value, 'hashValue') };
}

function sha256(fields: Fields, name: string): Buffer {
  return Buffer.from(match(fields, name, /^[0-9a-f]{64}$/i), 'hex');
}

function time(fields: Fields, name: string): number {
  const ms = parseTime(text(fields, name));
  if (ms === null) throw new MalformedFields(`${name} is not a time of the form YYYY-MM-DDTHH:MM:SSZ`);
  return ms;
}
