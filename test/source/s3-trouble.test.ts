import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Identity } from '../../src/aws/clients.ts';
import { each } from '../../src/source/pages.ts';
import { readObject } from '../../src/source/reading.ts';
import { type S3Options, s3Source } from '../../src/source/s3.ts';
import { type Source, SourceError } from '../../src/source/source.ts';
import { type S3Server, startS3Server } from '../support/s3-server.ts';

const KEY = { accessKeyId: 'first', secretAccessKey: 'secret' };
const SMALL = gzipSync('{"Records":[]}');
const LARGE_CONTENT = Buffer.alloc(1_500_000, Buffer.from(Array.from({ length: 997 }, (_, n) => (n * n * 31) % 251)));
const LARGE = gzipSync(LARGE_CONTENT, { level: 0 });
const FAST = { baseMs: 1, capMs: 5, tries: 3, throttledTries: 8 };

let server: S3Server;
const opened: Source[] = [];

function source(options: Partial<S3Options> = {}): Source {
  const made = s3Source({
    bucket: 'logs',
    endpointUrl: server.url,
    region: 'us-east-1',
    credentials: KEY,
    patience: FAST,
    idleTimeoutMs: 150,
    maxAttempts: 3,
    ...options,
  });
  opened.push(made);
  return made;
}

/** `content`, `malformed`, or what trouble there is. */
async function outcome(from: Source, key = 'small', versionId?: string): Promise<string> {
  const options = versionId === undefined ? { keep: false } : { keep: false, versionId };
  const reading = await readObject(from, { bucket: 'logs', key }, options);
  return reading.kind === 'trouble' ? `${reading.trouble.kind} ${reading.trouble.code}` : reading.kind;
}

async function listing(from: Source, prefix = ''): Promise<string> {
  const keys: string[] = [];
  try {
    for await (const { key } of each(from.list(prefix))) keys.push(key);
    return keys.join(' ');
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    return `${keys.length} keys, then ${error.trouble.kind} ${error.trouble.code}`;
  }
}

beforeEach(async () => {
  server = await startS3Server({ buckets: { logs: { objects: { small: SMALL, large: LARGE } } } });
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await Promise.all(opened.splice(0).map((one) => one.close()));
  await server.close();
});

