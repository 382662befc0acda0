import { constants, publicDecrypt } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parseDigest } from '../../src/chain/digest.ts';
import { parseDigestKey, parseLogKey } from '../../src/chain/location.ts';
import { loadPublicKey, UnusablePublicKey } from '../../src/chain/signing.ts';
import { parseSavedKeys } from '../../src/keys/saved-keys.ts';
import { hasShared, sharedPath } from '../support/shared.ts';

interface Vectors {
  readonly keyFingerprint: string;
  readonly vectors: readonly { readonly id: string; readonly signatureHex: string; readonly messageSha256: string }[];
}

const read = (path: string) => readFileSync(sharedPath(path));
const keys = () => parseSavedKeys(read('data/aws-vectors/aws_public_keys.json').toString('utf8')).map(({ key }) => key);

/** DER of "this is a SHA-256", which PKCS#1 v1.5 puts before the hash. */
const SHA256_PREFIX = '3031300d060960864801650304020105000420';

describe.skipIf(!hasShared)('what AWS published', () => {
  it('keys load in both DER forms, and their fingerprint is the MD5 of the served bytes', () => {
    const loaded = keys().map((key) => loadPublicKey(key.value, key.fingerprint, key.validFrom, key.validTo));
    expect(loaded.map(({ key }) => key.asymmetricKeyDetails)).toEqual(
      Array(4).fill({ modulusLength: 2048, publicExponent: 65537n }),
    );
  });

  it('a key under another fingerprint is refused', () => {
    const [first, second] = keys();
    expect(() => loadPublicKey(first?.value ?? Buffer.alloc(0), second?.fingerprint ?? '', 0, 0)).toThrow(
      UnusablePublicKey,
    );
  });

  it('signatures are PKCS#1 v1.5 over SHA-256 under the published key', () => {
    const { keyFingerprint, vectors } = JSON.parse(
      read('data/aws-vectors/aws_docs_signature_vectors.json').toString('utf8'),
    ) as Vectors;
    const served = keys().find(({ fingerprint }) => fingerprint === keyFingerprint);
    const { key } = loadPublicKey(served?.value ?? Buffer.alloc(0), keyFingerprint, 0, 0);
    expect(vectors.length).toBe(3);
    for (const { signatureHex, messageSha256 } of vectors) {
      // The documents leave out what was signed, so the hash is taken out of the signature instead of put in.
      const signed = publicDecrypt({ key, padding: constants.RSA_PKCS1_PADDING }, Buffer.from(signatureHex, 'hex'));
      expect(signed.toString('hex')).toBe(SHA256_PREFIX + messageSha256);
    }
  });

  it.each(hasShared ? readdirSync(sharedPath('data/digests')) : [])('the digest %s parses', (file) => {
    const digest = parseDigest(read(`data/digests/${file}`));
    expect(digest.endTime - digest.startTime).toBe(3_600_000);
    expect(parseDigestKey(digest.key)).toMatchObject({ endTime: digest.endTime, chain: { account: digest.account } });
    expect(digest.previous && parseDigestKey(digest.previous.key)?.endTime).toBe(digest.startTime);
    expect(digest.logs.length).toBeGreaterThan(0);
    for (const log of digest.logs) expect(parseLogKey(log.key)).not.toBeNull();
  });
});
