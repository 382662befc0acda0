import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { formatTime, HOUR } from '../../src/chain/location.ts';
import { type TrailBuilder, trail } from '../../src/demo/trail.ts';
import { hasOpenssl, selfSigned } from '../evidence/openssl.ts';
import { parseJsonl, runCli } from '../support/run-cli.ts';
import { type S3Server, startS3Server } from '../support/s3-server.ts';
import { tempDir } from '../support/temp.ts';

/** A nightly life over HTTP: logs in one bucket, checkpoints in another, each run a command line. */
const STATE = 's3://audit-state/trailseal';
const TRAIL = trail().hours(24).logs(1);
const built = TRAIL.build();

let server: S3Server;
let directory: string;
beforeEach(async () => {
  directory = tempDir();
  const publicKeys = Object.fromEntries(
    Object.entries(built.publicKeys).map(([region, keys]) => [
      region,
      keys.map((key) => ({
        ...key,
        ValidityStartTime: Date.parse(key.ValidityStartTime) / 1000,
        ValidityEndTime: Date.parse(key.ValidityEndTime) / 1000,
      })),
    ]),
  );
  server = await startS3Server({ buckets: { 'audit-state': {} }, publicKeys });
});
afterEach(() => server.close());

/** What the bucket holds from now on. */
function deliver(builder: TrailBuilder): void {
  const bucket = server.addBucket(built.bucket);
  for (const [key, object] of builder.build().objects) bucket.put(key, object);
}

let runs = 0;
async function night(hours: number, ...more: string[]) {
  const report = join(directory, `${++runs}.jsonl`);
  const now = formatTime(built.range.start + (hours + 1) * HOUR);
  const where = ['--s3-bucket', built.bucket, '--endpoint-url', server.url, '--checkpoint', STATE, '--now', now];
  const { code, out, err } = await runCli([
    'verify',
    ...where,
    '--quiet',
    '--output',
    `jsonl=${report}`,
    '--output',
    `text=${report}.txt`,
    ...more,
  ]);
  const { findings, summary, run } = parseJsonl(readFileSync(report, 'utf8'));
  const bad = findings.filter(({ outcome }) => outcome === 'fail' || outcome === 'inconclusive');
  const text = readFileSync(`${report}.txt`, 'utf8');
  return { code, out, err, text, bad: bad.map(({ control }) => control), summary, findings, run };
}

function remembered(): { sequence: number; digest: { endTime: string } } | null {
  const bucket = server.bucket('audit-state');
  const key = [...bucket.keys('trailseal/')].find((name) => name.endsWith('.json'));
  const body = key === undefined ? undefined : bucket.find(key)?.object?.body;
  return body === undefined ? null : JSON.parse(Buffer.from(body).toString('utf8'));
}

const hour = (n: number): string => formatTime(built.range.start + n * HOUR);