describe.each(['lean', 'sdk'] as const)('reading through the %s getter', (getter) => {
  const from = (options: Partial<S3Options> = {}) => source({ getter, ...options });

  test.each([
    [403, 'AccessDenied', 'denied AccessDenied'],
    [403, 'AllAccessDisabled', 'denied AllAccessDisabled'],
    [400, 'KMS.DisabledException', 'denied KMS.DisabledException'],
    [400, 'KMS.NotFoundException', 'denied KMS.NotFoundException'],
    [403, 'InvalidObjectState', 'archived InvalidObjectState'],
    [404, 'NoSuchKey', 'absent NoSuchKey'],
    [404, 'NoSuchVersion', 'absent NoSuchVersion'],
    [404, 'NoSuchBucket', 'error NoSuchBucket'],
    [403, 'InvalidAccessKeyId', 'error InvalidAccessKeyId'],
    [400, 'SomethingNew', 'error SomethingNew'],
  ])('%i %s is told, and not retried', async (status, code, expected) => {
    server.fault({ operation: 'GetObject', answer: { status, code } });
    expect(await outcome(from())).toBe(expected);
    expect(server.count('GetObject')).toBeLessThanOrEqual(2);
  });

  test('a refusal without a word is still a refusal', async () => {
    server.fault({ operation: 'GetObject', answer: { status: 403, body: '' } });
    expect(await outcome(from())).toBe('denied 403');
  });

  test.each([
    ['SlowDown', { status: 503, code: 'SlowDown' }],
    ['InternalError', { status: 500, code: 'InternalError' }],
    ['a gateway that has no words', { status: 502, body: '<html>' }],
    ['a reset', 'reset'],
    ['a cut body', 'truncate'],
    ['a stalled body', 'stall'],
    ['silence', 'hang'],
  ] as const)('%s passes unseen when it passes, and is an error when it stays', async (_, answer) => {
    server.fault({ operation: 'GetObject', times: 2, answer });
    expect(await outcome(from())).toBe('content');
    expect(server.count('GetObject')).toBe(3);
    server.fault({ operation: 'GetObject', answer });
    expect(await outcome(from())).toMatch(/^error /);
    expect(server.count('GetObject')).toBeGreaterThanOrEqual(6);
  });

  test.each(['truncate', 'stall'] as const)(
    'a large body that suffers a %s goes on where it broke off',
    async (answer) => {
      server.fault({ key: 'large', times: 2, answer });
      const reading = await readObject(from(), { bucket: 'logs', key: 'large' }, { keep: true });
      expect(reading.kind === 'content' && reading.content?.equals(LARGE_CONTENT)).toBe(true);
      const ranges = server.requests.filter(({ key }) => key === 'large').map(({ headers }) => headers['range']);
      expect(ranges).toEqual([undefined, expect.stringMatching(/^bytes=\d+-$/), expect.stringMatching(/^bytes=\d+-$/)]);
    },
  );

  test('a large body never mixes two versions of an object', async () => {
    server.fault({ key: 'large', times: 1, answer: 'truncate' });
    const answer = await from().open({ bucket: 'logs', key: 'large' });
    if (!answer.ok || answer.object.body instanceof Uint8Array) throw new Error('not streamed');
    server.bucket('logs').put('large', Buffer.alloc(LARGE.length));
    const pieces: Uint8Array[] = [];
    const { body } = answer.object;
    const reading = async () => {
      for await (const piece of body) pieces.push(piece);
    };
    await expect(reading()).rejects.toMatchObject({ trouble: { kind: 'error', code: 'PreconditionFailed' } });
    expect(LARGE.subarray(0, Buffer.concat(pieces).length).equals(Buffer.concat(pieces))).toBe(true);
  });

  test('archived objects, restored ones, versions and delete markers', async () => {
    const bucket = server.bucket('logs');
    bucket.put('cold', { body: SMALL, storageClass: 'GLACIER' });
    bucket.put('restored', {
      body: SMALL,
      headers: { 'x-amz-storage-class': 'GLACIER', 'x-amz-restore': 'ongoing-request="false"' },
    });
    const older = bucket.put('hidden', SMALL);
    const marker = bucket.hide('hidden');
    const reads = from();
    expect(await outcome(reads, 'cold')).toBe('archived InvalidObjectState');
    expect(await outcome(reads, 'restored')).toBe('content');
    expect(await outcome(reads, 'hidden')).toBe('absent NoSuchKey');
    expect(await outcome(reads, 'hidden', older)).toBe('content');
    expect(await outcome(reads, 'hidden', marker)).toBe('absent MethodNotAllowed');
    expect(await outcome(reads, 'hidden', 'version-99')).toBe('absent NoSuchVersion');
  });

  test('a bucket that is not there is an error, once found out', async () => {
    const reads = from({ bucket: 'other' });
    const answers = await Promise.all(Array.from({ length: 20 }, () => reads.open({ bucket: 'other', key: 'small' })));
    for (const answer of answers) expect(answer).toMatchObject({ trouble: { kind: 'error', code: 'NoSuchBucket' } });
    expect(server.requests.length).toBe(1);
  });

  test('another bucket can be read than its own', async () => {
    server.addBucket('elsewhere').put('small', SMALL);
    expect((await from().open({ bucket: 'elsewhere', key: 'small' })).ok).toBe(true);
    expect(await from().open({ bucket: 'nowhere', key: 'small' })).toMatchObject({ trouble: { code: 'NoSuchBucket' } });
  });

  test.each([
    ['', 'ImpossibleKey'],
    ['half \ud800 of a pair', 'ImpossibleKey'],
  ])('the key %j is not asked for', async (key, code) => {
    expect(await outcome(from(), key)).toBe(`error ${code}`);
    expect(server.requests).toEqual([]);
  });

  test.each(['', 'a', 'host.example/', 'user@host', '../x', 'a b', 'a?b'])(
    'the bucket name %j is not asked for',
    async (bucket) => {
      expect(await from().open({ bucket, key: 'x' })).toMatchObject({ trouble: { code: 'InvalidBucketName' } });
      expect(server.requests).toEqual([]);
    },
  );

  test('says whose bucket it must be', async () => {
    const reads = from({ expectedBucketOwner: '123456789012' });
    await outcome(reads);
    await listing(reads);
    expect(server.requests.map(({ headers }) => headers['x-amz-expected-bucket-owner'])).toEqual(
      Array.from({ length: 3 }, () => '123456789012'),
    );
  });

  test('a wrong secret is found by the store', async () => {
    await server.close();
    server = await startS3Server({ buckets: { logs: { objects: { small: SMALL } } }, secrets: { first: 'another' } });
    expect(await outcome(from())).toBe('error SignatureDoesNotMatch');
  });
});

