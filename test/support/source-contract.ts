import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { each } from '../../src/source/pages.ts';
import { readObject } from '../../src/source/reading.ts';
import type { Location, Lock, Source, StoredObject } from '../../src/source/source.ts';

export interface ContractObject {
  readonly key: string;
  readonly body: Uint8Array;
  readonly metadata: Readonly<Record<string, string>>;
  readonly lock: Lock | null;
  /** Epoch milliseconds, whole seconds. */
  readonly lastModified: number;
}

/** What the store under test cannot have by its nature. */
export interface Traits {
  readonly locks: boolean;
  /** Keys that no file can have: `a//b`, `../x`, names over 255 bytes. */
  readonly anyKey: boolean;
  readonly versions: boolean;
}

const LOCK: Lock = { mode: 'COMPLIANCE', retainUntil: Date.parse('2030-01-02T03:04:05Z'), legalHold: true };
const LARGE = randomLike(3_000_000);

function object(key: string, body: Uint8Array = gzipSync(`{"key":"${key.length}"}`)): ContractObject {
  return {
    key,
    body,
    metadata: { signature: createHash('sha512').update(key).digest('hex'), 'signature-algorithm': 'SHA256withRSA' },
    lock: key.includes('locked') ? LOCK : null,
    lastModified: Date.parse('2026-03-04T05:06:07Z'),
  };
}

/** Bytes that do not compress, the same in each run. */
function randomLike(length: number): Buffer {
  const parts: Buffer[] = [];
  for (let n = 0; n * 32 < length; n++) parts.push(createHash('sha256').update(`${n}`).digest());
  return Buffer.concat(parts).subarray(0, length);
}

const PLAIN = [
  object('AWSLogs/1/CloudTrail/us-east-1/2026/01/01/a.json.gz'),
  object('AWSLogs/1/CloudTrail/us-east-1/2026/01/01/b locked.json.gz'),
  object('AWSLogs/1/CloudTrail/us-east-1/2026/01/02/c.json.gz'),
  object('AWSLogs/1/CloudTrail/us-east-1-other/2026/01/02/d.json.gz'),
  object('AWSLogs/1/CloudTrail-Digest/us-east-1/e.json.gz'),
  object('AWSLogs/10/CloudTrail/f.json.gz'),
  object('AWSLogs/empty', new Uint8Array(0)),
  object('AWSLogs/large', gzipSync(LARGE)),
  object('beside'),
  object('odd/%2F+&<>"\' =?#;,.json'),
  object('odd/back\\slash'),
  object('odd/new\nline\ttab\u0007bell'),
  object('odd/\u00e9 composed'),
  object('odd/e\u0301 decomposed'),
  object('odd/\uffee below'),
  object('odd/\u{1f600} above in UTF-8, below in UTF-16'),
];

const ANY_KEY = [
  object('/begins with a slash'),
  object('odd//two slashes'),
  object('odd/../dots'),
  object('odd/./dot'),
  object('odd/ends with a slash/'),
  object(`odd/${'long'.repeat(200)}`),
];

function byBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

/**
 * What every source owes the pipeline. `make` fills a fresh store with the objects and returns the source over it, and
 * how to throw both away.
 */
