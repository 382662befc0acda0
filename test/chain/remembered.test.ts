import { beforeAll, describe, expect, it } from 'vitest';
import type { DigestEntry } from '../../src/chain/attestation.ts';
import { parseDigest } from '../../src/chain/digest.ts';
import { type Chain, digestKey, formatTime, HOUR } from '../../src/chain/location.ts';
import { walkChain } from '../../src/chain/walk.ts';
import { collect } from '../support/heap.ts';

const START = Date.UTC(2026, 2, 1);
const HOURS = 3;

/** What an organization leaves behind: a night of thousands of chains, each of which may have to be gone on with. */
describe('a chain that was walked does not keep', () => {
  beforeAll(() => {
    walked(0, { logs: 1 });
  });

  /** Kilobytes that each of many keeps. */
  function kept(count: number, walk: (n: number) => unknown): number {
    const held: unknown[] = [];
    collect();
    const before = process.memoryUsage();
    for (let n = 0; n < count; n++) held.push(walk(n));
    collect();
    const after = process.memoryUsage();
    expect(held).toHaveLength(count);
    return (after.heapUsed + after.external - before.heapUsed - before.external) / 1024 / count;
  }

  it('the logs of its last digest', () => {
    expect(kept(500, (n) => walked(n, { logs: 100 }))).toBeLessThan(12);
  });

  it('the logs of digests between which it may have been elsewhere', () => {
    // Three holes, and what lies at both sides of them.
    expect(kept(200, (n) => walked(n, { logs: 100, elsewhere: 'elsewhere/' }))).toBeLessThan(24);
  });
});

interface Shape {
  readonly logs: number;
  readonly elsewhere?: string;
}

/** A chain of digests that are not attested, every other hour where they name a place elsewhere. */
function walked(n: number, { logs, elsewhere = '' }: Shape) {
  const account = `${100_000_000_000 + n}`;
  const root = `AWSLogs/${account}/`;
  const chain: Chain = { root, account, region: 'us-east-1', trail: 'audit', homeRegion: 'us-east-1', backfill: false };
  const range = { start: START, end: START + 2 * HOURS * HOUR };
  const place = (key: string) => ({ bucket: 'logs', key });
  const walk = walkChain(chain, { range, now: range.end, grace: 4 * HOUR, place });
  for (let hour = 1; hour <= HOURS; hour++)
    walk.step(entry(chain, elsewhere === '' ? hour : 2 * hour, logs, elsewhere));
  walk.end();
  return walk;
}

function entry(chain: Chain, hour: number, logs: number, elsewhere: string): DigestEntry {
  const { root, account, region, trail } = chain;
  const endTime = START + hour * HOUR;
  const key = digestKey(chain, endTime);
  const digest = parseDigest(
    Buffer.from(
      JSON.stringify({
        awsAccountId: account,
        digestStartTime: formatTime(endTime - HOUR),
        digestEndTime: formatTime(endTime),
        digestS3Bucket: 'logs',
        digestS3Object: key,
        digestPublicKeyFingerprint: '0'.repeat(32),
        digestSignatureAlgorithm: 'SHA256withRSA',
        previousDigestS3Bucket: 'logs',
        previousDigestS3Object: elsewhere + digestKey(chain, endTime - HOUR),
        previousDigestHashValue: 'c'.repeat(64),
        previousDigestHashAlgorithm: 'SHA-256',
        previousDigestSignature: 'ab'.repeat(256),
        logFiles: Array.from({ length: logs }, (_, i) => ({
          s3Bucket: 'logs',
          s3Object: `${root}CloudTrail/${region}/2026/03/01/${account}_CloudTrail_${region}_20260301T0000Z_${`${i}`.padStart(16, '0')}.json.gz`,
          hashValue: 'd'.repeat(64),
          hashAlgorithm: 'SHA-256',
        })),
      }),
    ),
  );
  return {
    key: { chain, key, endTime },
    place: { bucket: 'logs', key },
    subject: { type: 'digest', account, region, trail, key, hour: formatTime(endTime) },
    reading: {
      kind: 'content',
      digest,
      sha256: Buffer.from('e'.repeat(32), 'latin1'),
      signature: null,
      publicKey: { ok: false, reason: 'none' },
      notes: [],
    },
    lastModified: endTime,
  };
}
