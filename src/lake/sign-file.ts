import { REGION_NAME } from '../chain/location.ts';
import { type Fields, isFields, MalformedFields, match, parseFields } from '../json/fields.ts';

/**
 * The sign file of a CloudTrail Lake query result, beside `result_1.csv.gz`, `result_2.csv.gz`, …
 * The format: spec "integrity", 1.8. Only the hashes are signed; every other word may be a stranger's.
 */
export interface SignFile {
  readonly region: string;
  /** In the order that is signed. */
  readonly files: readonly ResultFile[];
  /** Hex. */
  readonly signature: string;
  /** 32 lowercase hex digits. */
  readonly fingerprint: string;
  /** Epoch milliseconds; `null` where the file does not say it, or not as a time. */
  readonly completedAt: number | null;
}

export interface ResultFile {
  /** A bare name: it cannot lead out of the folder of the sign file. */
  readonly name: string;
  /** SHA-256 of the file as stored, that is compressed; hex as written, since the signature covers the text. */
  readonly hashText: string;
}

/** Throws `MalformedFields`, whose message names the field. */
export function parseSignFile(content: Uint8Array): SignFile {
  const fields = parseFields(content);
  expectText(fields, 'hashAlgorithm', 'SHA-256');
  expectText(fields, 'signatureAlgorithm', 'SHA256withRSA');
  const files = fields['files'];
  if (!Array.isArray(files)) throw new MalformedFields('files is not an array');
  if (files.length === 0) throw new MalformedFields('files is empty: nothing is signed');
  const parsed = files.map(parseFile);
  if (new Set(parsed.map(({ name }) => name)).size < parsed.length) {
    throw new MalformedFields('files names one file twice');
  }
  const time = fields['queryCompleteTime'];
  return {
    // The Region decides which address is asked for the key, so it must be one.
    region: match(fields, 'region', REGION_NAME),
    files: parsed,
    signature: match(fields, 'hashSignature', /^(?:[0-9a-f]{2})+$/i),
    fingerprint: match(fields, 'publicKeyFingerprint', /^[0-9a-f]{32}$/i).toLowerCase(),
    completedAt: (typeof time === 'string' && Date.parse(time)) || null,
  };
}

/** The bytes that are signed: all hashes, as written, joined by one space. */
export function signedBytes({ files }: SignFile): Buffer {
  return Buffer.from(files.map(({ hashText }) => hashText).join(' '));
}

function parseFile(value: unknown, index: number): ResultFile {
  if (!isFields(value)) throw new MalformedFields(`files[${index}] is not an object`);
  const { fileName, fileHashValue } = value;
  if (typeof fileName !== 'string' || !isBareName(fileName)) {
    throw new MalformedFields(`files[${index}].fileName is not the bare name of a file`);
  }
  if (typeof fileHashValue !== 'string' || !/^[0-9a-f]{64}$/i.test(fileHashValue)) {
    throw new MalformedFields(`files[${index}].fileHashValue is not a SHA-256 in hex`);
  }
  return { name: fileName, hashText: fileHashValue };
}

/** Letters, digits, `.`, `_` and `-`, as CloudTrail names its files; neither `.` nor `..`. */
function isBareName(name: string): boolean {
  return /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,254}$/.test(name);
}

function expectText(fields: Fields, name: string, expected: string): void {
  if (fields[name] !== expected) throw new MalformedFields(`${name} is not ${expected}`);
}
