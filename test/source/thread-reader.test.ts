import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, test } from 'vitest';
import { trail } from '../../src/demo/trail.ts';
import { writeTrail } from '../../src/demo/write-trail.ts';
import { directorySource } from '../../src/source/directory.ts';
import { type Reading, readObject } from '../../src/source/reading.ts';
import { s3Source } from '../../src/source/s3.ts';
import type { Lock, Source } from '../../src/source/source.ts';
import type { Reader } from '../../src/source/thread-reader.ts';
import type { ObjectInit } from '../support/s3/bucket.ts';
import { type S3Server, startS3Server } from '../support/s3-server.ts';
import { tempDir } from '../support/temp.ts';

/** Threads run compiled code only. */
const compiled: {
  openReader(source: Source, concurrency: number): Reader;
  startThreads(concurrency: number): void;
} = await import(new URL('../../dist/source/thread-reader.js', import.meta.url).href);

const LARGE = gzipSync(
  Buffer.alloc(3_000_000, Buffer.from(Array.from({ length: 997 }, (_, n) => (n * n * 31) % 251))),
  {
    level: 0,
  },
);

/** Plain log files, and one of each oddity. */
function bodies(): Map<string, Buffer> {
  const plain = Array.from({ length: 500 }, (_, n) => [`plain/${n}`, gzipSync(`{"Records":[${n}]}`)] as const);
  return new Map<string, Buffer>([
    ...plain,
    ['odd/large', LARGE],
    ['odd/trailing', Buffer.concat([gzipSync('content'), Buffer.alloc(1)])],
    ['odd/identity', Buffer.from('not gzip')],
    ['odd/empty', Buffer.alloc(0)],
  ]);
}

const KEYS = [...bodies().keys(), 'missing'];
/** In a form that is quickly compared. */
function plain(readings: readonly Reading[]): string[] {
  return readings.map((reading) => {
    if (reading.kind !== 'content') return JSON.stringify(reading);
    const { sha256, content, ...rest } = reading;
    const kept = content && createHash('sha256').update(content).digest('hex');
    return JSON.stringify({ ...rest, sha256: sha256.toString('hex'), kept });
  });
}

const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of opened.splice(0).reverse()) await one.close();
});

/** The source, and how often this thread has opened an object of it. */
function watch(source: Source): { watched: Source; own: () => number } {
  let own = 0;
  const watched = new Proxy(source, {
    get(target, name) {
      if (name === 'open') own++;
      const member: unknown = Reflect.get(target, name);
      return typeof member === 'function' ? member.bind(target) : member;
    },
  });
  return { watched, own: () => own };
}

/**
 * Reads everything, sixty-four at a time, once the threads are there, however long they take to start, and says how much
 * of it this thread had to do. `first`: what happens as they are there.
 */
async function readAll(source: Source, first = (): void => undefined): Promise<{ readings: Reading[]; own: number }> {
  const { watched, own } = watch(source);
  const reader = compiled.openReader(watched, 64);
  opened.push(reader);
  const bucket = source.bucket ?? '';
  for (let before = -1, n = 0; n < 300 || own() > before; n++) {
    before = own();
    await reader.read(watched, { bucket, key: 'plain/0' }, { keep: false });
  }
  const until = own();
  first();
  const readings: Reading[] = [];
  let next = 0;
  const take = async () => {
    for (let n = next++; n < KEYS.length; n = next++) {
      readings[n] = await reader.read(watched, { bucket, key: KEYS[n] ?? '' }, { keep: n % 2 === 0 });
    }
  };
  await Promise.all(Array.from({ length: 64 }, take));
  return { readings, own: own() - until };
}

function expected(source: Source): Promise<Reading[]> {
  const bucket = source.bucket ?? '';
  return Promise.all(KEYS.map((key, n) => readObject(source, { bucket, key }, { keep: n % 2 === 0 })));
}

/** What the headers of an object tell besides: nothing, a lock, or metadata, by turns. */
function told(n: number): Pick<ObjectInit, 'lock' | 'metadata'> {
  const lock: Lock = { mode: 'COMPLIANCE', retainUntil: Date.UTC(2030, 0, 1), legalHold: n % 2 === 1 };
  return n % 3 === 0 ? {} : n % 3 === 1 ? { lock } : { metadata: { of: `${n}` } };
}

