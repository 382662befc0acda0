import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { digestFolder, digestKey, HOUR, parseDigestKey } from '../../src/chain/location.ts';
import { sharedBucket } from '../../src/demo/shared-bucket.ts';
import { type BuiltTrail, type TrailBuilder, type TrailOptions, trail } from '../../src/demo/trail.ts';
import { each } from '../../src/source/pages.ts';
import { listDigests } from '../../src/verify/list-digests.ts';
import { openSession } from '../../src/verify/session.ts';
import { MemorySource } from '../support/memory-source.ts';
import { serve } from '../support/served-trail.ts';
import { requestFor } from '../support/verify-trail.ts';

/** Spec "conformance", 2.5 and 2.6: which digests are listed, and what fetching one gives. */

const DAY = 24 * HOUR;
const { chain } = trail().hours(1).build();
const T0 = Date.parse('2026-03-10T12:17:42Z');

async function listed(keys: readonly string[], range: { start: number; end: number }, now = range.end) {
  const source = new MemorySource('bucket', Object.fromEntries(keys.map((key) => [key, Buffer.from('x')])));
  const tree = { root: chain.root, account: chain.account, region: chain.region, digests: true, logs: true };
  const session = openSession({ ...requestFor(trail().hours(1).build(), source), range, now });
  const items: [string, string][] = [];
  for await (const item of each(listDigests(session, tree))) {
    if (item.type === 'digest') items.push(['digest', item.key.key]);
    if (item.type === 'foreign') items.push(['foreign', item.key]);
  }
  return items;
}

it('33: account, name and home Region of a digest', () => {
  const key = digestKey({ ...chain, trail: 'my_trail', homeRegion: 'eu-west-1' }, T0);
  expect(parseDigestKey(key)?.chain).toMatchObject({
    account: chain.account,
    trail: 'my_trail',
    homeRegion: 'eu-west-1',
  });
});

describe('34: which keys count', () => {
  const at = (ms: number, other: Partial<typeof chain> = {}) => digestKey({ ...chain, ...other }, ms);
  const folder = `${digestFolder(chain.root, chain.region)}2026/03/10/`;
  const range = { start: T0, end: T0 + 2 * HOUR };
  const wanted = [0, 1, 2, 3].map((hours) => at(T0 + hours * HOUR));

  it('those in the range and up to an hour behind it, in order', async () => {
    const others = [at(T0 - HOUR), at(T0 + 2 * HOUR + DAY), at(T0 + HOUR, { region: 'eu-west-1' })];
    expect(await listed([...others, ...wanted.toReversed()], range, range.end + DAY)).toEqual(
      wanted.map((key) => ['digest', key]),
    );
  });

  // Differs on purpose: the reference passes over what it does not know; here every chain is proven and the rest is told.
  it('another trail is a chain of its own, and a name that fits nothing is foreign', async () => {
    const [other, bogus] = [at(T0 + HOUR, { trail: 'other' }), `${folder}bogus.json.gz`];
    const found = await listed([...wanted, other, bogus], range);
    expect(found).toContainEqual(['digest', other]);
    expect(found).toContainEqual(['foreign', bogus]);
  });

  // Differs on purpose: the reference stops at the first date behind the range, so one made-up name hides the rest.
  it('a name with a date far ahead hides nothing', async () => {
    const made = at(T0 + HOUR).replace('_20260310T131742Z', '_29990101T000000Z');
    expect(await listed([...wanted, made], range)).toEqual(
      expect.arrayContaining([...wanted.map((key) => ['digest', key]), ['foreign', made]]),
    );
  });
});

// Differs on purpose: the prefix ends in a slash, so that us-east-1 is not us-east-10, and a listing goes on by day.
it('35: one Region, from some days before the range', async () => {
  const { server, verify } = await serve(trail({ prefix: 'pre' }).build());
  await verify();
  const listing = server.requests.find(({ url }) => url.includes('CloudTrail-Digest') && !url.includes('delimiter'));
  const query = new URLSearchParams(listing?.url.split('?')[1] ?? '');
  expect(query.get('prefix')).toBe('pre/AWSLogs/123456789012/CloudTrail-Digest/us-east-1/');
});

