import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { formatTime, HOUR } from '../../src/chain/location.ts';
import { type BuiltTrail, type TrailBuilder, trail } from '../../src/demo/trail.ts';
import { servedKeys } from '../support/built-on-s3.ts';
import { parseJsonl, runCli } from '../support/run-cli.ts';
import { serve } from '../support/served-trail.ts';
import { tempDir } from '../support/temp.ts';

/** A trail that wrote to one bucket and then to another, and what else the old one holds. */
function moved(prefix: string, change: (t: TrailBuilder) => TrailBuilder = (t) => t) {
  const before = trail({ bucket: 'old-logs' }).hours(4).build();
  const neighbour = trail({ bucket: 'old-logs', name: 'neighbour' }).hours(4).build();
  const later = change(
    trail({ bucket: 'new-logs', prefix, start: before.range.end, follows: before }).hours(3),
  ).build();
  return { before, neighbour, later, range: { start: before.range.start, end: later.range.end } };
}

function served({ before, neighbour, later }: ReturnType<typeof moved>) {
  const old = { objects: Object.fromEntries([...before.objects, ...neighbour.objects]) };
  const keys = [before, later].map(servedKeys);
  const publicKeys = Object.fromEntries(
    Object.keys(keys[0] ?? {}).map((region) => [region, keys.flatMap((ring) => ring[region] ?? [])]),
  );
  return serve(later, { buckets: { 'old-logs': old }, publicKeys });
}

type Range = Pick<BuiltTrail, 'range'>;
const when = ({ range: { start, end } }: Range) => [
  ...['--start-time', formatTime(start), '--end-time', formatTime(end), '--now', formatTime(end + HOUR)],
];

function fetched(url: string, directory: string, built: Range) {
  const where = ['--s3-bucket', 'new-logs', '--endpoint-url', url];
  return runCli(['fetch', directory, ...where, ...when(built), '--quiet']);
}

async function offline(directory: string, built: Range) {
  const { code, out } = await runCli([
    ...['verify', '--directory', directory, ...when(built), '--output', 'jsonl=-', '--quiet'],
  ]);
  return { code, verdicts: parseJsonl(out).summary.verdicts };
}

describe('a chain that comes from another bucket is copied whole', () => {
  it.each([
    ['under the same prefix', ''],
    ['under another prefix', 'new'],
  ])('%s', async (_name, prefix) => {
    const built = moved(prefix);
    const { server, verify } = await served(built);
    const directory = tempDir();
    expect(await fetched(server.url, directory, built)).toMatchObject({ code: 0, err: '' });
    const asked = () => ({
      get: server.count('GetObject'),
      list: server.count('ListObjectsV2') + server.count('ListObjectVersions'),
    });
    const earlier = asked();
    const { code, summary } = await verify(...when(built));
    // Of both buckets, as the chain is.
    const { get, list } = asked();
    expect(summary.requests).toMatchObject({ get: get - earlier.get, list: list - earlier.list });
    const copy = await offline(directory, built);
    expect(copy).toMatchObject({ code: 0, verdicts: { 'digest-signed': 7, 'link-linked': 6, 'log-intact': 14 } });
    expect({ ...copy.verdicts, 'coverage-full': 0 }).toEqual({ ...summary.verdicts, 'coverage-full': 0 });
    expect(code).toBe(0);
    // Of the old bucket only this chain.
    const files = readdirSync(directory, { recursive: true, encoding: 'utf8' });
    expect(files.filter((name) => name.includes('neighbour'))).toEqual([]);
    const reads = () =>
      server.requests.filter(({ operation, bucket }) => operation === 'GetObject' && bucket === 'old-logs');
    const before = reads().length;
    expect(await fetched(server.url, directory, built)).toMatchObject({ code: 0 });
    expect(reads().length).toBe(before);
  });

  it('unless its first digest is not attested: nobody else says where to read', async () => {
    const built = moved('', (t) => t.signByStranger(0));
    const { server } = await served(built);
    await fetched(server.url, tempDir(), built);
    expect(server.requests.filter(({ bucket }) => bucket === 'old-logs')).toEqual([]);
  });

  it('a bucket that refuses leaves the copy incomplete, and says so', async () => {
    const built = moved('');
    const { server } = await served(built);
    server.fault({ bucket: 'old-logs', answer: { status: 403, code: 'AccessDenied' } });
    const { code, err } = await fetched(server.url, tempDir(), built);
    expect(code).toBe(3);
    expect(err).toContain('is not copied: AccessDenied');
  });
});

