import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { dayPath, formatTime, HOUR } from '../../src/chain/location.ts';
import { type BuiltTrail, type TrailBuilder, trail } from '../../src/demo/trail.ts';
import { servedKeys } from '../support/built-on-s3.ts';
import { type CliResult, parseJsonl, runCli } from '../support/run-cli.ts';
import { type ObjectInit, type S3Server, startS3Server } from '../support/s3-server.ts';
import { tempDir } from '../support/temp.ts';

let server: S3Server | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

type Objects = Record<string, ObjectInit>;

async function serve(built: BuiltTrail, more: Objects = {}): Promise<readonly string[]> {
  server = await startS3Server({
    buckets: { [built.bucket]: { objects: { ...Object.fromEntries(built.objects), ...more } } },
    publicKeys: servedKeys(built),
  });
  return ['--s3-bucket', built.bucket, '--endpoint-url', server.url];
}

/** A range in the past, and one that reaches the present. */
function range({ range: { start, end } }: BuiltTrail, now = end + 5 * HOUR): string[] {
  return ['--start-time', formatTime(start), '--end-time', formatTime(end), '--now', formatTime(now)];
}

const fetched = (
  directory: string,
  where: readonly string[],
  built: BuiltTrail,
  ...more: string[]
): Promise<CliResult> => runCli(['fetch', directory, ...where, ...range(built), '--quiet', ...more]);

async function verdicts(where: readonly string[], when: readonly string[]) {
  const { code, out } = await runCli(['verify', ...where, ...when, '--output', 'jsonl=-', '--quiet']);
  return { code, verdicts: parseJsonl(out).summary.verdicts };
}

const CASES: readonly [string, (t: TrailBuilder) => TrailBuilder][] = [
  ['an intact trail', (t) => t],
  ['an altered log', (t) => t.alterLog(3)],
  ['a missing log', (t) => t.dropLog(3)],
  ['a missing digest', (t) => t.dropDigest(3)],
  [
    'strays of every kind',
    (t) =>
      [
        '12345678901/x',
        'backup/CloudTrail/x',
        '123456789012/CloudTrail/x',
        '123456789012/CloudTrail/us-east-1/2026/x',
        '123456789012/CloudTrail/us-east-1/2026/13/40/x',
        '123456789012/CloudTrail-Digest/us-east-1/2026/x',
        '123456789012/CloudTrail-Digest/us-east-1/1999/01/01/x',
      ].reduce((built, key) => built.addObject(`AWSLogs/${key}`, 'x'), t),
  ],
  ['a cut head', (t) => t.cutHead(2)],
  ['a cut tail', (t) => t.cutTail(2)],
  ['a digest signed by a stranger', (t) => t.signByStranger(3)],
  ['an unknown key', (t) => t.forgetKey(5)],
  ['an undigested log', (t) => t.addLog(3)],
];

describe('a copy is proven offline with the verdicts of the bucket', () => {
  it.each(CASES)('%s', async (_name, change) => {
    const built = change(trail()).build();
    const where = await serve(built);
    const directory = join(tempDir(), 'copy');
    const { code, err } = await fetched(directory, where, built);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    const onS3 = await verdicts(where, range(built));
    await server?.close();
    expect(await verdicts(['--directory', directory], range(built))).toEqual(onS3);
  });

  it('of a part of the time, with trails that are not in it', async () => {
    const built = trail().hours(60).logs(1).build();
    const { start, end } = built.range;
    const before = trail({ region: 'eu-west-1', start: start - 96 * HOUR }).build();
    const longBefore = trail({ region: 'sa-east-1', start: start - 900 * HOUR }).build();
    const foreign = {
      [`AWSLogs/123456789012/CloudTrail-Digest/us-east-1/${dayPath(start + 25 * HOUR)}/notes.txt`]: {
        body: Buffer.from('x'),
      },
    };
    const beside = { [`AWSLogs/123456789012/CloudTrail-Insight/us-east-1/x`]: { body: Buffer.from('x') } };
    const objects = Object.fromEntries([...before.objects, ...longBefore.objects]);
    const where = await serve(built, { ...objects, ...foreign, ...beside });
    const directory = tempDir();
    const when = [
      '--start-time',
      formatTime(start + 20 * HOUR),
      '--end-time',
      formatTime(start + 30 * HOUR),
      '--now',
      formatTime(end),
    ];
    const { code } = await runCli(['fetch', directory, ...where, ...when, '--quiet']);
    expect(code).toBe(0);
    const onS3 = await verdicts(where, when);
    expect(onS3.verdicts).toMatchObject({ 'coverage-nothing-found': 2, 'object-foreign': 1, 'object-uncovered': 1 });
    const offline = await verdicts(['--directory', directory], when);
    expect(offline).toEqual(onS3);
    const digests = readdirSync(directory, { recursive: true, encoding: 'utf8' }).filter((path) =>
      /Digest_us-east-1.*gz$/.test(path),
    );
    expect(digests.length).toBe(13);
  });
});