describe('listing', () => {
  test.each([
    [403, 'AccessDenied', 'denied AccessDenied'],
    [404, 'NoSuchBucket', 'error NoSuchBucket'],
    [500, 'InternalError', 'error InternalError'],
    [503, 'SlowDown', 'error SlowDown'],
  ])('%i %s ends it with a word', async (status, code, expected) => {
    server.fault({ operation: 'ListObjectsV2', answer: { status, code } });
    expect(await listing(source())).toBe(`0 keys, then ${expected}`);
    server.fault({ operation: 'ListObjectVersions', answer: { status, code } });
    await expect(source().versions('')?.[Symbol.asyncIterator]().next()).rejects.toThrow(SourceError);
    await expect(source().folders('')).rejects.toThrow(code);
  });

  test('what was listed before an error is not lost, and the error not swallowed', async () => {
    await server.close();
    const objects = Object.fromEntries(Array.from({ length: 10 }, (_, n) => [`key${n}`, SMALL]));
    server = await startS3Server({ buckets: { logs: { objects } }, pageSize: 4 });
    server.fault({ operation: 'ListObjectsV2', after: 2, answer: { status: 403, code: 'AccessDenied' } });
    expect(await listing(source())).toBe('8 keys, then denied AccessDenied');
  });

  test.each([
    ['SlowDown', { status: 503, code: 'SlowDown' }],
    ['a reset', 'reset'],
    ['silence', 'hang'],
    ['a cut page', 'truncate'],
  ] as const)('%s in passing is retried', async (_, answer) => {
    server.fault({ operation: 'ListObjectsV2', times: 1, answer });
    expect(await listing(source())).toBe('large small');
  });

  const entry = (key: string, date = '2026-01-01T00:00:00Z') =>
    `<Contents><Key>${key}</Key><Size>1</Size><LastModified>${date}</LastModified></Contents>`;
  test.each([
    ['a key in no encoding', entry('%zz'), 'NotAListing'],
    ['no date', entry('key', 'yesterday'), 'TypeError'],
    // Read in minutes, if it is looked for the end of each again.
    ['elements without an end', '<Contents>'.repeat(200_000), 'RangeError'],
  ])('an answer with %s is an error of the store, not of the program', async (_, entries, code) => {
    for (const [operation, element] of [
      ['ListObjectsV2', 'Contents'],
      ['ListObjectVersions', 'Version'],
    ] as const) {
      const root = operation === 'ListObjectsV2' ? 'ListBucketResult' : 'ListVersionsResult';
      const inside = entries.replaceAll('Contents>', `${element}>`);
      const body = `<${root}><EncodingType>url</EncodingType><IsTruncated>false</IsTruncated>${inside}</${root}>`;
      server.fault({ operation, answer: { status: 200, body } });
    }
    const refused = { trouble: { kind: 'error', code } };
    await expect(source().folders('')).rejects.toMatchObject(refused);
    await expect(source().versions('')?.[Symbol.asyncIterator]().next()).rejects.toMatchObject(refused);
    expect(await listing(source())).toBe(`0 keys, then error ${code}`);
  });

  test('one folder may hold more than a call can have arguments', async () => {
    const names = Array.from({ length: 200_000 }, (_, n) => `${n + 1e6}/`);
    const inside = names.map((name) => `<CommonPrefixes><Prefix>${name}</Prefix></CommonPrefixes>`).join('');
    const head = '<EncodingType>url</EncodingType><IsTruncated>false</IsTruncated>';
    const body = `<ListBucketResult>${head}${inside}</ListBucketResult>`;
    server.fault({ operation: 'ListObjectsV2', answer: { status: 200, body } });
    expect((await source().folders('')).folders).toHaveLength(names.length);
  });

  test('versions come by key, newest first, markers among them, over all pages', async () => {
    await server.close();
    server = await startS3Server({ buckets: { logs: {} }, pageSize: 2 });
    const bucket = server.bucket('logs');
    for (const key of ['b +%', 'a', 'c']) for (let n = 0; n < 3; n++) bucket.put(key, SMALL);
    bucket.hide('a');
    bucket.put('a', SMALL);
    bucket.hide('c');
    const found: string[] = [];
    for await (const version of each(source().versions(''))) {
      const { key, versionId, deleteMarker, isLatest } = version;
      found.push(`${key} ${versionId.slice(8)}${deleteMarker ? ' marker' : ''}${isLatest ? ' latest' : ''}`);
    }
    expect(found).toEqual([
      'a 11 latest',
      'a 10 marker',
      'a 6',
      'a 5',
      'a 4',
      'b +% 3 latest',
      'b +% 2',
      'b +% 1',
      'c 12 marker latest',
      'c 9',
      'c 8',
      'c 7',
    ]);
  });
});

