import { createHash, createSign, generateKeyPairSync, type KeyObject } from 'node:crypto';

/** A key pair that signs like CloudTrail's: RSA-2048, PKCS#1 v1.5, SHA-256. */
export interface Signer {
  /** DER as CloudTrail serves it (PKCS#1). */
  readonly publicDer: Buffer;
  /** Lowercase hex MD5 of `publicDer`. */
  readonly fingerprint: string;
  /** Hex signature of the bytes. */
  sign(data: string): string;
}

const made = new Map<string, Signer>();

/** The signer of that name; a process makes each only once, since making an RSA key takes a tenth of a second. */
export function signer(name: string): Signer {
  const known = made.get(name);
  if (known) return known;
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const fresh = signerOf(publicKey, privateKey);
  made.set(name, fresh);
  return fresh;
}

function signerOf(publicKey: KeyObject, privateKey: KeyObject): Signer {
  const publicDer = publicKey.export({ format: 'der', type: 'pkcs1' });
  return {
    publicDer,
    fingerprint: createHash('md5').update(publicDer).digest('hex'),
    sign: (data) => createSign('RSA-SHA256').update(data).sign(privateKey, 'hex'),
  };
}
