import { gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { inflate } from '../../src/stream/inflate.ts';
import { fc } from '../support/property.ts';
import { FUZZ_TIMEOUT, fuzzAsync, mutated } from './inputs.ts';

const LIMIT = 64 * 1024;
const texts = [
  '',
  '{"Records":[]}',
  'a'.repeat(3000),
  JSON.stringify(Array.from({ length: 60 }, (_, i) => ({ i, n: i * 7 }))),
];
const members = texts.flatMap((text) => [1, 6, 9].map((level) => gzipSync(text, { level })));
const bombs = [gzipSync(Buffer.alloc(8 * 1024 * 1024)), gzipSync(Buffer.alloc(LIMIT + 1))];
const options = { keep: true, limits: { inflated: LIMIT } };

async function* pieces(body: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < body.length; at += size) yield await Promise.resolve(body.subarray(at, at + size));
}

/** What Node makes of it, which also takes several members and zeros at the end. */
function lenient(body: Uint8Array): Buffer | null {
  try {
    return gunzipSync(body, { maxOutputLength: LIMIT });
  } catch {
    return null;
  }
}

async function check(body: Uint8Array, pieceSize: number): Promise<void> {
  const whole = await inflate(body, options);
  const flowed = await inflate(pieces(body, pieceSize), options);
  expect(flowed.kind).toBe(whole.kind);
  if (whole.kind === 'malformed' || flowed.kind === 'malformed') return;
  expect(whole.bytes).toBeLessThanOrEqual(LIMIT);
  expect(flowed.sha256.equals(whole.sha256)).toBe(true);
  if (whole.encoding === 'identity') {
    expect(whole.content?.equals(body)).toBe(true);
    return;
  }
  const content = lenient(body);
  expect(content !== null && whole.content?.equals(content)).toBe(true);
  // One member more, or one byte, and it is clean no longer.
  expect((await inflate(Buffer.concat([body, Buffer.alloc(1)]), options)).kind).toBe('malformed');
}

describe('a body is one clean gzip member, or what it is without compression, or malformed', {
  timeout: FUZZ_TIMEOUT,
}, () => {
  const size = fc.integer({ min: 1, max: 700 });

  it('members, altered', async () => {
    await fuzzAsync(0.1, fc.tuple(mutated(members, 3), size), ([body, each]) => check(body, each));
  });
  it('two members, joined and altered', async () => {
    const pairs = members.map((member) => Buffer.concat([member, members[1] ?? member]));
    await fuzzAsync(0.02, fc.tuple(mutated(pairs, 2), size), ([body, each]) => check(body, each));
  });
  it('any bytes after the magic ones', async () => {
    const bytes = fc.uint8Array({ maxLength: 60 }).map((rest) => Buffer.concat([Buffer.from([0x1f, 0x8b, 8]), rest]));
    await fuzzAsync(0.03, fc.tuple(bytes, size), ([body, each]) => check(body, each));
  });
  it('bombs, altered, inflate no further than the limit', async () => {
    await fuzzAsync(0.002, fc.tuple(mutated(bombs, 2), fc.constant(5000)), ([body, each]) => check(body, each));
  });
});