describe('retention', () => {
  const retentionOf = async (key: string) => {
    const answer = await source().retention?.({ bucket: 'logs', key });
    if (!answer) throw new Error('not asked');
    return answer.ok ? answer.lock : `${answer.trouble.kind} ${answer.trouble.code}`;
  };

  test('is told, or known to be none, or not to be seen', async () => {
    const lock = { mode: 'GOVERNANCE', retainUntil: Date.parse('2030-01-01T00:00:00Z'), legalHold: false } as const;
    server.bucket('logs').put('locked', { body: SMALL, lock });
    expect(await retentionOf('locked')).toEqual(lock);
    expect(await retentionOf('small')).toBeNull();
    expect(await retentionOf('nothing')).toBe('absent NoSuchKey');
    server.fault({ operation: 'GetObjectRetention', times: 1, answer: { status: 403, code: 'AccessDenied' } });
    expect(await retentionOf('locked')).toBe('denied AccessDenied');
    server.fault({ operation: 'GetObjectRetention', times: 1, answer: { status: 400, code: 'InvalidRequest' } });
    expect(await retentionOf('locked')).toBeNull();
  });
});

test('both getters ask for the same address, whatever the key', async () => {
  const odd = [
    "a b+c&d=e?f#g%20h;i,j:k@l!m'n(o)p*q~r",
    '//x//',
    '../../y',
    '.',
    'é\u{1f600}',
    'tab\tnew\nline\u0000',
    '"<>\\^`{|}[]$',
  ];
  const urls = async (getter: 'lean' | 'sdk') => {
    const from = server.requests.length;
    for (const key of odd) await source({ getter, bucket: 'logs' }).open({ bucket: 'logs', key }, 'ver/si+on=');
    return server.requests
      .slice(from)
      .filter(({ operation }) => operation === 'GetObject')
      .map(({ url, key }) => [key, url.replace('&x-id=GetObject', '').replace('x-id=GetObject&', '')]);
  };
  const lean = await urls('lean');
  expect(lean.map(([key]) => key)).toEqual(odd);
  expect(await urls('sdk')).toEqual(lean);
});

