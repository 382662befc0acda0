import { gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { formatTime, HOUR } from '../../src/chain/location.ts';
import type { Verdict } from '../../src/chain/verdict.ts';
import { sharedBucket } from '../../src/demo/shared-bucket.ts';
import { type BuiltBucket, type TrailOptions, trail } from '../../src/demo/trail.ts';
import type { ChainRecord } from '../../src/verify/region.ts';
import type { MemorySource } from '../support/memory-source.ts';
import { countKinds, judge, requestFor, sourceOf, stepsOf, verdictsOf } from '../support/verify-trail.ts';

/** Six hours with two logs each. */
const INTACT = { 'digest-signed': 6, 'link-linked': 5, 'link-genesis': 1, 'log-intact': 12, 'coverage-full': 1 };

function times(count: number): Record<string, number> {
  return Object.fromEntries(Object.entries(INTACT).map(([kind, each]) => [kind, each * count]));
}

function built(options: TrailOptions = {}): BuiltBucket {
  return trail(options).build();
}

const MANAGEMENT = '111111111111';
const MEMBER = '222222222222';

describe('where a trail may lie', () => {
  it.each<[string, TrailOptions]>([
    ['at the root of the bucket', {}],
    ['under a prefix', { prefix: 'logs' }],
    ['under a prefix given with its slash', { prefix: 'logs/' }],
    ['under a prefix of several parts', { prefix: 'audit/2026/cloudtrail' }],
    ['under a prefix of six parts', { prefix: 'a/b/c/d/e/f' }],
    ['under a prefix with spaces, signs and letters of all sorts', { prefix: 'a b/+%20=é&/日本' }],
    ['under a prefix that looks like a tree of its own', { prefix: 'AWSLogs/backup' }],
    ['under a prefix that begins with a slash', { prefix: '/logs' }],
    ['in an organization', { organization: 'o-exampleorgid', account: MEMBER }],
    ['in an organization, under a prefix', { organization: 'o-exampleorgid', account: MEMBER, prefix: 'org/logs' }],
    ['as Control Tower lays it out', { organization: 'o-exampleorgid', account: MEMBER, prefix: 'o-exampleorgid' }],
    ['in GovCloud', { region: 'us-gov-west-1' }],
    ['in China', { region: 'cn-northwest-1' }],
    ['in an isolated Region', { region: 'us-isob-east-1' }],
    ['in an opt-in Region, of a trail at home elsewhere', { region: 'ap-southeast-4', homeRegion: 'eu-central-1' }],
    ['with underscores in its name', { name: 'my_org_trail' }],
    ['with a name that ends like a home Region', { name: 'audit_eu-west-1' }],
    ['with a name that holds a time', { name: 'audit_us-east-1_20260301T001742Z' }],
    ['with a name of dots and dashes', { name: 'a.b-c_.' }],
    ['with a name of 128 letters', { name: 'x'.repeat(128) }],
  ])('%s', async (_name, options) => {
    expect(await judge(built(options))).toEqual(INTACT);
  });
});

describe('several trails in one bucket', () => {
  it.each<[string, TrailOptions[]]>([
    ['accounts', [{ account: MANAGEMENT }, { account: MEMBER }, { account: '333333333333' }]],
    ['Regions of one trail', [{ homeRegion: 'us-east-1' }, { region: 'eu-west-1', homeRegion: 'us-east-1' }]],
    ['prefixes', [{ prefix: '' }, { prefix: 'a' }, { prefix: 'a/b' }, { prefix: 'ab' }]],
    [
      'an organization with its id and a member without',
      [{ organization: 'o-abc123', account: MEMBER }, { account: MEMBER }],
    ],
    ['two organizations', [{ organization: 'o-abc123' }, { organization: 'o-abc124' }]],
    ['an account in Control Tower and beside it', [{ organization: 'o-abc123', prefix: 'o-abc123' }, {}]],
    ['trails of one log folder', [{ name: 'first' }, { name: 'second' }]],
    ['names that begin with each other', [{ name: 'audit' }, { name: 'audit2' }, { name: 'audit_us-east-1' }]],
    [
      'names of which one digest sorts between those of the other',
      [{ name: 'audit' }, { name: 'audit-x' }, { name: 'audit_x' }],
    ],
    ['names that differ by an underscore', [{ name: 'a_b' }, { name: 'a_b_c' }, { name: 'a_b_' }]],
    ['partitions', [{ region: 'us-gov-east-1' }, { region: 'cn-north-1' }, { region: 'eu-west-1' }]],
    ['one name at home in two Regions', [{ homeRegion: 'us-east-1' }, { homeRegion: 'us-west-2' }]],
  ])('%s', async (_name, options) => {
    const [first = {}, ...others] = options;
    const bucket = sharedBucket(built(first), ...others.map(built));
    expect(await judge(bucket)).toEqual(times(options.length));
  });

  it('a fault in one is a fault of that one', async () => {
    const bucket = sharedBucket(
      built({ name: 'audit' }),
      trail({ name: 'audit_x' }).dropDigest(2).alterLog(4).build(),
      built({ account: MEMBER }),
    );
    const verdicts = await verdictsOf(requestFor(bucket));
    const bad = verdicts.filter(({ kind }) => kind === 'digest-missing' || kind === 'log-altered');
    expect(bad.map(({ kind, subject }) => [kind, subject.account, subject.trail])).toEqual([
      ['digest-missing', '123456789012', 'audit_x'],
      ['log-altered', '123456789012', 'audit_x'],
    ]);
    expect(countKinds(verdicts)).toMatchObject({ 'coverage-full': 2, 'digest-signed': 17 });
  });

  it('a log that the other trail names is no stranger, even when that trail is not asked for', async () => {
    const bucket = sharedBucket(built({ name: 'first' }), built({ name: 'second' }));
    expect(await judge(bucket, { scope: { prefix: null, trails: [{ name: 'first' }] } })).toEqual(INTACT);
  });

  it('a log that no trail names is one', async () => {
    const bucket = sharedBucket(built({ name: 'first' }), trail({ name: 'second' }).addLog(3).build());
    const expected = { ...times(2), 'object-undigested': 1 };
    expect(await judge(bucket)).toEqual(expected);
  });

  const wanted = trail({ name: 'first' }).hours(8);
  const asked = { scope: { prefix: null, trails: [{ name: 'first' }] } };

  it.each([
    ['has ended by then', trail({ name: 'second' }).hours(2), 'object-undigested'],
    [
      'has not begun by then',
      trail({ name: 'second', start: Date.UTC(2026, 2, 1, 6, 17, 42) }).hours(2),
      'object-undigested',
    ],
    ['lacks the digest', trail({ name: 'second' }).hours(8).dropDigest(5), 'object-undigested'],
    [
      'has something else there than a digest',
      trail({ name: 'second' }).hours(8).replaceDigest(5, '{}'),
      'object-undigested',
    ],
    ['has a digest there that cannot be proven', trail({ name: 'second' }).hours(8).forgetKey(5), 'object-unattested'],
  ])('a log that no trail names is told though a trail that is not asked for %s', async (_name, other, kind) => {
    const later = wanted.addLog(5).build();
    const bucket = { ...sharedBucket(later, other.logs(0).build()), range: later.range };
    const counts = await judge(bucket, { ...asked, now: later.range.end + 5 * HOUR });
    expect(counts).toEqual({ ...INTACT, 'digest-signed': 8, 'link-linked': 7, 'log-intact': 16, [kind]: 1 });
  });
});

describe('a Region that holds log files and no digest', () => {
  const elsewhere = trail({ name: 'first', region: 'eu-west-1', homeRegion: 'us-east-1' }).hours(6).build();
  const logs = new Map([...elsewhere.objects].filter(([key]) => !key.includes('CloudTrail-Digest')));
  const bucket = sharedBucket(built({ name: 'first' }), { ...elsewhere, objects: logs });
  const choose = (owner?: string) => ({
    scope: { prefix: null, trails: [{ name: 'first', ...(owner === undefined ? {} : { owner }) }] },
  });

  it.each([
    ['of a trail that was asked for by name', choose()],
    ['of the account of the trail that was asked for', choose('123456789012')],
    ['when everything is asked for', { scope: { prefix: null } }],
  ])('is not proven, %s', async (_name, asked) => {
    const now = bucket.range.end + 5 * HOUR;
    expect(await judge(bucket, { ...asked, now })).toEqual({ ...INTACT, 'coverage-nothing-found': 1 });
  });

  it.each([
    ['before the range', { start: bucket.range.start + 24 * HOUR, end: bucket.range.end + 24 * HOUR }],
    ['behind it', { start: bucket.range.start - 48 * HOUR, end: bucket.range.end - 48 * HOUR }],
  ])('owes none for log files %s', async (_name, range) => {
    const start = range.start;
    const asked = built({ name: 'first', start });
    const shared = { ...sharedBucket(asked, { ...elsewhere, objects: logs }), range };
    expect(await judge(shared, choose())).toEqual(INTACT);
  });

  it('owes none before the grace is over', async () => {
    const early = { ...choose(), now: bucket.range.start + 3 * HOUR };
    expect(await judge(bucket, early)).not.toHaveProperty('coverage-nothing-found');
  });
});

describe('what is asked for', () => {
  const bucket = sharedBucket(
    built({ account: MANAGEMENT, homeRegion: 'us-east-1' }),
    built({ account: MANAGEMENT, region: 'eu-west-1', homeRegion: 'us-east-1' }),
    built({ account: MEMBER, organization: 'o-abc123' }),
    built({ account: MEMBER, prefix: 'p/q', name: 'other' }),
  );

  it.each([
    ['everything', {}, 4],
    ['an account', { accounts: new Set([MEMBER]) }, 2],
    ['a Region', { regions: new Set(['eu-west-1']) }, 1],
    ['a name', { trails: [{ name: 'audit' }] }, 3],
    ['the root alone', { prefix: '' }, 3],
    ['a prefix', { prefix: 'p/q/' }, 1],
    ['a trail of the management account, with its organization', { trails: [{ name: 'audit', owner: MANAGEMENT }] }, 3],
    ['a trail of an account that has none here', { trails: [{ name: 'other', owner: MANAGEMENT }] }, 0],
  ] as const)('%s', async (_name, scope, chains) => {
    const expected = chains === 0 ? { 'coverage-nothing-found': 1 } : times(chains);
    expect(await judge(bucket, { scope: { prefix: null, ...scope } })).toEqual(expected);
  });
});

describe('what is asked for by name and not there is told, though all the rest is proven', () => {
  const owner = '123456789012';
  it.each([
    ['a trail', { trails: [{ name: 'audit' }, { name: 'gone' }] }, { trail: 'gone' }],
    [
      'a trail at home elsewhere',
      { trails: [{ name: 'audit' }, { name: 'audit', homeRegion: 'eu-west-1', owner }] },
      { trail: 'audit' },
    ],
    ['an account', { accounts: new Set([owner, MEMBER]) }, { account: MEMBER }],
    ['a Region', { regions: new Set(['us-east-1', 'eu-west-1']) }, { region: 'eu-west-1' }],
  ] as const)('%s', async (_name, scope, subject) => {
    const verdicts = await verdictsOf({ ...requestFor(built()), scope: { prefix: null, ...scope } });
    expect(countKinds(verdicts)).toEqual({ ...INTACT, 'coverage-nothing-found': 1 });
    expect(verdicts.at(-1)?.subject).toMatchObject(subject);
  });

  it('unless a folder could not be listed, which may hold it', async () => {
    const source = sourceOf(built());
    source.refuseListing('other/', { kind: 'denied', code: 'AccessDenied', message: 'no' });
    source.put('other/AWSLogs/x', Buffer.from('x'));
    const scope = { prefix: null, accounts: new Set([owner, MEMBER]) };
    expect(countKinds(await verdictsOf({ ...requestFor(built(), source), scope }))).not.toHaveProperty(
      'coverage-nothing-found',
    );
  });
});

describe('backfill digests', () => {
  const hourly = () => built({ name: 'audit' });
  const backfill = (change = (t: ReturnType<typeof trail>) => t) =>
    change(trail({ name: 'audit', backfill: true }).hours(3)).build();
  const BOTH = { ...INTACT, 'digest-signed': 9, 'link-linked': 7, 'link-genesis': 2, 'log-intact': 18 };

  it('are a chain of their own and vouch for their logs', async () => {
    expect(await judge(sharedBucket(hourly(), backfill()))).toEqual(BOTH);
  });

  it('fill no missing hour', async () => {
    const bucket = sharedBucket(trail().dropDigest(1).build(), backfill());
    const { 'coverage-full': _, ...rest } = BOTH;
    const expected = { ...rest, 'digest-signed': 8, 'link-linked': 5, 'digest-missing': 1, 'log-intact': 16 };
    expect(await judge(bucket)).toEqual(expected);
  });

  it.each([
    ['a log altered', (t) => t.alterLog(1), { 'log-intact': 17, 'log-altered': 1 }],
    ['a digest removed that the next one names', (t) => t.dropDigest(1), { 'digest-missing': 1, 'digest-signed': 8 }],
    ['a digest edited', (t) => t.editDigest(2), { 'digest-signature-invalid': 1, 'log-unattested': 1 }],
    ['a digest re-signed', (t) => t.resignDigest(1), { 'link-broken': 1 }],
    ['no metadata', (t) => t.stripSignature(2), { 'digest-unsigned': 1 }],
  ] as [string, (t: ReturnType<typeof trail>) => ReturnType<typeof trail>, Record<string, number>][])(
    '%s',
    async (_name, change, expected) => {
      expect(await judge(sharedBucket(hourly(), backfill(change)))).toMatchObject(expected);
    },
  );
});

describe('backfill digests that name one', () => {
  it('before the range are linked to it', async () => {
    const bucket = sharedBucket(built({ name: 'audit' }), trail({ backfill: true }).hours(3).build());
    const range = { start: bucket.range.start + HOUR + 1, end: bucket.range.end };
    expect(await judge(bucket, { range })).toMatchObject({ 'digest-signed': 7, 'link-anchored': 2 });
  });

  it('in the range that is gone miss it, though none is before it', async () => {
    const bucket = sharedBucket(built({ name: 'audit' }), trail({ backfill: true }).hours(3).dropDigest(0).build());
    const expected = { 'digest-signed': 8, 'digest-missing': 1, 'link-linked': 6, 'log-intact': 16 };
    for (const start of [bucket.range.start, null]) {
      const counts = await judge(bucket, { range: { start, end: bucket.range.end } });
      expect(counts).toMatchObject(expected);
      expect(counts).not.toHaveProperty('object-undigested');
    }
  });

  it.each([null, 'home/'])(
    'in another place, where the trail was for a while, miss none, under prefix %s',
    async (prefix) => {
      const there = { bucket: 'logs' };
      const parts = [false, true].flatMap((backfill) => {
        const first = trail({ ...there, backfill, prefix: 'home' })
          .hours(3)
          .build();
        const away = trail({ ...there, backfill, prefix: 'away', start: first.range.end, follows: first })
          .hours(2)
          .build();
        return [
          first,
          away,
          trail({ ...there, backfill, prefix: 'home', start: away.range.end, follows: away })
            .hours(3)
            .build(),
        ];
      });
      const [first, ...rest] = parts;
      if (!first) throw new Error('no trail');
      const bucket = sharedBucket(first, ...rest);
      expect(await judge(bucket, { scope: { prefix } })).toEqual({
        'digest-signed': 16,
        'link-linked': 12,
        'link-genesis': 2,
        'link-anchored': 2,
        'log-intact': 32,
        'coverage-full': 3,
      });
    },
  );
});

describe('the logs of a backfill digest that vouches for none', () => {
  const late = trail({ name: 'audit', backfill: true }).hours(3);
  const backfill = late.build();
  const bucket = sharedBucket(built({ name: 'audit' }), backfill);
  const digest = backfill.digests[1]?.key ?? '';
  const asked = { prefix: null, trails: [{ name: 'second' }] };
  const undigested = (verdicts: readonly { readonly kind: string }[]) =>
    verdicts.map(({ kind }) => kind).filter((kind) => kind === 'object-undigested' || kind === 'object-unattested');

  it('as it cannot be read are not called undigested', async () => {
    const source = sourceOf(bucket);
    source.refuse(digest, { kind: 'denied', code: 'AccessDenied', message: 'no' });
    const verdicts = await verdictsOf(requestFor(bucket, source));
    expect(countKinds(verdicts)).toMatchObject({ 'digest-unreadable': 1, 'log-intact': 16 });
    expect(undigested(verdicts)).toEqual([]);
  });

  it('as it is missing are not told besides', async () => {
    const gone = sharedBucket(built({ name: 'audit' }), late.dropDigest(1).build());
    const verdicts = await verdictsOf(requestFor(gone));
    expect(countKinds(verdicts)).toMatchObject({ 'digest-missing': 1, 'log-intact': 16 });
    expect(undigested(verdicts)).toEqual([]);
  });

  it('as it cannot be read are in doubt, where its trail is not asked for', async () => {
    const shared = sharedBucket(bucket, built({ name: 'second' }));
    const source = sourceOf(shared);
    source.refuse(digest, { kind: 'denied', code: 'AccessDenied', message: 'no' });
    const verdicts = await verdictsOf({ ...requestFor(shared, source), scope: asked });
    expect(countKinds(verdicts)).toEqual({ ...INTACT, 'object-unattested': 2 });
  });

  it.each<[string, (source: MemorySource) => void]>([
    ['no signature', (source) => source.put(digest, { ...source.current(digest), metadata: {} })],
    ['another window than its name, which nobody signed', (source) => sayWindow(source, 0, 24)],
    ['a window of another hour, which nobody signed', (source) => sayWindow(source, 4, 5)],
  ])('as it has %s, hide none of another hour and prove none', async (_name, change) => {
    const hourly = trail({ name: 'audit' }).addLog(4).dropDigest(3).build();
    const shared = sharedBucket(hourly, backfill);
    const source = sourceOf(shared);
    change(source);
    const records = new Set<ChainRecord>();
    const verdicts: Verdict[] = [];
    for await (const step of stepsOf(requestFor(shared, source))) {
      if (step.type === 'chain') records.add(step.record);
      else verdicts.push(step.verdict);
    }
    // The object written over is told besides; no log of the backfill digest is called undigested.
    const found = verdicts.filter(({ kind }) => kind === 'object-undigested').map(({ subject }) => subject.key);
    expect(found).toEqual([[...hourly.objects.keys()].find((key) => key.includes('undigested'))]);
    const hour = (n: number) => hourly.range.start + n * HOUR;
    expect([...records].map(({ coverage }) => coverage)).toEqual([
      [
        { from: hour(0), to: hour(3), state: 'proven' },
        { from: hour(3), to: hour(4), state: 'failed' },
        { from: hour(4), to: hour(6), state: 'proven' },
      ],
    ]);
  });

  /** Hours from the start of the trail. */
  function sayWindow(source: MemorySource, start: number, end: number): void {
    const object = source.current(digest);
    const json = JSON.parse(gunzipSync(object.body).toString('utf8'));
    const at = (hour: number) => formatTime(backfill.range.start + hour * HOUR);
    const changed = { ...json, digestStartTime: at(start), digestEndTime: at(end) };
    source.put(digest, { ...object, body: gzipSync(JSON.stringify(changed)) });
  }

  it('are told as ever in the hours of others', async () => {
    const shared = sharedBucket(trail({ name: 'audit' }).addLog(4).build(), backfill);
    const source = sourceOf(shared);
    source.refuse(digest, { kind: 'denied', code: 'AccessDenied', message: 'no' });
    expect(undigested(await verdictsOf(requestFor(shared, source)))).toEqual(['object-undigested']);
  });
});

describe('a trail moved to another home Region', () => {
  const start = Date.UTC(2026, 2, 1, 0, 17, 42);
  const old = trail({ homeRegion: 'us-east-1', start });
  const anew = (hour: number) => trail({ homeRegion: 'eu-west-1', start: start + hour * HOUR });
  const { 'coverage-full': _, ...signed } = times(2);

  it.each<[string, ReturnType<typeof trail>, ReturnType<typeof trail>, Record<string, number>]>([
    ['with a gap', old, anew(7), { 'coverage-gap': 1, 'coverage-full': 1 }],
    ['without a gap but for the hour before logging began', old, anew(6), { 'coverage-gap': 1, 'coverage-full': 1 }],
    [
      'with a gap that the last log explains',
      old.stopLogging(5),
      anew(7),
      { 'coverage-gap-explained': 1, 'coverage-full': 1 },
    ],
    ['without a gap', old, anew(5), { 'coverage-full': 2 }],
    ['while the old trail still logged', old, anew(3), { 'coverage-full': 2 }],
  ])('is told once, %s', async (_name, before, after, expected) => {
    const bucket = sharedBucket(before.build(), after.build());
    const now = bucket.range.end + 5 * HOUR;
    expect(await judge(bucket, { now })).toEqual({ ...signed, 'coverage-moved': 1, ...expected });
    const whole = { start: null, end: bucket.range.end };
    expect(await judge(bucket, { now, range: whole })).toEqual({ ...signed, 'coverage-moved': 1, ...expected });
  });

  it('and a log that neither names is told, before as after', async () => {
    const bucket = sharedBucket(old.addLog(3).build(), anew(7).addLog(3).build());
    const now = bucket.range.end + 5 * HOUR;
    expect(await judge(bucket, { now })).toMatchObject({ 'coverage-moved': 1, 'object-undigested': 2 });
  });

  it('says what ended and what began', async () => {
    const bucket = sharedBucket(old.build(), anew(7).build());
    const verdicts = await verdictsOf(requestFor(bucket));
    expect(verdicts.find(({ kind }) => kind === 'coverage-moved')).toMatchObject({
      subject: { account: '123456789012', region: 'us-east-1', trail: 'audit', hour: '2026-03-01T08:17:42Z' },
      facts: {
        homeBefore: 'us-east-1',
        home: 'eu-west-1',
        ended: '2026-03-01T06:17:42Z',
        since: '2026-03-01T08:17:42Z',
      },
    });
  });

  it('with a digest that names the last of the old place is one chain', async () => {
    const before = old.build();
    const after = trail({ homeRegion: 'eu-west-1', start: before.range.end, follows: before }).build();
    const expected = { ...times(2), 'link-linked': 11, 'link-genesis': 1 };
    expect(await judge(sharedBucket(before, after))).toEqual(expected);
  });

  it.each<[string, ReturnType<typeof trail>, ReturnType<typeof trail>, Record<string, number>]>([
    ['the old trail may still deliver', old, anew(5), { 'coverage-pending': 1, 'digest-signed': 9 }],
    ['both were at work for days', old.hours(40).logs(0), anew(10).hours(60).logs(0), { 'coverage-tail-stale': 1 }],
    [
      'the newer one has another name',
      old,
      trail({ name: 'other', start: start + 7 * HOUR }),
      { 'coverage-tail-stale': 1 },
    ],
    ['the newer one is not attested', old, anew(7).signByStranger(0), { 'coverage-tail-stale': 1 }],
    ['the newer one has lost its beginning', old, anew(7).cutHead(1), { 'coverage-tail-stale': 1 }],
  ])('is not said where %s', async (name, before, after, expected) => {
    const pending = name.includes('may still');
    const bucket = sharedBucket(before.build(), (pending ? after.hours(3) : after).build());
    const now = bucket.range.end + (pending ? 0 : 5) * HOUR;
    const counts = await judge(bucket, { now });
    expect(counts).toMatchObject({ 'coverage-head-missing': 1, ...expected });
    expect(counts).not.toHaveProperty('coverage-moved');
  });
});
