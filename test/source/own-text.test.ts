import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { s3Source } from '../../src/source/s3.ts';
import { collect } from '../support/heap.ts';
import { type S3Server, startS3Server } from '../support/s3-server.ts';

/** Of a million objects some are remembered for the whole run; the pages that listed them must not be. */
describe('what is kept of a listing does not keep its page', () => {
  const FOLDER = `AWSLogs/o-exampleorg/123456789012/CloudTrail/us-east-1/2026/01/01/${'x'.repeat(500)}`;
  const PAGES = 30;
  let server: S3Server;

  beforeAll(async () => {
    server = await startS3Server({ buckets: { logs: {} }, pageSize: 1000 });
    for (let n = 0; n < PAGES * 1000; n++) server.bucket('logs').put(`${FOLDER}${n}`, Buffer.from('x'));
    // The AWS clients are loaded, and the code compiled, before anything is measured.
    for await (const _ of source().versions('') ?? []);
    for await (const _ of source().list(''));
  });
  afterAll(() => server.close());

  const source = () =>
    s3Source({
      bucket: 'logs',
      endpointUrl: server.url,
      region: 'us-east-1',
      credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
    });

  /** Megabytes that one entry of each page keeps. */
  async function kept<T>(pages: AsyncIterable<readonly T[]> | null, part: (entry: T) => unknown): Promise<number> {
    const held: unknown[] = [];
    collect();
    const before = process.memoryUsage().heapUsed;
    for await (const page of pages ?? []) held.push(page[0] && part(page[0]));
    collect();
    expect(held.length).toBeGreaterThanOrEqual(PAGES);
    return (process.memoryUsage().heapUsed - before) / 2 ** 20;
  }

  // A page has some 0.7 MB.
  test.each(['key', 'versionId'] as const)('a %s of a version', async (part) => {
    expect(await kept(source().versions(''), (entry) => entry[part])).toBeLessThan(8);
  });

  test('a key of an object', async () => {
    expect(await kept(source().list(''), ({ key }) => key)).toBeLessThan(8);
  });
});