describe('Regions', () => {
  beforeEach(() => {
    server.addBucket('far', 'eu-west-1').put('small', SMALL);
  });
  const far = async (options: Partial<S3Options> = {}) => {
    const reads = source({ bucket: 'far', ...options });
    const { ok } = await reads.open({ bucket: 'far', key: 'small' });
    return `${ok} ${await listing(reads)}`;
  };

  test.each([301, 307, 400] as const)(
    'a bucket elsewhere is found out once, by HeadBucket, answered %i',
    async (status) => {
      server.bucket('far').wrongRegion = status;
      expect(await far()).toBe('true small');
      expect(server.requests.map(({ operation, region }) => `${operation} ${region}`)).toEqual([
        'HeadBucket us-east-1',
        'GetObject eu-west-1',
        'ListObjectsV2 eu-west-1',
      ]);
    },
  );

  test('also where HeadBucket is refused, or tells the legacy name', async () => {
    server.fault({ operation: 'HeadBucket', answer: { status: 403, code: 'AccessDenied', region: 'EU' } });
    expect(await far()).toBe('true small');
    expect(server.count('GetBucketLocation')).toBe(0);
  });

  test('also where no Region is configured at all', async () => {
    vi.stubEnv('AWS_REGION', undefined);
    vi.stubEnv('AWS_CONFIG_FILE', '/nonexistent');
    const reads = s3Source({ bucket: 'far', endpointUrl: server.url, credentials: KEY });
    opened.push(reads);
    expect((await reads.open({ bucket: 'far', key: 'small' })).ok).toBe(true);
  });

  test('a store that tells no Region gets that of the user', async () => {
    server.fault({ operation: 'HeadBucket', answer: { status: 403, code: 'AccessDenied' } });
    expect(await outcome(source({ region: 'af-south-1' }))).toBe('content');
    expect(server.requests.at(-1)).toMatchObject({ operation: 'GetObject', region: 'af-south-1' });
  });

  test('HeadBucket that fails for the moment is asked again for the next object', async () => {
    server.fault({ operation: 'HeadBucket', times: 3, answer: 'reset' });
    const reads = source();
    expect(await outcome(reads)).toMatch(/^error /);
    expect(await outcome(reads)).toBe('content');
  });
});