describe('a nightly life', () => {
  beforeEach(async () => {
    deliver(TRAIL.hours(24));
    expect(await night(24, '--init-checkpoint')).toMatchObject({ code: 0, bad: [] });
    expect(remembered()).toMatchObject({ sequence: 1, digest: { endTime: hour(24) } });
  });

  it('a quiet night', async () => {
    expect(await night(26)).toMatchObject({ code: 0, bad: [] });
    expect(remembered()).toMatchObject({ sequence: 2, digest: { endTime: hour(24) } });
  });

  it('new logs: only what is new is read, and the checkpoint goes on', async () => {
    deliver(TRAIL.hours(48));
    const { code, summary, run } = await night(48);
    expect({ code, digests: summary.verdicts['digest-signed'] }).toEqual({ code: 0, digests: 26 });
    expect(summary.verdicts['checkpoint-continuous']).toBe(1);
    expect(Object.keys(run.inputs)).toEqual([
      expect.stringMatching(/^checkpoint 123456789012\/us-east-1\/audit_us-east-1_/),
    ]);
    expect(remembered()).toMatchObject({ sequence: 2, digest: { endTime: hour(48) } });
  });

  it('one altered old log is found by a resweep and by no other night', async () => {
    deliver(TRAIL.hours(48).alterLog(3));
    expect(await night(47)).toMatchObject({ code: 0, bad: [] });
    expect(await night(48, '--resweep', '100%')).toMatchObject({ code: 1, bad: ['log-altered'] });
  });

  it.each<[string, (t: TrailBuilder) => TrailBuilder, string]>([
    ['the remembered digest rewritten', (t) => t.resignDigest(23), 'checkpoint-rewritten'],
    ['the tail cut', (t) => t.cutTail(30), 'checkpoint-truncated'],
    ['the bucket emptied', (t) => t.dropEverything(), 'checkpoint-truncated'],
    ['logging restarted', (t) => t.stopAt(30, 2), 'checkpoint-restarted'],
    ['a new log altered', (t) => t.alterLog(40), 'log-altered'],
  ])('%s: exit 1, and the checkpoint stays', async (_, change, control) => {
    const before = remembered();
    deliver(change(TRAIL.hours(48)));
    const { code, bad } = await night(48);
    expect(code).toBe(1);
    expect(bad).toContain(control);
    expect(remembered()).toEqual(before);
  });

  it.each([
    ['whose end is given', ['--end-time', hour(20)], `--end-time ${hour(20)} lies before that; end the range later`],
    ['whose clock is behind', ['--now', hour(20)], `it is only ${hour(20)}; compare the clocks`],
    ['with a start of its own', ['--start-time', hour(2), '--end-time', hour(20)], 'end the range later'],
  ])(
    'a range that ends before what is remembered, %s, is a usage error and not a truncated trail',
    async (_, options, said) => {
      const before = remembered();
      const where = ['--s3-bucket', built.bucket, '--endpoint-url', server.url, '--checkpoint', STATE];
      const now = options.includes('--now') ? [] : ['--now', hour(25)];
      const { code, err } = await runCli(['verify', ...where, ...now, ...options]);
      expect(code).toBe(2);
      expect(err).toContain(`remembers trail audit of 123456789012 in us-east-1 up to ${hour(24)}`);
      expect(err).toContain(said);
      expect(remembered()).toEqual(before);
    },
  );

  it('a range that ends in the hour of what is remembered is read as before', async () => {
    expect(await night(24, '--end-time', hour(23))).toMatchObject({ code: 0, bad: [] });
    expect(await night(24, '--end-time', hour(23.5))).toMatchObject({ code: 0, bad: [] });
  });

  it('another bucket with the same place for its checkpoints does not miss this one', async () => {
    const other = trail({ bucket: 'other-logs', account: '999999999999' }).hours(24).build();
    const bucket = server.addBucket('other-logs');
    for (const [key, object] of other.objects) bucket.put(key, object);
    const where = [
      '--s3-bucket',
      'other-logs',
      '--endpoint-url',
      server.url,
      '--checkpoint',
      STATE,
      '--init-checkpoint',
    ];
    const { code } = await runCli(['verify', ...where, '--now', hour(25), '--quiet']);
    expect(code).toBe(0);
    expect([...server.bucket('audit-state').keys('')].filter((name) => name.endsWith('.json'))).toHaveLength(2);
  });

  it('the checkpoint deleted: inconclusive, never a silent first run', async () => {
    const bucket = server.bucket('audit-state');
    for (const key of [...bucket.keys('')]) bucket.erase(key);
    expect(await night(25)).toMatchObject({ code: 3, bad: ['checkpoint-absent'] });
    expect(remembered()).toBeNull();
  });

  it('the place of checkpoints refused: inconclusive', async () => {
    server.fault({ bucket: 'audit-state', answer: { status: 403, code: 'AccessDenied' } });
    expect(await night(25)).toMatchObject({ code: 3, bad: ['checkpoint-unreadable'] });
  });

  it('two runs at once: one keeps its checkpoint, the other says so and is not green', async () => {
    deliver(TRAIL.hours(48));
    const both = await Promise.all([night(48), night(48, '--grace', '5h')]);
    const codes = both.map(({ code }) => code).sort();
    expect(codes).toEqual([0, 3]);
    expect(both.map(({ err }) => err).join('')).toContain('another run has written it in the meantime');
    expect(remembered()).toMatchObject({ sequence: 2, digest: { endTime: hour(48) } });
    for (const { code, out, text, summary, bad } of both) {
      expect([out, text]).toEqual(Array(2).fill(expect.stringContaining(`exit code  ${code}:`)));
      expect({ exitCode: summary.exitCode, bad }).toEqual({
        exitCode: code,
        bad: code === 0 ? [] : ['run-unrecorded'],
      });
    }
  });

  it('two runs at once that come to the very same: one is told all the same', async () => {
    deliver(TRAIL.hours(48));
    server.fault({ operation: 'PutObject', answer: { delayMs: 100 } });
    const both = await Promise.all([night(48), night(48)]);
    expect(both.map(({ code }) => code).sort()).toEqual([0, 3]);
  });

  it('one checkpoint of several deleted: status misses it', async () => {
    const other = trail({ account: '999999999999' }).hours(24).logs(1).build();
    for (const [key, object] of other.objects) server.bucket(built.bucket).put(key, object);
    expect(await night(24, '--init-checkpoint')).toMatchObject({ code: 0 });
    const status = () =>
      runCli([
        ...['status', '--checkpoint', STATE, '--endpoint-url', server.url, '--now', hour(26), '--max-age', '26h'],
        ...['--output', 'jsonl=-', '--quiet'],
      ]);
    expect((await status()).code).toBe(0);
    const bucket = server.bucket('audit-state');
    const [gone = ''] = [...bucket.keys('trailseal/999999999999/')];
    bucket.erase(gone);
    const { code, out } = await status();
    const bad = parseJsonl(out).findings.filter(({ outcome }) => outcome !== 'pass');
    expect({ code, told: bad.map(({ control, subject }) => [control, subject.key]) }).toEqual({
      code: 3,
      told: [['state-absent', `s3://audit-state/${gone}`]],
    });
  });

  it('a chain and its checkpoint gone together are missed, by every run that might come upon it', async () => {
    const other = trail({ account: '999999999999' }).hours(24).logs(1).build();
    for (const [key, object] of other.objects) server.bucket(built.bucket).put(key, object);
    expect(await night(24, '--init-checkpoint')).toMatchObject({ code: 0 });
    for (const key of other.objects.keys()) server.bucket(built.bucket).erase(key);
    const state = server.bucket('audit-state');
    for (const key of [...state.keys('trailseal/999999999999/')]) state.erase(key);
    for (const more of [[], ['--init-checkpoint'], ['--trail-name', 'audit']]) {
      const { code, findings } = await night(25, ...more);
      const bad = findings.filter(({ outcome }) => outcome !== 'pass');
      expect({ code, bad }).toMatchObject({
        code: 3,
        bad: [
          { control: 'checkpoint-absent', subject: { account: '999999999999', region: 'us-east-1', trail: 'audit' } },
        ],
      });
      expect(bad[0]?.message).toContain('no digest of the chain');
    }
    for (const more of [
      ['--account-id', '123456789012'],
      ['--region', 'us-east-1', '--account-id', '123456789012'],
    ]) {
      expect(await night(25, ...more)).toMatchObject({ code: 0, bad: [] });
    }
  });

  it('another run has written in the meantime: told, exit 3, and what is there stays', async () => {
    deliver(TRAIL.hours(48));
    server.fault({ operation: 'PutObject', times: 1, answer: { status: 412, code: 'PreconditionFailed' } });
    const { code, err } = await night(48);
    expect(code).toBe(3);
    expect(err).toContain('another run has written it in the meantime');
    expect(remembered()).toMatchObject({ sequence: 1 });
  });
});