describe('a chain that went away for hours in mid-range and came back is copied whole', () => {
  function wentAway(where: { bucket?: string; prefix?: string }) {
    const first = trail({ bucket: 'new-logs', prefix: 'home' }).hours(3).build();
    const away = trail({ bucket: 'new-logs', ...where, start: first.range.end, follows: first })
      .hours(2)
      .build();
    const back = trail({ bucket: 'new-logs', prefix: 'home', start: away.range.end, follows: away }).hours(3).build();
    const isNear = away.bucket === first.bucket;
    const home = new Map([...first.objects, ...back.objects, ...(isNear ? away.objects : [])]);
    const publicKeys = servedKeys(first);
    for (const built of [away, back]) {
      for (const [region, keys] of Object.entries(servedKeys(built))) publicKeys[region]?.push(...keys);
    }
    const range = { start: first.range.start, end: back.range.end };
    const buckets = isNear ? {} : { [away.bucket]: { objects: Object.fromEntries(away.objects) } };
    return { range, away, served: () => serve({ ...back, objects: home, range }, { buckets, publicKeys }) };
  }

  it.each<[string, { bucket?: string; prefix?: string }, string[]]>([
    ['to another bucket', { bucket: 'away-logs', prefix: 'home' }, []],
    ['to another bucket and prefix', { bucket: 'away-logs', prefix: 'away' }, []],
    ['to another prefix', { prefix: 'away' }, []],
    ['to another prefix, which is not asked for', { prefix: 'away' }, ['--s3-prefix', 'home']],
  ])('%s', async (_name, where, more) => {
    const built = wentAway(where);
    const { server, verify } = await built.served();
    const directory = tempDir();
    const place = ['--s3-bucket', 'new-logs', '--endpoint-url', server.url, ...more];
    const fetching = await runCli(['fetch', directory, ...place, ...when(built), '--quiet']);
    expect(fetching).toMatchObject({ code: 0, err: '' });
    const { code, summary } = await verify(...when(built), ...more);
    expect({ code, verdicts: summary.verdicts }).toMatchObject({ code: 0, verdicts: { 'digest-signed': 8 } });
    const copy = await offline(directory, built);
    expect({ ...copy, verdicts: { ...copy.verdicts, 'coverage-full': 0 } }).toEqual({
      code: 0,
      verdicts: { ...summary.verdicts, 'coverage-full': 0 },
    });
  });

  it('but nothing is read for the asking of a digest that is not attested', async () => {
    const built = wentAway({ bucket: 'away-logs' });
    const { server } = await built.served();
    const back = trail({ bucket: 'new-logs', prefix: 'home', start: built.away.range.end, follows: built.away });
    const { digests, objects } = back.hours(3).signByStranger(0).build();
    const key = digests[0]?.key ?? '';
    server.bucket('new-logs').put(key, objects.get(key) ?? new Uint8Array());
    const where = ['--s3-bucket', 'new-logs', '--endpoint-url', server.url];
    await runCli(['fetch', tempDir(), ...where, ...when(built), '--quiet']);
    expect(server.requests.filter(({ bucket }) => bucket === 'away-logs')).toEqual([]);
  });
});

it('credentials that are gone end it with one line', async () => {
  const built = moved('');
  const { server } = await served(built);
  server.fault({
    operation: 'GetObject',
    key: /\/CloudTrail\//,
    after: 2,
    answer: { status: 400, code: 'ExpiredToken' },
  });
  const { code, err } = await fetched(server.url, tempDir(), built);
  expect(code).toBe(3);
  expect(err.split('\n').filter((line) => line.includes('ExpiredToken'))).toHaveLength(1);
  expect(err).toContain('the same command goes on from here');
});