async function serve(): Promise<S3Server> {
  const server = await startS3Server({
    buckets: {
      bucket: { objects: Object.fromEntries([...bodies()].map(([key, body], n) => [key, { body, ...told(n) }])) },
    },
    secrets: { k: 's' },
  });
  opened.push(server);
  return server;
}

function over(server: S3Server): Source {
  const credentials = { accessKeyId: 'k', secretAccessKey: 's' };
  const source = s3Source({ bucket: 'bucket', endpointUrl: server.url, region: 'us-east-1', credentials });
  opened.push(source);
  return source;
}

describe.runIf(availableParallelism() > 1)('threads', () => {
  test('read S3 as this thread does, and read most of it', async () => {
    const server = await serve();
    const source = over(server);
    const { readings, own } = await readAll(source);
    expect(own).toBeLessThan(10);
    expect(source.requests.get).toBe(server.count('GetObject'));
    expect(plain(readings)).toEqual(plain(await expected(over(server))));
  });

  test('leave what the store refuses for now to the one that is paced', async () => {
    const server = await serve();
    const { readings, own } = await readAll(over(server), () => {
      server.fault({ operation: 'GetObject', after: 100, times: 20, answer: { status: 503, code: 'SlowDown' } });
    });
    expect(readings.filter(({ kind }) => kind === 'trouble')).toHaveLength(1);
    expect(own).toBeGreaterThan(100);
  });

  test('that were started ahead read before a run turns out to be long', async () => {
    compiled.startThreads(64);
    const { watched, own } = watch(over(await serve()));
    const reader = compiled.openReader(watched, 64);
    opened.push(reader);
    let reads = 0;
    // However long they take to start: without them the hundredth read would be the first to wait for any.
    while (reads === own() && reads < 90) {
      await new Promise((resolve) => setTimeout(resolve, 100));
      const reading = await reader.read(watched, { bucket: 'bucket', key: `plain/${reads++}` }, { keep: false });
      expect(reading.kind).toBe('content');
    }
    expect(own()).toBe(reads - 1);
  });

  test('that are closed ask for nothing more, and leave nobody waiting', async () => {
    const server = await serve();
    const { watched, own } = watch(over(server));
    const reader = compiled.openReader(watched, 64);
    opened.push(reader);
    const read = (key: string) => reader.read(watched, { bucket: 'bucket', key }, { keep: false });
    for (let before = -1, n = 0; n < 300 || own() > before; n++) {
      before = own();
      await read('plain/0');
    }
    server.fault({ operation: 'GetObject', answer: 'hang' });
    const asked = server.count('GetObject');
    const readings = Promise.all(Array.from({ length: 64 }, (_, n) => read(`plain/${n}`)));
    while (server.count('GetObject') < asked + 64) await new Promise((resolve) => setTimeout(resolve, 20));
    const before = own();
    await reader.close();
    const late = read('plain/0');
    for (const reading of [...(await readings), await late]) {
      expect(reading).toMatchObject({ kind: 'trouble', trouble: { kind: 'error', code: 'GivenUp' } });
    }
    expect(own()).toBe(before);
  });

  test('that are not needed hold up nothing', () => {
    const module = new URL('../../dist/source/thread-reader.js', import.meta.url).href;
    const code = `const { startThreads } = await import(${JSON.stringify(module)}); startThreads(64);`;
    execFileSync(process.execPath, ['--input-type=module', '-e', code], { timeout: 20_000 });
  });

  test('read a directory, whose metadata they do not know', async () => {
    const folder = tempDir();
    const built = trail().hours(1).logs(1).build();
    const objects = new Map(
      [...bodies()].map(([key, body]) => [key, { body, metadata: { of: key }, lastModified: 0 }]),
    );
    writeTrail(folder, { ...built, objects });
    const source = await directorySource(folder);
    const { readings, own } = await readAll(source);
    expect(plain(readings)).toEqual(plain(await expected(source)));
    expect(own).toBeLessThan(10);
  });
});
