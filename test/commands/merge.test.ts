import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { formatTime, HOUR } from '../../src/chain/location.ts';
import type { Io } from '../../src/commands/command.ts';
import { chooseShard } from '../../src/commands/shard.ts';
import { type TrailBuilder, trail } from '../../src/demo/trail.ts';
import { writePublicKeys, writeTrail } from '../../src/demo/write-trail.ts';
import { isInShare } from '../../src/verify/share.ts';
import { type JsonlRun, parseJsonl, runCli } from '../support/run-cli.ts';
import { startS3Server } from '../support/s3-server.ts';
import { tempDir } from '../support/temp.ts';

const REGIONS = ['ap-south-1', 'eu-central-1', 'eu-west-1', 'sa-east-1', 'us-east-1', 'us-west-2'];
const OF = 4;

interface World {
  readonly where: readonly string[];
  readonly when: readonly string[];
}

/** A bucket with a trail in six Regions, `faulty` in the third. */
function world(faulty: (t: TrailBuilder) => TrailBuilder, directory: string): World {
  const built = REGIONS.map((region, index) => {
    const intact = trail({ region, homeRegion: 'us-east-1', name: 'audit' });
    return (index === 2 ? faulty(intact) : intact).build();
  });
  const [first] = built;
  if (!first) throw new Error('there is a trail');
  const bucket = join(directory, 'bucket');
  writeTrail(bucket, { ...first, objects: new Map(built.flatMap(({ objects }) => [...objects])) });
  const publicKeys = Object.assign({}, ...built.map((each) => each.publicKeys));
  writePublicKeys(join(directory, 'keys.json'), { publicKeys });
  const { start, end } = first.range;
  return {
    where: ['--directory', bucket, '--public-keys', join(directory, 'keys.json')],
    when: ['--start-time', formatTime(start), '--end-time', formatTime(end), '--now', formatTime(end + HOUR)],
  };
}

async function verifyTo(file: string, { where, when }: World, ...more: string[]): Promise<number> {
  return (await runCli(['verify', ...where, ...when, '--output', `jsonl=${file}`, '--quiet', ...more])).code;
}

async function shards(of: number, bucket: World, ...more: string[]): Promise<string[]> {
  const directory = tempDir();
  const files: string[] = [];
  for (let index = 1; index <= of; index++) {
    const file = join(directory, `${index}.jsonl`);
    await verifyTo(file, bucket, '--shard', `${index}/${of}`, ...more);
    files.push(file);
  }
  return files;
}

async function merged(files: readonly string[]): Promise<JsonlRun & { code: number; err: string; text: string }> {
  const text = join(tempDir(), 'report.txt');
  const { code, out, err } = await runCli(['merge', ...files, '--output', 'jsonl=-', '--output', `text=${text}`]);
  return { code, err, ...parseJsonl(out), text: existsSync(text) ? readFileSync(text, 'utf8') : '' };
}

const read = (file: string): JsonlRun => parseJsonl(readFileSync(file, 'utf8'));
const ids = ({ findings }: JsonlRun) => findings.map(({ id }) => id).sort();

describe.each<[string, (t: TrailBuilder) => TrailBuilder]>([
  ['an intact bucket', (t) => t],
  ['an altered log and a missing digest', (t) => t.alterLog(2).dropDigest(4)],
  ['an unknown key', (t) => t.forgetKey(3)],
  ['foreign objects beside the Regions', (t) => t.addObject('AWSLogs/123456789012/CloudTrail-Digest/x', 'x')],
])('the shards of %s', (_name, faulty) => {
  it.each([2, OF, 9])('come to what one run comes to, divided by %d', async (of) => {
    const bucket = world(faulty, tempDir());
    const file = join(tempDir(), 'whole.jsonl');
    const code = await verifyTo(file, bucket);
    const whole = read(file);
    const files = await shards(of, bucket);
    const each = files.map(read);
    expect(each.flatMap(({ summary }) => summary.chains.map(({ region }) => region)).sort()).toEqual(REGIONS);
    const joint = await merged(files);
    expect(joint.code).toBe(code);
    expect(ids(joint)).toEqual(ids(whole));
    expect({ ...joint.summary, requests: 0, elapsedMs: 0 }).toEqual({ ...whole.summary, requests: 0, elapsedMs: 0 });
    expect(joint.run.window).toEqual(whole.run.window);
    expect(joint.run.arguments).not.toHaveProperty('shard');
    expect(joint.text).not.toContain('shard');
  });
});

