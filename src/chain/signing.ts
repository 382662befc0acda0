import { createHash, createPublicKey, type KeyObject, verify } from 'node:crypto';
import type { Digest, LogEntry } from './digest.ts';

export const SIGNATURE_ALGORITHM = 'SHA256withRSA';

/** A public key as CloudTrail serves it, already loaded. */
export interface PublicKey {
  /** Lowercase hex MD5 of the DER bytes as served; checked. */
  readonly fingerprint: string;
  readonly key: KeyObject;
  /** Epoch milliseconds. */
  readonly validFrom: number;
  readonly validTo: number;
}

/** What a date can hold, epoch milliseconds. */
const LAST_INSTANT = 8.64e15;

export class UnusablePublicKey extends Error {
  override readonly name = 'UnusablePublicKey';
}

/**
 * Loads the DER bytes of a served key. They are documented as PKCS#1, yet AWS has served SubjectPublicKeyInfo too, so
 * the bytes decide. Throws `UnusablePublicKey`: a key that is not what its fingerprint says must vouch for nothing.
 */
export function loadPublicKey(der: Buffer, fingerprint: string, validFrom: number, validTo: number): PublicKey {
  const md5 = createHash('md5').update(der).digest('hex');
  if (md5 !== fingerprint.toLowerCase()) {
    throw new UnusablePublicKey(`the key served as ${fingerprint} has the fingerprint ${md5}`);
  }
  if (![validFrom, validTo].every((ms) => Math.abs(ms) <= LAST_INSTANT)) {
    throw new UnusablePublicKey(`the validity of the key ${md5} is no span of time`);
  }
  const key = loadDer(der, 'pkcs1') ?? loadDer(der, 'spki');
  if (key?.asymmetricKeyType !== 'rsa') throw new UnusablePublicKey(`the key ${md5} is not an RSA public key in DER`);
  return { fingerprint: md5, key, validFrom, validTo };
}

function loadDer(der: Buffer, type: 'pkcs1' | 'spki'): KeyObject | null {
  try {
    return createPublicKey({ key: der, format: 'der', type });
  } catch {
    return null; // not of this form: the caller tries the other one and says so when both fail
  }
}

/** The bytes that CloudTrail signs: four parts joined by `\n`, no newline at the end. */
export function dataToSign(digest: Digest, sha256: Uint8Array): Buffer {
  const hash = Buffer.from(sha256).toString('hex');
  return Buffer.from(
    `${digest.endTimeText}\n${digest.bucket}/${digest.key}\n${hash}\n${digest.previous?.signatureText ?? 'null'}`,
  );
}

declare const attested: unique symbol;

/** A digest whose signature verified. `attest` is its only maker, so only attested digests can yield log claims. */
export type AttestedDigest = Digest & { readonly [attested]: true };

/** The gate. `sha256` is of the uncompressed bytes that `digest` was parsed from; `signature` is hex. */
export function attest(
  digest: Digest,
  sha256: Uint8Array,
  signature: string,
  publicKey: PublicKey,
): AttestedDigest | null {
  if (digest.signatureAlgorithm !== SIGNATURE_ALGORITHM || digest.fingerprint !== publicKey.fingerprint) return null;
  if (!/^(?:[0-9a-f]{2})+$/i.test(signature)) return null;
  const holds = verify('RSA-SHA256', dataToSign(digest, sha256), publicKey.key, Buffer.from(signature, 'hex'));
  return holds ? (digest as AttestedDigest) : null;
}

/** "This log has this hash", said by an attested digest. */
export interface LogClaim extends LogEntry {
  readonly [attested]: true;
}

export function logClaims(digest: AttestedDigest): readonly LogClaim[] {
  return digest.logs as readonly LogClaim[];
}
