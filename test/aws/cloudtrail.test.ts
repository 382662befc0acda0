import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { AwsSettings } from '../../src/aws/clients.ts';
import { listPublicKeys } from '../../src/aws/public-keys.ts';
import { describeTrail, trailStatus } from '../../src/aws/trails.ts';
import { SourceError } from '../../src/source/source.ts';
import { type PublicKeyJson, type S3Server, type S3ServerOptions, startS3Server } from '../support/s3-server.ts';

const DAY = 86_400;
const T0 = Date.parse('2026-03-01T00:00:00Z') / 1000;
const ARN = 'arn:aws:cloudtrail:eu-west-1:123456789012:trail/main_trail';

function key(n: number): PublicKeyJson {
  return {
    Value: Buffer.from(`der ${n}`).toString('base64'),
    ValidityStartTime: T0 + n * 30 * DAY,
    ValidityEndTime: T0 + (n + 1) * 30 * DAY + 7200,
    Fingerprint: `${n}`.repeat(32),
  };
}

const trail = {
  Name: 'main_trail',
  TrailARN: ARN,
  S3BucketName: 'logs',
  HomeRegion: 'eu-west-1',
  IsMultiRegionTrail: true,
  IsOrganizationTrail: false,
  LogFileValidationEnabled: true,
};

let server: S3Server;
let settings: AwsSettings;

async function serve(options: S3ServerOptions): Promise<void> {
  server = await startS3Server(options);
  settings = {
    endpointUrl: server.url,
    region: 'us-east-1',
    credentials: { accessKeyId: 'a', secretAccessKey: 'b' },
    maxAttempts: 2,
    idleTimeoutMs: 500,
  };
}

async function troubleOf(promise: Promise<unknown>): Promise<string> {
  const error: unknown = await promise.then(
    () => null,
    (reason) => reason,
  );
  if (!(error instanceof SourceError)) throw new Error(`no SourceError: ${error}`);
  return `${error.trouble.kind} ${error.trouble.code}`;
}

beforeEach(() => serve({}));
afterEach(() => server.close());

describe('listPublicKeys', () => {
  test.each([[undefined], [1], [2]])('follows the pages, %s keys each, in the Region asked for', async (keyPage) => {
    await server.close();
    await serve({
      publicKeys: { 'eu-west-1': [key(0), key(1), key(2)], 'us-east-1': [key(7)] },
      ...(keyPage !== undefined && { keyPage }),
    });
    const keys = await listPublicKeys(settings, 'eu-west-1', T0 * 1000, (T0 + 90 * DAY) * 1000);
    expect(keys.map(({ fingerprint }) => fingerprint[0])).toEqual(['0', '1', '2']);
    expect(keys[0]).toEqual({
      fingerprint: '0'.repeat(32),
      value: Buffer.from('der 0'),
      validFrom: T0 * 1000,
      validTo: (T0 + 30 * DAY + 7200) * 1000,
    });
  });

  test('may find none', async () => {
    expect(await listPublicKeys(settings, 'eu-west-1', 0, 1000)).toEqual([]);
  });

  test('a refusal is told from an error', async () => {
    const ask = () => troubleOf(listPublicKeys(settings, 'eu-west-1', 0, 1000));
    server.fault({ operation: 'ListPublicKeys', times: 1, answer: { status: 400, code: 'AccessDeniedException' } });
    expect(await ask()).toBe('denied AccessDeniedException');
    server.fault({
      operation: 'ListPublicKeys',
      times: 1,
      answer: { status: 400, code: 'UnrecognizedClientException' },
    });
    expect(await ask()).toBe('error UnrecognizedClientException');
    server.healed();
    server.fault({ operation: 'ListPublicKeys', answer: { status: 500, body: '<html>oops</html>' } });
    expect(await ask()).toMatch(/^error /);
    await server.close();
    expect(await ask()).toBe('error ECONNREFUSED');
  });

  test('pages without end are an error', async () => {
    await server.close();
    await serve({ canned: { ListPublicKeys: { PublicKeyList: [], NextToken: 'again' } } });
    expect(await troubleOf(listPublicKeys(settings, 'eu-west-1', 0, 1000))).toBe('error EndlessPages');
  });
});

describe('trails', () => {
  const asked = { arn: ARN, region: 'eu-west-1', account: '123456789012', name: 'main_trail' };

  test('a trail tells its bucket', async () => {
    await server.close();
    await serve({
      trails: [
        { ...trail, TrailARN: `${ARN}2` },
        { ...trail, S3KeyPrefix: 'a/b/' },
      ],
    });
    expect(await describeTrail(settings, asked)).toEqual({
      ...asked,
      bucket: 'logs',
      prefix: 'a/b',
      isOrganizationTrail: false,
      isMultiRegion: true,
      validatesLogFiles: true,
    });
    expect(server.requests.map(({ operation, region }) => `${operation} ${region}`)).toEqual([
      'DescribeTrails eu-west-1',
    ]);
  });

  test('a deleted trail is absent', async () => {
    expect(await troubleOf(describeTrail(settings, asked))).toBe('absent TrailNotFoundException');
  });

  test('a refused trail is denied', async () => {
    server.fault({ answer: { status: 400, code: 'AccessDeniedException' } });
    expect(await troubleOf(describeTrail(settings, asked))).toBe('denied AccessDeniedException');
    expect(await troubleOf(trailStatus(settings, asked))).toBe('denied AccessDeniedException');
  });

  test('the status tells the deliveries', async () => {
    await server.close();
    await serve({ statuses: { [ARN]: { IsLogging: true, StartLoggingTime: T0, LatestDigestDeliveryTime: T0 + DAY } } });
    expect(await trailStatus(settings, asked)).toEqual({
      isLogging: true,
      startedLogging: T0 * 1000,
      stoppedLogging: null,
      latestDelivery: null,
      latestDeliveryError: null,
      latestDigestDelivery: (T0 + DAY) * 1000,
      latestDigestDeliveryError: null,
    });
  });
});
