import { createHash } from 'node:crypto';
import { deflateRawSync, gzipSync, inflateRawSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { crc32, tableCrc32 } from '../../src/stream/crc32.ts';
import { inflate } from '../../src/stream/inflate.ts';
import { fc, runs } from '../support/property.ts';

const MiB = 1024 * 1024;
const TEXT = Buffer.from(JSON.stringify({ Records: [{ eventName: 'StopLogging' }, { eventName: 'PutObject' }] }));
const GZ = gzipSync(TEXT);

function sha256(data: Uint8Array): Buffer {
  return createHash('sha256').update(data).digest();
}

async function* pieces(body: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < body.length; at += size) yield await Promise.resolve(body.subarray(at, at + size));
}

function hash(body: Uint8Array, size = 0) {
  return inflate(size === 0 ? body : pieces(body, size), { keep: false });
}

/** A member whose header carries what the flags announce. */
function member(flags: number, payload: Uint8Array, content: Uint8Array = TEXT): Buffer {
  const trailer = Buffer.alloc(8);
  trailer.writeUInt32LE(crc32(content));
  trailer.writeUInt32LE(content.length, 4);
  return Buffer.concat([
    Buffer.from([0x1f, 0x8b, 8, flags, 0, 0, 0, 0, 0, 3]),
    payload,
    deflateRawSync(content),
    trailer,
  ]);
}

function altered(at: number, change: (byte: number) => number): Buffer {
  const copy = Buffer.from(GZ);
  const index = at < 0 ? copy.length + at : at;
  copy[index] = change(copy[index] ?? 0) & 0xff;
  return copy;
}

const headerChecksum = Buffer.alloc(2);
headerChecksum.writeUInt16LE(crc32(Buffer.from([0x1f, 0x8b, 8, 2, 0, 0, 0, 0, 0, 3])) & 0xffff);