describe('credentials', () => {
  /** Gives the identities in turn, each until asked for a fresh one. */
  function turning(names: readonly string[]) {
    const asked = { fresh: 0 };
    const provider = (options?: { forceRefresh?: boolean }): Promise<Identity> => {
      if (options?.forceRefresh) asked.fresh++;
      const accessKeyId = names[Math.min(asked.fresh, names.length - 1)] ?? 'none';
      return Promise.resolve({ accessKeyId, secretAccessKey: 's', sessionToken: 't' });
    };
    return { provider: Object.assign(provider, { memoized: true }), asked };
  }

  test('that expire in mid-run are refreshed once for all who wait', async () => {
    const { provider, asked } = turning(['old', 'new']);
    server.fault({
      operation: 'GetObject',
      accessKeyId: 'old',
      after: 5,
      answer: { status: 400, code: 'ExpiredToken' },
    });
    const reads = source({ credentials: provider });
    for (let n = 0; n < 5; n++) expect(await outcome(reads)).toBe('content');
    const rest = await Promise.all(Array.from({ length: 30 }, () => outcome(reads)));
    expect(new Set(rest)).toEqual(new Set(['content']));
    expect(asked.fresh).toBe(1);
    expect(await listing(reads)).toBe('large small');
    const pages = server.requests.filter(({ operation }) => operation === 'ListObjectsV2');
    expect(pages.map(({ accessKeyId }) => accessKeyId)).toEqual(['new']);
  });

  test('that expire before a page of a listing are refreshed too', async () => {
    const { provider } = turning(['old', 'new']);
    server.fault({ operation: 'ListObjectsV2', accessKeyId: 'old', answer: { status: 400, code: 'ExpiredToken' } });
    expect(await listing(source({ credentials: provider }))).toBe('large small');
  });

  test('that stay expired are an error', async () => {
    server.fault({ answer: { status: 400, code: 'ExpiredToken' }, operation: 'GetObject' });
    const reads = source({ credentials: turning(['old']).provider });
    expect(await outcome(reads)).toBe('error ExpiredToken');
    expect(server.count('GetObject')).toBe(2);
  });

  test('that are not to be had are an error in the words of the SDK', async () => {
    for (const name of ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_PROFILE']) vi.stubEnv(name, undefined);
    vi.stubEnv('AWS_CONFIG_FILE', '/nonexistent');
    vi.stubEnv('AWS_SHARED_CREDENTIALS_FILE', '/nonexistent');
    vi.stubEnv('AWS_EC2_METADATA_DISABLED', 'true');
    const reads = s3Source({ bucket: 'logs', endpointUrl: server.url, region: 'us-east-1' });
    opened.push(reads);
    expect(await outcome(reads)).toBe('error CredentialsProviderError');
    expect(await listing(reads)).toBe('0 keys, then error CredentialsProviderError');
    expect(server.requests).toEqual([]);
  });

  test('of a real credential process are fetched anew', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'trailseal-'));
    const script = join(folder, 'credentials.sh');
    await writeFile(
      script,
      `#!/bin/sh\necho x >> ${folder}/calls\nprintf '{"Version":1,"AccessKeyId":"call%d","SecretAccessKey":"s","SessionToken":"t"}' $(wc -l < ${folder}/calls)\n`,
    );
    await chmod(script, 0o700);
    await writeFile(
      join(folder, 'config'),
      `[profile process]\ncredential_process = ${script}\nregion = eu-central-1\n`,
    );
    for (const name of ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_REGION']) vi.stubEnv(name, undefined);
    vi.stubEnv('AWS_CONFIG_FILE', join(folder, 'config'));
    vi.stubEnv('AWS_SHARED_CREDENTIALS_FILE', join(folder, 'none'));
    server.fault({
      operation: 'GetObject',
      accessKeyId: 'call1',
      after: 1,
      answer: { status: 400, code: 'ExpiredToken' },
    });
    const reads = s3Source({ bucket: 'logs', endpointUrl: server.url, profile: 'process', patience: FAST });
    opened.push(reads);
    expect([await outcome(reads), await outcome(reads), await outcome(reads)]).toEqual([
      'content',
      'content',
      'content',
    ]);
    expect((await readFile(join(folder, 'calls'), 'utf8')).length).toBe(4);
    expect(server.requests.at(-1)).toMatchObject({ accessKeyId: 'call2', region: 'eu-central-1' });
    await rm(folder, { recursive: true });
  });
});

describe('the way there', () => {
  test.each(['AWS_ENDPOINT_URL_S3', 'AWS_ENDPOINT_URL'])('%s is honoured', async (name) => {
    vi.stubEnv(name, server.url.replace('127.0.0.1', 'localhost'));
    const reads = s3Source({ bucket: 'logs', region: 'us-east-1', credentials: KEY, patience: FAST });
    opened.push(reads);
    expect(await outcome(reads)).toBe('content');
    expect(await listing(reads)).toBe('large small');
  });

  test('the SDK is asked once where the lean way is not understood, and from then on if it is', async () => {
    server.fault({ operation: 'GetObject', times: 1, answer: { status: 400, code: 'StrangeProxy' } });
    const reads = source();
    expect(await outcome(reads)).toBe('content');
    expect(await outcome(reads)).toBe('content');
    const agents = server.requests
      .filter(({ operation }) => operation === 'GetObject')
      .map(({ headers }) => headers['user-agent']);
    expect(agents).toEqual(['trailseal', expect.stringContaining('aws-sdk-js'), expect.stringContaining('aws-sdk-js')]);
  });

  test('a server that is not there is an error', async () => {
    const { url } = server;
    await server.close();
    expect(await outcome(source({ endpointUrl: url }))).toBe('error ECONNREFUSED');
    server = await startS3Server();
  });
});
