import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { parseDigest } from '../../src/chain/digest.ts';
import {
  dayPath,
  digestKey,
  formatTime,
  logFolder,
  parseDigestKey,
  parseLogKey,
  parseTime,
} from '../../src/chain/location.ts';
import { trail } from '../../src/demo/trail.ts';
import { MalformedFields } from '../../src/json/fields.ts';
import { parseSavedKeys, SavedKeysError } from '../../src/keys/saved-keys.ts';
import { parseSignFile } from '../../src/lake/sign-file.ts';
import { fc } from '../support/property.ts';
import { queryResult } from '../support/query-results.ts';
import { FUZZ_TIMEOUT, fuzz, hostileText, mutated } from './inputs.ts';

const built = trail({ prefix: 'p', organization: 'o-abc', name: 'my_trail' }).hours(2).build();
const keys = [...built.objects.keys()];
const digests = built.digests.map(({ key }) => gunzipSync(built.objects.get(key)?.body ?? Buffer.alloc(0)));

/** A value, or the one error that the parser promises. */
function outcome<T>(parse: () => T, refusals: readonly (new (...args: never[]) => Error)[]): T | null {
  try {
    return parse();
  } catch (error) {
    if (refusals.some((refusal) => error instanceof refusal)) return null;
    throw error;
  }
}

describe('a digest parses, or is malformed', { timeout: FUZZ_TIMEOUT }, () => {
  const check = (bytes: Uint8Array) => {
    const digest = outcome(() => parseDigest(bytes), [MalformedFields]);
    if (!digest) return;
    expect(digest.startTime).toBeLessThan(digest.endTime);
    expect(formatTime(digest.endTime)).toBe(digest.endTimeText);
    for (const { hash, key } of digest.logs) expect([hash.length, key.length > 0]).toEqual([32, true]);
    if (digest.previous) expect(digest.previous.hash.length).toBe(32);
  };

  it('any bytes', () => fuzz(0.03, fc.uint8Array({ maxLength: 200 }), check));
  it('bytes of a digest, altered', () => fuzz(0.13, mutated(digests), check));
  it('any JSON in its fields', () => {
    const fields = JSON.parse(String(digests[1])) as Record<string, unknown>;
    const input = fc.tuple(
      fc.constantFrom(...Object.keys(fields), '__proto__', 'constructor'),
      fc.jsonValue({ maxDepth: 3 }),
    );
    fuzz(0.1, input, ([name, value]) => check(Buffer.from(JSON.stringify({ ...fields, [name]: value }))));
  });
});

describe('a key is read as what it says, or not at all', { timeout: FUZZ_TIMEOUT }, () => {
  const check = (key: string) => {
    const digest = parseDigestKey(key);
    if (digest) expect(digestKey(digest.chain, digest.endTime)).toBe(key);
    const log = parseLogKey(key);
    if (log)
      expect(key.startsWith(`${logFolder(log.root, log.region)}${log.day}/${log.account}_CloudTrail_`)).toBe(true);
    expect(digest !== null && log !== null).toBe(false);
  };

  it('any text', () => fuzz(0.06, hostileText, check));
  it('keys of a trail, altered', () => {
    const samples = keys.map((key) => Buffer.from(key));
    fuzz(0.16, mutated(samples, 3), (bytes) => check(Buffer.from(bytes).toString()));
  });
  it('keys of its own making', () => {
    const chain = fc.record({
      root: fc.constantFrom('AWSLogs/123456789012/', 'a/b/AWSLogs/o-x/123456789012/', '//AWSLogs/123456789012/'),
      account: fc.constant('123456789012'),
      region: fc.constantFrom('us-east-1', 'us-gov-west-1', 'ap-southeast-5', 'us-isob-east-1'),
      trail: fc.stringMatching(/^[A-Za-z0-9._-]{3,40}$/),
      homeRegion: fc.constantFrom('eu-west-1', 'cn-north-1'),
      backfill: fc.boolean(),
    });
    const time = fc.integer({ min: 0, max: 4_102_444_799 }).map((seconds) => seconds * 1000);
    fuzz(0.1, fc.tuple(chain, time), ([of, end]) => {
      expect(parseDigestKey(digestKey(of, end))).toEqual({ chain: of, key: digestKey(of, end), endTime: end });
      expect(digestKey(of, end)).toContain(`/${dayPath(end)}/`);
    });
  });
  it('long keys take no long time', () => {
    const long = fc.tuple(
      fc.constantFrom('AWSLogs/', 'a/', '_us-east-1', '-a', '0', 'o-a/'),
      fc.integer({ min: 100, max: 5_000 }),
    );
    fuzz(0.002, long, ([part, times]) => {
      const started = process.cpuUsage();
      check(part.repeat(times));
      check(
        `AWSLogs/123456789012/CloudTrail-Digest/us-east-1/2026/03/01/123456789012_CloudTrail-Digest_us-east-1_${part.repeat(times)}`,
      );
      // Of CPU: a loaded machine is no fault of the parser.
      expect(process.cpuUsage(started).user / 1000).toBeLessThan(2_000);
    });
  });
});

it('a time is read back as it was written, or not at all', { timeout: FUZZ_TIMEOUT }, () => {
  const digit = (max: number) => fc.nat(max).map((n) => String(n).padStart(2, '0'));
  const parts = fc.tuple(fc.nat(9999), digit(13), digit(32), digit(25), digit(61), digit(61));
  fuzz(0.08, parts, ([y, mo, d, h, mi, s]) => {
    const text = `${String(y).padStart(4, '0')}-${mo}-${d}T${h}:${mi}:${s}Z`;
    const ms = parseTime(text);
    if (ms !== null) expect(formatTime(ms)).toBe(text);
  });
});

describe('other files that strangers write', { timeout: FUZZ_TIMEOUT }, () => {
  it('a sign file', () => {
    const sample = queryResult().files.get('result_sign.json') ?? Buffer.alloc(0);
    fuzz(0.06, mutated([sample]), (bytes) => {
      const sign = outcome(() => parseSignFile(bytes), [MalformedFields]);
      for (const { name } of sign?.files ?? []) expect(name).not.toMatch(/[/\\\0]|^\.{1,2}$/);
    });
  });
  it('a file of keys', () => {
    const sample = Buffer.from(JSON.stringify(built.publicKeys));
    fuzz(0.03, mutated([sample]), (bytes) => {
      outcome(() => parseSavedKeys(Buffer.from(bytes).toString()), [SavedKeysError]);
    });
  });
});