it('keeps the bytes as stored, the time of delivery, metadata and keys', async () => {
  const built = trail().build();
  const directory = tempDir();
  await fetched(directory, await serve(built), built);
  for (const [key, { body }] of built.objects) {
    expect(readFileSync(join(directory, key)).equals(body), key).toBe(true);
    expect(statSync(join(directory, key)).mtimeMs % 1000).toBe(0);
  }
  const lines = readFileSync(join(directory, '.trailseal', 'metadata.jsonl'), 'utf8')
    .trimEnd()
    .split('\n');
  const digests = [...built.objects.keys()].filter((key) => key.includes('Digest'));
  expect(lines.map((line) => JSON.parse(line).key).sort()).toEqual(digests.sort());
  expect(Object.keys(JSON.parse(readFileSync(join(directory, '.trailseal', 'keys.json'), 'utf8')))).toEqual([
    'us-east-1',
  ]);
  expect(readdirSync(join(directory, '.trailseal')).sort()).toEqual(['keys.json', 'metadata.jsonl']);
});

describe('goes on where it was stopped', () => {
  it('reads nothing twice', async () => {
    const built = trail().build();
    const where = await serve(built);
    const directory = tempDir();
    await fetched(directory, where, built);
    const reads = server?.count('GetObject');
    const { code, out } = await fetched(directory, where, built);
    expect(code).toBe(0);
    expect(out).toContain(`0 objects copied`);
    expect(out).toContain(`${built.objects.size} there already`);
    expect(server?.count('GetObject')).toBe(reads);
  });

  it('reads again what is cut short, gone, or lost its metadata', async () => {
    const built = trail().build();
    const where = await serve(built);
    const directory = tempDir();
    await fetched(directory, where, built);
    const [one = '', two = ''] = [...built.objects.keys()].filter((key) => key.includes('/CloudTrail/'));
    rmSync(join(directory, one));
    writeFileSync(join(directory, two), 'short');
    const manifest = join(directory, '.trailseal', 'metadata.jsonl');
    const whole = readFileSync(manifest, 'utf8');
    writeFileSync(manifest, whole.slice(0, -50));
    const before = server?.count('GetObject') ?? 0;
    expect((await fetched(directory, where, built)).code).toBe(0);
    expect((server?.count('GetObject') ?? 0) - before).toBe(3);
    expect(readFileSync(manifest, 'utf8')).toBe(whole);
    expect((await verdicts(['--directory', directory], range(built))).code).toBe(0);
  });

  it('after a signal, which leaves no half file', async () => {
    const built = trail().hours(20).build();
    const where = await serve(built);
    const directory = tempDir();
    const stop = new AbortController();
    server?.fault({ operation: 'GetObject', key: /CloudTrail\//, after: 10, answer: { delayMs: 300 } });
    const timer = setInterval(() => {
      if ((server?.count('GetObject') ?? 0) > 31) stop.abort('SIGTERM');
    }, 5);
    const stopped = await runCli(['fetch', directory, ...where, ...range(built), '--concurrency', '4', '--quiet'], {
      interrupt: stop.signal,
    });
    clearInterval(timer);
    expect(stopped.code).toBe(143);
    expect(stopped.err).toContain('the run was cut short');
    expect(readdirSync(join(directory, '.trailseal'))).toEqual(['metadata.jsonl']);
    server?.healed();
    const { code, out } = await fetched(directory, where, built);
    expect(code).toBe(0);
    expect(out).not.toContain(', 0 there already');
    expect((await verdicts(['--directory', directory], range(built))).code).toBe(0);
  });
});

describe('what is not copied is told', () => {
  it.each([
    ['a refused log', { operation: 'GetObject', key: /CloudTrail\/.*T0402/ }, /T0402.* is not copied: .*denied/i],
    ['a refused digest', { operation: 'GetObject', key: /Digest.*T041742Z/ }, /T041742Z.* is not copied: .*denied/i],
    ['refused keys', { operation: 'ListPublicKeys' }, /the keys of us-east-1: .*denied/i],
    ['a refused listing', { operation: 'ListObjectsV2' }, /the bucket is not copied: .*denied/i],
  ] as const)('%s', async (_name, fault, message) => {
    const built = trail().build();
    const where = await serve(built);
    server?.fault({ ...fault, answer: { status: 403, code: 'AccessDenied', message: 'denied' } });
    const { code, err, out } = await fetched(tempDir(), where, built);
    expect(code).toBe(3);
    expect(err).toMatch(message);
    expect(out).not.toContain('Prove it');
  });

  it('an empty bucket', async () => {
    const built = trail().dropEverything().build();
    const { code, err } = await fetched(tempDir(), await serve(built), built);
    expect(code).toBe(3);
    expect(err).toContain('nothing to copy');
  });

  it('keys that no file can have, and nothing is written outside', async () => {
    const built = trail().build();
    const folder = `AWSLogs/123456789012/CloudTrail-Digest/us-east-1/${dayPath(built.range.start)}`;
    const bad = [
      `${folder}/../../../../../../../../outside`,
      `${folder}/./dot`,
      `${folder}//empty`,
      `${folder}/line\nfeed`,
      `${folder}/\u001b[2J`,
      `${folder}/${'x'.repeat(256)}`,
    ];
    const where = await serve(built, Object.fromEntries(bad.map((key) => [key, { body: Buffer.from('x') }])));
    const parent = tempDir();
    const { code, err } = await fetched(join(parent, 'a', 'copy'), where, built);
    expect(code).toBe(3);
    expect(err.trimEnd().split('\n')).toHaveLength(bad.length);
    expect(err).not.toContain('\u001b');
    expect(readdirSync(parent, { recursive: true }).filter((path) => String(path).includes('outside'))).toEqual([]);
    expect(readdirSync(parent)).toEqual(['a']);
    expect((await verdicts(['--directory', join(parent, 'a', 'copy')], range(built))).code).toBe(0);
  });

  it('a link that is in the way, and nothing is written behind it', async () => {
    const built = trail().build();
    const [directory, elsewhere] = [tempDir(), tempDir()];
    symlinkSync(elsewhere, join(directory, 'AWSLogs'));
    const { code, err } = await fetched(directory, await serve(built), built);
    expect(code).toBe(3);
    expect(err).toContain('a link, or the file of a key that differs only in how it is spelled, is in its way');
    expect(readdirSync(elsewhere)).toEqual([]);
  });
});

it.each([
  ['a file where the directory should be', (path: string) => writeFileSync(path, ''), 'cannot be written'],
  [
    'a link to where trailseal keeps its own files',
    (path: string) => {
      mkdirSync(path);
      symlinkSync('..', join(path, '.trailseal'));
    },
    'is a link',
  ],
  [
    'other metadata',
    (path: string) => {
      mkdirSync(join(path, '.trailseal'), { recursive: true });
      appendFileSync(join(path, '.trailseal', 'metadata.jsonl'), 'hello\n');
    },
    'holds something else than metadata',
  ],
  [
    'other keys',
    (path: string) => {
      mkdirSync(join(path, '.trailseal'), { recursive: true });
      writeFileSync(join(path, '.trailseal', 'keys.json'), '{"hello":1}');
    },
    'no file of public keys',
  ],
])('%s is a usage error', async (_name, prepare, message) => {
  const built = trail().build();
  const path = join(tempDir(), 'copy');
  prepare(path);
  const { code, err } = await fetched(path, await serve(built), built);
  expect(code).toBe(2);
  expect(err).toContain(message);
  expect(existsSync(join(path, 'AWSLogs'))).toBe(false);
});

it('verify says that it takes the keys from the copy, and takes others where they are given', async () => {
  const built = trail().build();
  const directory = tempDir();
  await fetched(directory, await serve(built), built);
  const own = await runCli(['verify', '--directory', directory, ...range(built)]);
  expect(own.code).toBe(0);
  expect(own.err).toMatch(/^note: the copy is proven by the keys saved in it/);
  const others = join(directory, 'none.json');
  writeFileSync(others, '{}');
  const given = await runCli(['verify', '--directory', directory, ...range(built), '--public-keys', others]);
  expect(given.code).toBe(3);
  expect(given.err).toBe('');
});

it('a digest that was copied anew has one line of metadata, the last', async () => {
  const built = trail().build();
  const directory = tempDir();
  const where = await serve(built);
  await fetched(directory, where, built);
  const file = join(directory, '.trailseal', 'metadata.jsonl');
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  const [{ key = '' } = {}] = lines.map((line) => JSON.parse(line) as { key?: string });
  // Another digest lay there before; an interrupted run left both lines.
  writeFileSync(join(directory, key), 'x');
  appendFileSync(file, `${JSON.stringify({ key: JSON.parse(lines[1] ?? '').key, metadata: { signature: '00' } })}\n`);
  appendFileSync(file, `${lines[1]}\n`);
  const [first, ...rest] = readFileSync(file, 'utf8').split('\n');
  writeFileSync(file, [first?.replace(/"signature":"[^"]*"/, '"signature":"00"'), ...rest].join('\n'));
  expect(await verdicts(['--directory', directory], range(built))).toMatchObject({ code: 1 });
  expect(await fetched(directory, where, built)).toMatchObject({ code: 0, err: '' });
  expect(readFileSync(file, 'utf8').trimEnd().split('\n').sort()).toEqual([...lines].sort());
  expect((await verdicts(['--directory', directory], range(built))).code).toBe(0);
});

it('metadata that contradicts itself leaves that digest inconclusive', async () => {
  const built = trail().build();
  const directory = tempDir();
  await fetched(directory, await serve(built), built);
  const file = join(directory, '.trailseal', 'metadata.jsonl');
  const [line = ''] = readFileSync(file, 'utf8').split('\n');
  appendFileSync(file, `${line.replace(/"signature":"[^"]*"/, '"signature":"00"')}\n`);
  const { code, out } = await runCli([
    ...['verify', '--directory', directory, ...range(built), '--output', 'jsonl=-', '--quiet'],
  ]);
  const { findings } = parseJsonl(out);
  const told = findings.find(({ control }) => control === 'digest-error');
  expect({ code, key: told?.subject.key }).toEqual({ code: 3, key: JSON.parse(line).key });
  expect(told?.message).toContain('different things of this object');
});