describe('what every shard tells is told once', () => {
  it('a bucket that may not be listed', async () => {
    const built = trail().build();
    const server = await startS3Server({ buckets: { [built.bucket]: { objects: Object.fromEntries(built.objects) } } });
    onTestFinished(() => server.close());
    server.fault({ operation: 'ListObjectsV2', answer: { status: 403, code: 'AccessDenied' } });
    const [start, end] = [built.range.start, built.range.end].map(formatTime);
    const bucket: World = {
      where: ['--s3-bucket', built.bucket, '--endpoint-url', server.url],
      when: ['--start-time', start ?? '', '--end-time', end ?? ''],
    };
    const { code, summary, findings } = await merged(await shards(3, bucket));
    expect(code).toBe(3);
    expect(summary).toMatchObject({ verdicts: { 'digest-unreadable': 1 }, outcomes: { inconclusive: 1 } });
    expect(findings).toHaveLength(1);
  });

  it('a waiver that no shard used, and none that one of them did', async () => {
    const directory = tempDir();
    const bucket = world((t) => t.alterLog(2), directory);
    await verifyTo(join(directory, 'before.jsonl'), bucket);
    const altered = read(join(directory, 'before.jsonl')).findings.find(({ control }) => control === 'log-altered');
    const waiver = (id: string, key: string) => ({
      id,
      control: 'log-altered',
      scope: { bucket: altered?.subject.bucket, key, sha256: altered?.evidence['found'] },
      reason: 'a test',
      acceptedBy: 'somebody',
      owner: 'somebody',
      expires: '2026-06-30',
    });
    const config = join(directory, 'trailseal.yaml');
    const waivers = [waiver('W-1', altered?.subject.key ?? ''), waiver('W-2', 'another')];
    writeFileSync(config, JSON.stringify({ version: 1, waivers }));
    const code = await verifyTo(join(directory, 'whole.jsonl'), bucket, '--config', config);
    const whole = read(join(directory, 'whole.jsonl'));
    expect(whole.summary.verdicts).toMatchObject({ 'log-altered': 1, 'waiver-unused': 1 });
    const joint = await merged(await shards(3, bucket, '--config', config));
    expect(joint.code).toBe(code);
    expect(ids(joint)).toEqual(ids(whole));
    expect(joint.summary.verdicts).toEqual(whole.summary.verdicts);
    expect(joint.summary.outcomes).toEqual(whole.summary.outcomes);
  });
});

it('a shard says that it is one, and is not red for having nothing to do', async () => {
  const bucket = world((t) => t, tempDir());
  const files = await shards(9, bucket, '--output', 'text=-');
  const empty = files.map(read).filter(({ summary }) => summary.chains.length === 0);
  expect(empty.length).toBeGreaterThan(0);
  for (const { summary } of empty) {
    expect(summary).toMatchObject({ exitCode: 0, verdicts: { 'coverage-elsewhere': REGIONS.length } });
  }
  const { out } = await runCli(['verify', ...bucket.where, ...bucket.when, '--shard', '2/9', '--quiet']);
  expect(out.split('\n')[0]).toContain('shard 2/9 only');
});