export function sourceContract(
  name: string,
  traits: Traits,
  make: (objects: readonly ContractObject[]) => Promise<{ source: Source; dispose(): Promise<void> }>,
): void {
  const objects = [...PLAIN, ...(traits.anyKey ? ANY_KEY : [])];
  const keys = objects.map(({ key }) => key).sort(byBytes);

  describe(`source contract: ${name}`, () => {
    let source: Source;
    let dispose: () => Promise<void>;

    beforeAll(async () => {
      ({ source, dispose } = await make(objects));
    });
    afterAll(() => dispose());

    const at = (key: string): Location => ({ bucket: source.bucket ?? 'any', key });

    async function listed(prefix: string): Promise<string[]> {
      const found: string[] = [];
      for await (const entry of each(source.list(prefix))) found.push(entry.key);
      return found;
    }

    async function opened(key: string): Promise<StoredObject> {
      const answer = await source.open(at(key));
      if (!answer.ok) throw new Error(`${JSON.stringify(key)}: ${answer.trouble.message}`);
      return answer.object;
    }

    test.each([
      '',
      'AWSLogs/',
      'AWSLogs/1',
      'AWSLogs/1/',
      'AWSLogs/1/CloudTrail/us-east-1/2026/01/01/',
      'AWSLogs/1/CloudTrail/us-east-1/2026/01/01/b lo',
      'AWSLogs/1/CloudTrail/us-east-1',
      'AWSLogs/large',
      'odd/',
      'odd/%2F+&',
      'nothing/here/',
      'AWSLogs/large/deeper/',
    ])('lists what begins with %j, in byte order', async (prefix) => {
      expect(await listed(prefix)).toEqual(keys.filter((key) => key.startsWith(prefix)));
    });

    test.each([
      ['', ''],
      ['AWSLogs/', 'AWSLogs/1/CloudTrail/us-east-1/2026/01/01/a.json.gz'],
      ['AWSLogs/', 'AWSLogs/1/CloudTrail/us-east-1/2026/01/02'],
      ['AWSLogs/1/CloudTrail/', 'AWSLogs/1/CloudTrail/us-east-1/2026/01/02/'],
      ['AWSLogs/1', 'AWSLogs/1/CloudTrail/us-east-1-other/zzz'],
      ['AWSLogs/', 'AWSLogs/zzz'],
      ['AWSLogs/', 'A'],
      ['odd/', 'odd/e\u0301 decomposed'],
      ['odd/', 'odd/\uffee below'],
      ['', 'zzz'],
    ])('lists what begins with %j and sorts behind %j', async (prefix, after) => {
      const found: string[] = [];
      for await (const { key } of each(source.list(prefix, after))) found.push(key);
      expect(found).toEqual(
        keys.filter((key) => key.startsWith(prefix) && Buffer.compare(Buffer.from(key), Buffer.from(after)) > 0),
      );
    });

    test('lists size and time', async () => {
      for await (const { key, size, lastModified } of each(source.list(''))) {
        const expected = objects.find((candidate) => candidate.key === key);
        expect({ key, size, lastModified }).toEqual({
          key,
          size: expected?.body.length,
          lastModified: expected?.lastModified,
        });
      }
    });

    test('a listing can be left early', async () => {
      for await (const entry of each(source.list(''))) {
        expect(entry.key).toBe(keys[0]);
        break;
      }
    });

    test('folders of one level, and the objects beside them', async () => {
      const top = await source.folders('AWSLogs/');
      expect(top.folders).toEqual(['AWSLogs/1/', 'AWSLogs/10/']);
      expect(top.objects.map(({ key }) => key)).toEqual(['AWSLogs/empty', 'AWSLogs/large']);
      const within = await source.folders('AWSLogs/1/CloudTrail');
      expect(within.folders).toEqual(['AWSLogs/1/CloudTrail-Digest/', 'AWSLogs/1/CloudTrail/']);
      expect(await source.folders('nothing/here/')).toEqual({ folders: [], objects: [] });
    });

    test.each(objects.map(({ key }) => key))('reads %j as it is stored', async (key) => {
      const expected = objects.find((candidate) => candidate.key === key);
      const object = await opened(key);
      const pieces: Uint8Array[] = [];
      if (object.body instanceof Uint8Array) pieces.push(object.body);
      else for await (const piece of object.body) pieces.push(piece);
      expect(Buffer.concat(pieces).equals(expected?.body ?? Buffer.alloc(0))).toBe(true);
      expect(object.size).toBe(expected?.body.length);
      expect(object.metadata).toEqual(expected?.metadata);
      expect(object.lastModified).toBe(expected?.lastModified);
      expect(object.lock).toEqual(traits.locks ? expected?.lock : null);
    });

    test('streams what is large', async () => {
      expect((await opened('AWSLogs/large')).body).not.toBeInstanceOf(Uint8Array);
    });

    test('a streamed body may be left early, and left alone', async () => {
      const { body } = await opened('AWSLogs/large');
      if (body instanceof Uint8Array) throw new Error('not streamed');
      for await (const piece of body) {
        expect(piece.length).toBeGreaterThan(0);
        break;
      }
      await opened('AWSLogs/large');
      expect((await opened('AWSLogs/empty')).size).toBe(0);
    });

    test('what is not there is absent', async () => {
      for (const key of ['nothing', 'AWSLogs/1/CloudTrail/nothing', 'AWSLogs/empty/nothing', 'AWSLogs/1']) {
        const answer = await source.open(at(key));
        expect(answer.ok ? 'ok' : answer.trouble.kind).toBe('absent');
      }
    });

    test('versions, or the statement that there are none', async () => {
      const versions = source.versions('AWSLogs/1/');
      expect(versions !== null).toBe(traits.versions);
      const found: string[] = [];
      for await (const { key, isLatest, deleteMarker, versionId } of each(versions)) {
        expect({ isLatest, deleteMarker }).toEqual({ isLatest: true, deleteMarker: false });
        expect((await source.open(at(key), versionId)).ok).toBe(true);
        found.push(key);
      }
      if (traits.versions) expect(found).toEqual(keys.filter((key) => key.startsWith('AWSLogs/1/')));
    });

    test('counts what it asks', async () => {
      const before = { ...source.requests };
      await listed('AWSLogs/1/CloudTrail/us-east-1/2026/01/01/');
      const { size } = await opened('beside');
      await opened('AWSLogs/empty');
      expect(source.requests.list).toBeGreaterThan(before.list);
      expect(source.requests.get).toBe(before.get + 2);
      expect(source.requests.bytes).toBe(before.bytes + size);
    });

    test('a reading has the hash of the content and the head', async () => {
      const reading = await readObject(source, at('AWSLogs/large'), { keep: false });
      expect(reading).toMatchObject({
        kind: 'content',
        encoding: 'gzip',
        bytes: LARGE.length,
        sha256: createHash('sha256').update(LARGE).digest(),
        head: { metadata: object('AWSLogs/large').metadata },
      });
      expect(structuredClone(reading)).toMatchObject({ kind: 'content', bytes: LARGE.length });
    });
  });
}