describe('inflate', () => {
  test('gives hash, lengths and, if asked, content', async () => {
    const common = {
      kind: 'content',
      sha256: sha256(TEXT),
      bytes: TEXT.length,
      storedBytes: GZ.length,
      encoding: 'gzip',
    };
    expect(await inflate(GZ, { keep: false })).toEqual({ ...common, notes: [] });
    expect(await inflate(GZ, { keep: true })).toEqual({ ...common, content: TEXT, notes: [] });
    expect(await inflate(pieces(GZ, 3), { keep: true })).toEqual({ ...common, content: TEXT, notes: [] });
  });

  test.each([
    ['nothing', Buffer.alloc(0)],
    ['plain JSON', TEXT],
    ['the first byte of gzip alone', Buffer.from([0x1f])],
    ['large', Buffer.alloc(700_000, 'x')],
  ])('takes %s as it is', async (_, body) => {
    for (const form of [body, pieces(body, 100_000)]) {
      const found = await inflate(form, { keep: true });
      expect({ ...found, content: undefined }).toEqual({
        kind: 'content',
        sha256: sha256(body),
        bytes: body.length,
        storedBytes: body.length,
        encoding: 'identity',
        content: undefined,
        notes: [],
      });
      // Vitest takes seconds to compare what is large, byte by byte.
      expect(found.kind === 'content' && found.content?.equals(body)).toBe(true);
    }
  });

  const faults: [string, Buffer, RegExp][] = [
    ['one byte after the member', Buffer.concat([GZ, Buffer.from('x')]), /bytes after/],
    ['one zero after the member', Buffer.concat([GZ, Buffer.alloc(1)]), /bytes after/],
    ['a page of zeros after the member', Buffer.concat([GZ, Buffer.alloc(4096)]), /bytes after/],
    ['a second member', Buffer.concat([GZ, GZ]), /bytes after/],
    ['an empty second member', Buffer.concat([GZ, gzipSync('')]), /bytes after/],
    ['an empty first member', Buffer.concat([gzipSync(''), GZ]), /bytes after/],
    ['much after the member', Buffer.concat([GZ, Buffer.alloc(2 * MiB, 'junk')]), /bytes after/],
    ['no trailer', GZ.subarray(0, -8), /trailer is cut off/],
    ['half a trailer', GZ.subarray(0, -4), /trailer is cut off/],
    ['a trailer short by one', GZ.subarray(0, -1), /trailer is cut off/],
    ['half a body', GZ.subarray(0, GZ.length / 2), /member is cut off/],
    ['nothing but a header', GZ.subarray(0, 10), /member is cut off/],
    ['half a header', GZ.subarray(0, 5), /header is cut off/],
    ['only the magic', GZ.subarray(0, 2), /header is cut off/],
    ['a wrong checksum', altered(-8, (byte) => byte ^ 1), /checksum in the gzip trailer/],
    ['a wrong length', altered(-4, (byte) => byte ^ 1), /length in the gzip trailer/],
    ['a much greater length', altered(-1, () => 0x7f), /length in the gzip trailer/],
    ['another method', altered(2, () => 7), /method 7/],
    ['reserved flags', altered(3, () => 0x20), /reserved/],
    ['a deflate block of no type', altered(10, (byte) => byte | 0b110), /corrupt/],
    ['a comment without end', member(0x10, Buffer.from('endless')), /cut off|corrupt/],
    ['an extra field longer than the body', member(0x04, Buffer.from([0xff, 0xff])), /header is cut off/],
    ['a wrong header checksum', member(0x02, Buffer.from([1, 2])), /checksum of the gzip header/],
  ];

  test.each(faults)('%s is malformed', async (_, body, reason) => {
    for (const size of [0, 1, 7, body.length - 8, body.length - 1]) {
      if (size < 0 || (size === 1 && body.length > MiB)) continue;
      const found = await hash(body, size);
      expect(found).toMatchObject({ kind: 'malformed', reason: expect.stringMatching(reason) });
    }
  });

  test.each([
    ['an extra field', 0x04, Buffer.from([3, 0, 1, 2, 3]), ['the gzip header carries an extra field of 3 bytes']],
    ['a name', 0x08, Buffer.from('name\0'), ['the gzip header carries a file name of 4 bytes']],
    ['a comment', 0x10, Buffer.from('remark\0'), ['the gzip header carries a comment of 6 bytes']],
    ['a header checksum', 0x02, headerChecksum, []],
    ['a text flag', 0x01, Buffer.alloc(0), []],
  ])('%s in the header is noted at most', async (_, flags, payload, notes) => {
    const body = member(flags, payload);
    for (const size of [0, 1]) {
      expect(await hash(body, size)).toMatchObject({ kind: 'content', sha256: sha256(TEXT), notes });
    }
  });

  test('a bomb costs bounded memory and is malformed', async () => {
    const bomb = gzipSync(Buffer.alloc(256 * MiB), { level: 9 });
    const before = process.memoryUsage().rss;
    for (const body of [bomb, pieces(bomb, 4096)]) {
      const found = await inflate(body, { keep: true, limits: { inflated: 16 * MiB } });
      expect(found).toMatchObject({
        kind: 'malformed',
        reason: expect.stringMatching(/inflates to more than 16777216/),
      });
    }
    expect(process.memoryUsage().rss - before).toBeLessThan(128 * MiB);
  });

  test('a small bomb with a modest trailer is no way around that', async () => {
    const bomb = Buffer.from(gzipSync(Buffer.alloc(64 * MiB), { level: 9 }));
    bomb.writeUInt32LE(100, bomb.length - 4);
    expect(await inflate(bomb, { keep: true, limits: { inflated: MiB } })).toMatchObject({ kind: 'malformed' });
    expect(await inflate(bomb, { keep: true })).toMatchObject({
      reason: expect.stringMatching(/length in the gzip tr/),
    });
  });

  test.each([
    ['stored', { stored: 20 }, GZ],
    ['stored, not compressed', { stored: 20 }, TEXT],
    ['inflated', { inflated: 20 }, GZ],
    ['inflated, not compressed', { inflated: 20 }, TEXT],
  ])('more %s bytes than the limit are malformed', async (_, limits, body) => {
    for (const form of [body, pieces(body, 5)]) {
      expect(await inflate(form, { keep: false, limits })).toMatchObject({ kind: 'malformed' });
    }
    const exact = { stored: body.length, inflated: TEXT.length };
    expect(await inflate(body, { keep: false, limits: exact })).toMatchObject({ kind: 'content' });
  });

  test('a large body inflates the same in one piece and in many', async () => {
    const content = Buffer.concat(Array.from({ length: 40_000 }, (_, n) => sha256(Buffer.from(`${n}`))));
    const body = gzipSync(content, { level: 1 });
    expect(body.length).toBeGreaterThan(MiB);
    for (const size of [0, 1000, 65_536, body.length - 9, body.length - 8, body.length - 3]) {
      const found = await inflate(size === 0 ? body : pieces(body, size), { keep: true });
      expect(found).toMatchObject({
        kind: 'content',
        sha256: sha256(content),
        bytes: content.length,
        storedBytes: body.length,
      });
      expect(found.kind === 'content' && found.content?.equals(content)).toBe(true);
    }
    expect(await hash(Buffer.concat([body, Buffer.alloc(1)]))).toMatchObject({
      reason: expect.stringMatching(/after/),
    });
    expect(await hash(body.subarray(0, -1), 65_536)).toMatchObject({ reason: expect.stringMatching(/cut off/) });
  });

  test('an error of the body comes through as it is, and a body left early is closed', async () => {
    let closed = 0;
    async function* broken(first: Uint8Array): AsyncGenerator<Uint8Array> {
      try {
        for (;;) yield await Promise.resolve(first);
      } finally {
        closed++;
      }
    }
    async function* failing(): AsyncGenerator<Uint8Array> {
      yield await Promise.resolve(Buffer.alloc(MiB));
      throw new Error('reset');
    }
    await expect(inflate(failing(), { keep: false })).rejects.toThrow('reset');
    const endless = await inflate(broken(Buffer.concat([GZ, Buffer.alloc(MiB)])), { keep: false });
    expect(endless.kind).toBe('malformed');
    expect(closed).toBe(1);
  });
});