describe('a config', () => {
  const config = (text: string): string => {
    const file = join(directory, 'trailseal.yaml');
    writeFileSync(file, text);
    return file;
  };

  it('says what to prove; a flag wins', async () => {
    deliver(TRAIL.hours(24));
    const file = config(
      `logBuckets: [{ name: ${built.bucket} }]\nendpointUrl: ${server.url}\nverify: { inventory: off }\noutputs: ["jsonl=${join(directory, 'c.jsonl')}"]\n`,
    );
    const { code, out } = await runCli(['verify', '--config', file, '--now', hour(25), '--quiet']);
    expect({ code, out }).toMatchObject({ code: 0, out: expect.stringContaining('PROVEN') });
    expect(parseJsonl(readFileSync(join(directory, 'c.jsonl'), 'utf8')).run.inputs).toHaveProperty('config');
    expect(
      (await runCli(['verify', '--config', file, '--s3-bucket', 'nowhere', '--now', hour(25), '--quiet'])).code,
    ).not.toBe(0);
  });

  it('waives one altered log with its hash, and the checkpoint goes on', async () => {
    deliver(TRAIL.hours(24).alterLog(7));
    const { findings } = await night(24);
    const found = findings.find(({ control }) => control === 'log-altered');
    const file = config(
      JSON.stringify({
        waivers: [
          {
            id: 'W-1',
            control: 'log-altered',
            scope: { bucket: built.bucket, key: found?.subject.key, sha256: found?.evidence['found'] },
            reason: 'restored from the replica',
            acceptedBy: 'j.doe',
            owner: 'platform',
            expires: '2026-06-30',
          },
        ],
      }),
    );
    expect(await night(24, '--config', file, '--init-checkpoint')).toMatchObject({ code: 0, bad: [] });
    expect(remembered()).toMatchObject({ digest: { endTime: hour(24) } });
  });

  it('that is wrong is a usage error', async () => {
    const file = config('verfy: {}\n');
    const { code, err } = await runCli(['verify', '--config', file]);
    expect({ code, err }).toMatchObject({ code: 2, err: expect.stringContaining('did you mean verify?') });
  });
});