describe('36 to 40: where digests lie', () => {
  it.each<[string, TrailOptions, string]>([
    ['36: an organization’s member', { organization: 'o-abc', account: '222222222222' }, 'AWSLogs/o-abc/222222222222/'],
    ['37: no prefix', {}, 'AWSLogs/123456789012/'],
    ['38: a prefix', { prefix: 'pre' }, 'pre/AWSLogs/123456789012/'],
    ['39: an organization', { organization: 'o-abc' }, 'AWSLogs/o-abc/123456789012/'],
    ['40: an organization and a prefix', { organization: 'o-abc', prefix: 'pre' }, 'pre/AWSLogs/o-abc/123456789012/'],
  ])('%s', async (_title, options, root) => {
    const built = trail(options).hours(2).build();
    expect(digestFolder(built.chain.root, 'us-east-1')).toBe(`${root}CloudTrail-Digest/us-east-1/`);
    const { verify } = await serve(built);
    expect((await verify()).code).toBe(0);
  });
});

const both = () => sharedBucket(trail().hours(3).build(), trail({ backfill: true }).hours(2).build());

it('41: hourly and backfill digests are two chains', async () => {
  const { verify } = await serve(both());
  const { code, summary } = await verify('--verbose');
  expect([code, summary.verdicts['link-genesis'], summary.verdicts['link-linked']]).toEqual([0, 2, 3]);
});

it('42: and one listing', async () => {
  const { server, verify } = await serve(both());
  await verify();
  const listings = server.requests.filter(
    ({ operation, url }) =>
      operation === 'ListObjectsV2' && url.includes('CloudTrail-Digest%2Fus-east-1') && !url.includes('delimiter'),
  );
  expect(listings).toHaveLength(1);
});

describe('fetching a digest', () => {
  const put = (built: BuiltTrail, hour: number, change: (body: Buffer) => Buffer): BuiltTrail => {
    const key = built.digests.at(hour)?.key ?? '';
    const object = built.objects.get(key);
    if (object) built.objects.set(key, { ...object, body: change(object.body) });
    return built;
  };
  const judged = async (built: BuiltTrail | ReturnType<typeof sharedBucket>) => {
    const { verify } = await serve(built);
    const { code, summary } = await verify();
    return { code, ...summary.verdicts };
  };
  const hours = (count: number): TrailBuilder => trail().hours(count);

  // Differs on purpose: a signature proves itself wherever it was found, and the digest after repeats it.
  it.each([
    ['43: no signature in the metadata: taken from the digest after it', 1, { code: 0, 'digest-signed': 3 }],
    ['no signature anywhere: unsigned, which is not invalid', 2, { code: 3, 'digest-signed': 2, 'digest-unsigned': 1 }],
  ])('%s', async (_title, hour, expected) => {
    expect(await judged(hours(3).stripSignature(hour).build())).toMatchObject(expected);
  });

  it('44: not gzip', async () => {
    const built = put(hours(3).build(), 1, () => Buffer.from('not gzip'));
    expect(await judged(built)).toMatchObject({ code: 1, 'digest-malformed': 1, 'digest-signed': 2 });
  });

  it('45: gzip, and no JSON', async () => {
    const built = hours(3).replaceDigest(1, 'not json').build();
    expect(await judged(built)).toMatchObject({ code: 1, 'digest-malformed': 1, 'digest-signed': 2 });
  });

  it('46: a good one, by the very bytes that were received', async () => {
    expect(await judged(hours(3).build())).toMatchObject({ code: 0, 'digest-signed': 3 });
    const spaced = put(hours(3).build(), 2, (body) => {
      const json = JSON.stringify(JSON.parse(gunzipSync(body).toString()), null, 1);
      return Buffer.from(json);
    });
    expect(await judged(spaced)).toMatchObject({ code: 1, 'digest-signature-invalid': 1 });
  });

  const backfill = (change: (metadata: Record<string, string>) => Record<string, string>) => {
    const built = trail({ backfill: true }).hours(2).build();
    for (const [key, object] of built.objects) {
      if (key.includes('_backfill')) built.objects.set(key, { ...object, metadata: change(object.metadata) });
    }
    return sharedBucket(hours(2).build(), built);
  };

  it('47: a backfill digest with the time it was made at', async () => {
    expect(await judged(backfill((metadata) => metadata))).toMatchObject({ code: 0, 'digest-signed': 4 });
  });

  // Differs on purpose: that time only says where to look for the key. The digest is proven by its signature.
  it('48: and without', async () => {
    const bare = backfill(({ signature = '' }) => ({ signature }));
    expect(await judged(bare)).toMatchObject({ code: 0, 'digest-signed': 4 });
  });
});