describe('inflate, for any bytes', () => {
  const content = fc.oneof(
    fc.uint8Array({ maxLength: 2000 }),
    fc
      .array(fc.constantFrom('{"a":1}', 'bucket', '\n', '0'), { maxLength: 2000 })
      .map((words) => Buffer.from(words.join(''))),
  );
  const level = fc.integer({ min: 0, max: 9 });

  test('what was gzipped at any level comes back, however it arrives', async () => {
    await fc.assert(
      fc.asyncProperty(content, level, fc.integer({ min: 0, max: 50 }), async (bytes, compression, size) => {
        const body = gzipSync(bytes, { level: compression });
        const found = await inflate(size === 0 ? body : pieces(body, size), { keep: true });
        expect(found).toMatchObject({ kind: 'content', encoding: 'gzip', sha256: sha256(bytes), bytes: bytes.length });
        expect(found.kind === 'content' && found.content).toEqual(Buffer.from(bytes));
      }),
      { numRuns: runs(200) },
    );
  });

  const mutation = fc.array(fc.record({ at: fc.nat(), with: fc.uint8Array({ maxLength: 6 }), replaced: fc.nat(6) }), {
    minLength: 1,
    maxLength: 3,
  });

  test('no mutation gives content with another hash than a true inflate of it, and all ways agree', async () => {
    let stillContent = 0;
    await fc.assert(
      fc.asyncProperty(content, level, mutation, async (bytes, compression, mutations) => {
        let body: Buffer = gzipSync(bytes, { level: compression });
        for (const change of mutations) {
          const at = change.at % (body.length + 1);
          body = Buffer.concat([body.subarray(0, at), change.with, body.subarray(at + change.replaced)]);
        }
        const whole = await inflate(body, { keep: true });
        const byByte = await inflate(pieces(body, 1), { keep: true });
        expect(byByte.kind).toBe(whole.kind);
        if (whole.kind === 'malformed' || byByte.kind === 'malformed') return;
        expect(byByte).toEqual(whole);
        expect(whole.sha256).toEqual(sha256(whole.content ?? Buffer.from('none')));
        if (whole.encoding === 'identity') {
          expect(whole.content).toEqual(body);
          return;
        }
        stillContent++;
        // A header may change in its harmless fields only if the stream and the trailer are those of the content.
        expect(body.subarray(-8).readUInt32LE(0)).toBe(tableCrc32(whole.content ?? Buffer.alloc(0)));
        expect(body.subarray(-8).readUInt32LE(4)).toBe(whole.content?.length);
        if ((body[3] ?? 0) === 0) expect(inflateRawSync(body.subarray(10))).toEqual(whole.content);
      }),
      { numRuns: runs(700) },
    );
    expect(stillContent).toBeGreaterThan(0);
  });

  test('arbitrary bytes after the magic never throw', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), fc.constantFrom([], [8], [8, 0]), async (bytes, more) => {
        await inflate(Buffer.concat([Buffer.from([0x1f, 0x8b, ...more]), bytes]), { keep: false });
      }),
      { numRuns: runs(500) },
    );
  });

  test('both ways to a CRC-32 agree', () => {
    fc.assert(
      fc.property(fc.uint8Array(), fc.uint8Array(), (a, b) => {
        expect(tableCrc32(b, tableCrc32(a))).toBe(crc32(b, crc32(a)));
      }),
    );
  });
});

test.each([
  ['one member', GZ],
  ['what is no gzip', TEXT],
  ['more than is held whole', Buffer.alloc(MiB / 2, 'a log that was stored as it is ')],
  ['a member that is cut off', GZ.subarray(0, -20)],
  ['a wrong checksum', altered(-8, (byte) => byte ^ 1)],
  ['nothing', Buffer.alloc(0)],
])('%s: what comes of it holds nothing of the memory of the body', async (_name, bytes) => {
  const whole = await inflate(Buffer.from(bytes), { keep: true });
  const body = Buffer.from(bytes);
  const result = await inflate(body, { keep: true });
  body.fill(0xff);
  expect(result).toEqual(whole);
  if (result.kind === 'content') expect(sha256(result.content ?? Buffer.alloc(0))).toEqual(result.sha256);
});
