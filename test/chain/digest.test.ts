import { expect, test } from 'vitest';
import { parseDigest } from '../../src/chain/digest.ts';
import { trail } from '../../src/demo/trail.ts';
import { emptyDigest } from '../../src/demo/world.ts';

test('hashes are the same in whatever case a digest has them', () => {
  const world = trail().hours(1).build();
  const [lower, upper] = ['ab', 'AB'].map((digits) => digits.repeat(32));
  const json = {
    ...emptyDigest(world, 0, 3_600_000),
    logFiles: [{ s3Bucket: 'b', s3Object: 'k', hashValue: upper, hashAlgorithm: 'SHA-256' }],
    previousDigestS3Bucket: 'b',
    previousDigestS3Object: 'k',
    previousDigestHashValue: upper,
    previousDigestHashAlgorithm: 'SHA-256',
    previousDigestSignature: upper,
  };
  const { logs, previous } = parseDigest(Buffer.from(JSON.stringify(json)));
  expect(logs[0]?.hash.toString('hex')).toBe(lower);
  // The next signature covers the text of the one before, so that stays as it is.
  expect(previous?.hash.toString('hex')).toBe(lower);
  expect(previous?.signatureText).toBe(upper);
});