describe('what does not make a whole', () => {
  let files: string[] = [];
  afterAll(() => rmSync(dirname(files[0] ?? ''), { recursive: true }));
  beforeAll(async () => {
    const directory = mkdtempSync(join(tmpdir(), 'trailseal-test-'));
    const bucket = world((t) => t, directory);
    for (let index = 1; index <= OF; index++) {
      const file = join(directory, `${index}.jsonl`);
      await verifyTo(file, bucket, '--shard', `${index}/${OF}`);
      files = [...files, file];
    }
  });
  const changed = (index: number, change: (text: string) => string): string => {
    const file = join(tempDir(), 'changed.jsonl');
    writeFileSync(file, change(readFileSync(files[index] ?? '', 'utf8')));
    return file;
  };

  it('a shard that is not there leaves the run inconclusive, and is named', async () => {
    const { code, summary, findings } = await merged(files.filter((_, index) => index !== 1));
    expect(code).toBe(3);
    expect(summary).toMatchObject({ complete: false, exitCode: 3, outcomes: { inconclusive: 1 } });
    expect(findings.map(({ message }) => message).join()).toContain('shard 2 of 4 is not there');
  });

  it('so does one that was cut off', async () => {
    const cut = changed(2, (text) => text.slice(0, -30));
    const { code, findings } = await merged([...files.slice(0, 2), cut, ...files.slice(3)]);
    expect(code).toBe(3);
    expect(findings.map(({ message }) => message).join()).toMatch(/shard 3 of 4 is not there; .*changed.jsonl: line/);
  });

  it.each<[string, (text: string) => string, RegExp]>([
    [
      'a verdict that is said to be green',
      (text) => text.replace('"exitCode":1', '"exitCode":0'),
      /exit code 0 does not follow from what the file lists/,
    ],
    [
      'a failure that is not counted',
      (text) => text.replace('"exitCode":1', '"exitCode":0').replace('"fail":1', '"fail":0'),
      /counts 0 findings with outcome fail, the file lists 1/,
    ],
    [
      'a failure that is called a pass, and not listed',
      (text) =>
        text
          .replace(/.*"control":"log-altered".*\n/, '')
          .replace('"exitCode":1', '"exitCode":0')
          .replace(/"pass":(\d+),"fail":1/, (_, n) => `"pass":${Number(n) + 1},"fail":0`),
      /the summary counts 1 of log-altered, the file lists 0/,
    ],
    [
      'a whole run that was cut short',
      (text) => text.replace('"complete":false', '"complete":true').replace('"exitCode":130', '"exitCode":3'),
      /complete, and to be cut short/,
    ],
  ])('and one whose summary contradicts what it lists: %s', async (_, edit, reason) => {
    const isStopped = reason.source.includes('cut short');
    const bucket = world((t) => (isStopped ? t : t.alterLog(2)), tempDir());
    const all = await shards(2, bucket);
    const argv = [...bucket.where, ...bucket.when, '--shard', '1/2', '--quiet', '--output', `jsonl=${all[0]}`];
    if (isStopped) await runCli(['verify', ...argv], { interrupt: AbortSignal.abort('SIGINT') });
    for (const file of all) writeFileSync(file, edit(readFileSync(file, 'utf8')));
    const { code, findings } = await merged(all);
    expect(code).toBe(3);
    expect(findings.find(({ control }) => control === 'run-interrupted')?.message).toMatch(reason);
  });

  it('and one that was interrupted', async () => {
    const stopped = changed(2, (text) =>
      text.replace('"complete":true,"exitCode":0', '"complete":false,"exitCode":143'),
    );
    const { code, summary } = await merged([...files.slice(0, 2), stopped, ...files.slice(3)]);
    expect({ code, complete: summary.complete }).toEqual({ code: 3, complete: false });
  });

  it('shards that found no chain at all found nothing', async () => {
    const bucket = world((t) => t, tempDir());
    const none = await shards(3, bucket, '--trail-name', 'nobody');
    const { code, summary } = await merged(none);
    expect(code).toBe(1);
    expect(summary.verdicts).toEqual({ 'coverage-nothing-found': 1 });
  });

  it.each<[string, () => string[], string]>([
    ['the same shard twice', () => [...files, files[0] ?? ''], 'are both shard 1/4'],
    [
      'a shard of another range',
      () => [changed(0, (text) => text.replace(/"end":"20/, '"end":"19')), ...files.slice(1)],
      'they differ in window',
    ],
    [
      'a shard of another place',
      () => [changed(0, (text) => text.replace(/"directory":"/, '"directory":"/other')), ...files.slice(1)],
      'they differ in --directory',
    ],
    [
      'a shard proven with other keys',
      () => [changed(0, (text) => text.replace(/keys.json":"./, 'keys.json":"x')), ...files.slice(1)],
      'they differ in inputs',
    ],
    [
      'a shard of another number',
      () => [changed(0, (text) => text.replace('"shard":"1/4"', '"shard":"1/5"')), ...files.slice(1)],
      'one of',
    ],
    [
      'a whole run',
      () => [changed(0, (text) => text.replace(/,?"shard":"1\/4"/, '')), ...files.slice(1)],
      'is not a shard',
    ],
    [
      'a file that is none besides',
      () => [...files, changed(0, () => 'hello')],
      'all shards are there, and files that are none',
    ],
    ['no whole file', () => [changed(0, () => '')], 'no file is a whole saved run'],
    [
      'one chain in two shards',
      () => {
        const at = files.findIndex((file) => read(file).summary.chains.length > 0);
        const other = (at + 1) % OF;
        const again = changed(at, (text) => text.replace(/"shard":"\d/, `"shard":"${other + 1}`));
        return [...files.filter((_, index) => index !== other), again];
      },
      'both verified',
    ],
  ])('%s is refused', async (_name, given, message) => {
    const { code, out, err } = await runCli(['merge', ...given(), '--output', 'jsonl=-']);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain(message);
  });
});

describe('which shard a run is', () => {
  const fixed = { endTime: '2026-03-01' };
  it.each<[string, Parameters<typeof chooseShard>[0], Io['env'], string | null]>([
    ['by the option', { shard: '3/16' }, {}, '3/16'],
    ['none', {}, {}, null],
    ['GitLab', {}, { CI_NODE_INDEX: '3', CI_NODE_TOTAL: '16' }, '3/16'],
    ['GitLab without parallel', {}, { CI_NODE_TOTAL: '1' }, null],
    ['CircleCI', {}, { CIRCLE_NODE_INDEX: '0', CIRCLE_NODE_TOTAL: '4' }, '1/4'],
    ['CircleCI without parallelism', {}, { CIRCLE_NODE_INDEX: '0', CIRCLE_NODE_TOTAL: '1' }, null],
    ['AWS Batch', {}, { AWS_BATCH_JOB_ARRAY_INDEX: '15', AWS_BATCH_JOB_ARRAY_SIZE: '16' }, '16/16'],
    ['Kubernetes, with the number of completions', { shard: 'auto/8' }, { JOB_COMPLETION_INDEX: '7' }, '8/8'],
    ['Kubernetes without it', {}, { JOB_COMPLETION_INDEX: '7' }, null],
    ['the option before the engine', { shard: '1/2' }, { CI_NODE_INDEX: '3', CI_NODE_TOTAL: '16' }, '1/2'],
    ['the whole in spite of the engine', { shard: '1/1' }, { CI_NODE_INDEX: '3', CI_NODE_TOTAL: '16' }, null],
  ])('%s', (_name, given, env, expected) => {
    expect(chooseShard({ ...fixed, ...given }, env)).toBe(expected);
  });

  it.each<[string, Parameters<typeof chooseShard>[0], Io['env'], string]>([
    ['zero', { ...fixed, shard: '0/4' }, {}, 'counted from 1'],
    ['too many', { ...fixed, shard: '5/4' }, {}, 'counted from 1'],
    ['words', { ...fixed, shard: 'first' }, {}, 'counted from 1'],
    ['auto with nothing to read', { ...fixed, shard: 'auto/4' }, {}, 'JOB_COMPLETION_INDEX'],
    ['an engine that says nonsense', fixed, { CI_NODE_INDEX: 'x', CI_NODE_TOTAL: '4' }, 'CI_NODE_INDEX is "x"'],
    ['a range that ends now', { shard: '1/4' }, {}, '--end-time'],
    ['a range that begins before now', { ...fixed, since: '24h', shard: '1/4' }, {}, '--since'],
    ['a checkpoint', { ...fixed, checkpoint: 'state', shard: '1/4' }, {}, 'checkpoint'],
  ])('%s is a usage error', (_name, given, env, message) => {
    expect(() => chooseShard(given, env)).toThrow(message);
  });
});

it('every account and Region is in exactly one share, and shares are of like size', () => {
  const sizes = Array.from({ length: 8 }, () => 0);
  for (let account = 0; account < 200; account++) {
    for (const region of REGIONS) {
      const mine = sizes.map((_, i) => isInShare({ index: i + 1, of: 8 }, `${100000000000 + account}`, region));
      expect(mine.filter(Boolean)).toHaveLength(1);
      sizes[mine.indexOf(true)] = (sizes[mine.indexOf(true)] ?? 0) + 1;
    }
  }
  expect(Math.min(...sizes)).toBeGreaterThan(110);
  expect(Math.max(...sizes)).toBeLessThan(190);
});