it.skipIf(!hasOpenssl)(
  'leaves signed evidence of config, reports and checkpoint, which the auditor verifies',
  async () => {
    deliver(TRAIL.hours(24));
    const { key, cert } = selfSigned(directory, 'auditee');
    const bundle = join(directory, 'evidence');
    const more = ['--evidence', bundle, '--sign-key', key, '--sign-cert', cert, '--init-checkpoint'];
    expect(await night(24, ...more)).toMatchObject({ code: 0, err: '' });
    const manifest = JSON.parse(readFileSync(join(bundle, 'evidence.json'), 'utf8'));
    expect(
      manifest.files.map(({ name, role }: Record<string, string>) => `${role} ${name?.split(' ')[0]}`).sort(),
    ).toEqual(['output checkpoint', 'output html', 'output jsonl', 'output jsonl', 'output text']);
    expect((await runCli(['evidence', 'verify', bundle])).code).toBe(0);
  },
);

it('does not take, nor repeat, a password in the address of a timestamp authority', async () => {
  const more = ['--evidence', join(directory, 'evidence'), '--tsa', 'http://user:hunter2@127.0.0.1:9/'];
  const { code, err } = await runCli(['verify', '--s3-bucket', built.bucket, ...more]);
  expect({ code, err }).toMatchObject({ code: 2, err: expect.stringContaining('--tsa') });
  expect(err).not.toContain('hunter2');
});

it('keeps no token from the address of a timestamp authority, and says why the run is not green', async () => {
  const bundle = join(directory, 'evidence');
  deliver(TRAIL.hours(24));
  const authority = 'http://127.0.0.1:49151/tsr?token=hunter2';
  const { code, err, out, summary } = await night(24, '--init-checkpoint', '--evidence', bundle, '--tsa', authority);
  expect({ code, exitCode: summary.exitCode, out }).toEqual({
    code: 3,
    exitCode: 3,
    out: expect.stringContaining('exit code  3:'),
  });
  expect(JSON.parse(readFileSync(join(bundle, 'evidence.json'), 'utf8'))).toMatchObject({ exitCode: 3 });
  expect((await runCli(['evidence', 'verify', bundle])).code).toBe(0);
  expect(err).toMatch(/timestamp[\s\S]*the exit code is 3: not all is written/);
  const kept =
    readFileSync(join(bundle, 'evidence.json'), 'utf8') + readFileSync(join(bundle, 'findings.jsonl'), 'utf8');
  expect(kept).toContain('http://127.0.0.1:49151/tsr?…');
  expect(kept + err).not.toContain('hunter2');
});
