import { gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { HOUR } from '../../src/chain/location.ts';
import { meaning } from '../../src/chain/meaning.ts';
import type { VerdictKind } from '../../src/chain/verdict.ts';
import { type BuiltTrail, type TrailBuilder, trail } from '../../src/demo/trail.ts';
import type { VerifyRequest } from '../../src/verify/verify.ts';
import { MemorySource } from '../support/memory-source.ts';
import { countKinds, judge, requestFor, sourceOf, verdictsOf } from '../support/verify-trail.ts';

describe('a gap', () => {
  it('is explained by an attested StopLogging event', async () => {
    const built = trail().stopLogging(2, 3).build();
    const verdicts = await verdictsOf(requestFor(built));
    expect(countKinds(verdicts)).toMatchObject({ 'coverage-gap-explained': 1, 'digest-signed': 6 });
    expect(verdicts.find(({ kind }) => kind === 'coverage-gap-explained')?.facts).toMatchObject({
      event: 'StopLogging',
      actor: 'arn:aws:iam::123456789012:user/mallory',
      from: '2026-03-01T03:17:42Z',
      to: '2026-03-01T06:17:42Z',
    });
  });

  it.each<[string, (t: TrailBuilder) => TrailBuilder]>([
    ['by an event in an altered log', (t) => t.stopLogging(2).alterLog(2, 1)],
    ['by an event whose digest is not attested', (t) => t.stopLogging(2).editDigest(2)],
    ['without an event', (t) => t.stopAt(2)],
  ])('is not explained %s', async (_name, change) => {
    const counts = await judge(change(trail()).build());
    expect(counts).toMatchObject({ 'coverage-gap': 1 });
    expect(counts).not.toHaveProperty('coverage-gap-explained');
  });

  it('at the end is explained as well', async () => {
    const built = trail().stopLogging(5, 6).build();
    expect(await judge(built)).toMatchObject({ 'coverage-gap-explained': 1 });
  });
});

describe('a trail that was moved', () => {
  const before = trail({ prefix: 'old' }).hours(4).build();
  const movedFrom = (
    follows: BuiltTrail,
    change: (t: TrailBuilder) => TrailBuilder = (t) => t,
    bucket = before.bucket,
  ) => change(trail({ prefix: 'new', bucket, start: before.range.end, follows }).hours(3)).build();
  const whole = (later: BuiltTrail) => ({ range: { start: before.range.start, end: later.range.end } });

  it.each([
    ['both prefixes are found', null],
    ['only the new prefix is asked for', 'new/'],
  ])('to another prefix is one chain: %s', async (_name, prefix) => {
    const later = movedFrom(before);
    const source = sourceOf({ bucket: before.bucket, objects: new Map([...before.objects, ...later.objects]) });
    const counts = countKinds(await verdictsOf({ ...requestFor(later, source), ...whole(later), scope: { prefix } }));
    expect(counts).toEqual({
      'digest-signed': 7,
      'link-linked': 6,
      'link-genesis': 1,
      'log-intact': 14,
      'coverage-full': 2,
    });
  });

  it('to another bucket is one chain', async () => {
    const later = movedFrom(before, (t) => t, 'new-bucket');
    const both = new MemorySource('new-bucket', Object.fromEntries(later.objects));
    const old = sourceOf(before);
    const open = both.open.bind(both);
    both.open = (location, version) =>
      location.bucket === before.bucket ? old.open(location, version) : open(location, version);
    const request = { ...requestFor(later, both), ...whole(later), sourceOf: () => old };
    const counts = countKinds(await verdictsOf(request));
    expect(counts).toEqual({
      'digest-signed': 7,
      'link-linked': 6,
      'link-genesis': 1,
      'log-intact': 14,
      'coverage-full': 2,
    });
  });

  it('out of sight leaves the head unproven', async () => {
    const later = movedFrom(before);
    const counts = countKinds(await verdictsOf({ ...requestFor(later), ...whole(later) }));
    expect(counts).toEqual({
      'digest-signed': 3,
      'link-linked': 2,
      'digest-missing': 1,
      'coverage-head-missing': 1,
      'log-intact': 6,
    });
  });

  it('with the newest digests of the old place gone: each is missing', async () => {
    const later = movedFrom(before);
    const cut = trail({ prefix: 'old' }).hours(4).cutTail(2).build();
    const source = sourceOf({ bucket: before.bucket, objects: new Map([...cut.objects, ...later.objects]) });
    const counts = countKinds(await verdictsOf({ ...requestFor(later, source), ...whole(later) }));
    expect(counts).toMatchObject({ 'digest-signed': 5, 'digest-missing': 2 });
    expect(counts).not.toHaveProperty('coverage-tail-stale');
  });

  it('and another newest digest in the old place than the one that is named: the link is broken', async () => {
    const later = movedFrom(before);
    const forged = trail({ prefix: 'old' }).hours(4).resignDigest(3).build();
    const source = sourceOf({ bucket: before.bucket, objects: new Map([...forged.objects, ...later.objects]) });
    const counts = countKinds(await verdictsOf({ ...requestFor(later, source), ...whole(later) }));
    expect(counts).toMatchObject({ 'link-broken': 1 });
  });

  it.each([null, 'new/'])('to a first digest that cannot be read, under prefix %s: nothing failed', async (prefix) => {
    const later = movedFrom(before);
    const source = sourceOf({ bucket: before.bucket, objects: new Map([...before.objects, ...later.objects]) });
    source.refuse(later.digests[0]?.key ?? '', { kind: 'denied', code: 'AccessDenied', message: 'no' });
    const verdicts = await verdictsOf({ ...requestFor(later, source), ...whole(later), scope: { prefix } });
    expect(verdicts.filter(({ kind }) => meaning[kind].outcome === 'fail')).toEqual([]);
    expect(countKinds(verdicts)).toMatchObject({ 'digest-unreadable': 1, 'coverage-unseen': 1 });
  });

  it('to a first digest that cannot be read, with the newest digests of the old place gone: they are not known', async () => {
    const later = movedFrom(before);
    const cut = trail({ prefix: 'old' }).hours(4).cutTail(2).build();
    const source = sourceOf({ bucket: before.bucket, objects: new Map([...cut.objects, ...later.objects]) });
    source.refuse(later.digests[0]?.key ?? '', { kind: 'denied', code: 'AccessDenied', message: 'no' });
    const verdicts = await verdictsOf({ ...requestFor(later, source), ...whole(later) });
    expect(verdicts.filter(({ kind }) => meaning[kind].outcome === 'fail')).toEqual([]);
    const unseen = verdicts.filter(({ kind }) => kind === 'coverage-unseen').map(({ subject }) => subject.hour);
    expect(unseen.sort()).toEqual([
      '2026-03-01T00:17:42Z/2026-03-01T04:17:42Z',
      '2026-03-01T02:17:42Z/2026-03-01T04:17:42Z',
    ]);
  });

  it.each([0, 1, HOUR / 2, HOUR])(
    'at the very end of the range is read once: %i ms behind the digest before it',
    async (more) => {
      const later = movedFrom(before);
      const source = sourceOf({ bucket: before.bucket, objects: new Map([...before.objects, ...later.objects]) });
      const range = { start: before.range.start, end: before.range.end + more };
      const verdicts = await verdictsOf({ ...requestFor(later, source), range });
      const keys = verdicts.filter(({ kind }) => kind === 'digest-signed').map(({ subject }) => subject.key);
      expect(keys).toEqual([...new Set(keys)]);
      expect(countKinds(verdicts)).toEqual({
        'digest-signed': keys.length,
        'link-linked': keys.length - 1,
        'link-genesis': 1,
        'log-intact': 2 * keys.length,
        'coverage-full': more === 0 ? 1 : 2,
      });
    },
  );

  it('whose old place ended before the range owes nothing there', async () => {
    const later = movedFrom(before);
    const source = sourceOf({ bucket: before.bucket, objects: new Map([...before.objects, ...later.objects]) });
    const range = { start: later.range.start + HOUR + 1, end: later.range.end };
    const counts = countKinds(await verdictsOf({ ...requestFor(later, source), range }));
    expect(counts).toEqual({
      'digest-signed': 2,
      'link-anchored': 1,
      'link-linked': 1,
      'log-intact': 4,
      'coverage-full': 1,
    });
  });

  it('at the very start of the range is followed, as the digest before touches it', async () => {
    const later = movedFrom(before);
    const source = sourceOf({ bucket: before.bucket, objects: new Map([...before.objects, ...later.objects]) });
    const counts = countKinds(await verdictsOf({ ...requestFor(later, source), scope: { prefix: 'new/' } }));
    expect(counts).toMatchObject({ 'digest-signed': 4, 'link-linked': 3, 'link-anchored': 1, 'log-intact': 8 });
    expect(counts).not.toHaveProperty('digest-missing');
  });
});

describe('the place that a moved trail came from is looked through as well', () => {
  const builder = trail({ bucket: 'old-logs' }).hours(4);
  const before = builder.build();
  const later = trail({ bucket: 'new-logs', start: before.range.end, follows: before }).hours(3).build();
  const firstLog = before.digests[1]?.logs[0] ?? '';

  /** A run over the new bucket, which may read the old one. */
  function judged(old: MemorySource, change: Partial<VerifyRequest> = {}) {
    const source = sourceOf(later);
    const open = source.open.bind(source);
    source.open = (location, version) =>
      location.bucket === old.bucket ? old.open(location, version) : open(location, version);
    const range = { start: before.range.start, end: later.range.end };
    return verdictsOf({ ...requestFor(later, source), range, sourceOf: () => old, ...change });
  }

  const PLAIN = {
    'digest-signed': 7,
    'link-linked': 6,
    'link-genesis': 1,
    'log-intact': 14,
    'coverage-full': 2,
  };

  it.each<[string, (old: MemorySource) => void, Partial<Record<VerdictKind, number>>, string]>([
    ['nothing but the trail', () => undefined, {}, ''],
    [
      'a log that no digest names',
      (old) => old.put(undigested(firstLog), { body: Buffer.from('x') }),
      { 'object-undigested': 1 },
      undigested(firstLog),
    ],
    [
      'something else among the digests',
      (old) => old.put(`${before.digests[0]?.key}.bak`, Buffer.from('x')),
      { 'object-foreign': 1 },
      `${before.digests[0]?.key}.bak`,
    ],
    [
      'a stray beside the folders of the days',
      (old) => old.put('AWSLogs/123456789012/CloudTrail/us-east-1/note.txt', Buffer.from('x')),
      { 'object-foreign': 1 },
      'AWSLogs/123456789012/CloudTrail/us-east-1/note.txt',
    ],
    [
      'a log that was written over',
      (old) => old.put(firstLog, Buffer.from('gone')),
      { 'object-overwritten': 1, 'log-recoverable': 1, 'log-intact': 13 },
      firstLog,
    ],
    [
      'a log behind a delete marker',
      (old) => old.hide(firstLog),
      { 'object-hidden': 1, 'log-recoverable': 1, 'log-intact': 13 },
      firstLog,
    ],
    [
      'versions that may not be listed',
      (old) => old.refuseVersions({ kind: 'denied', code: 'AccessDenied', message: 'no s3:ListBucketVersions' }),
      { 'object-unlisted': 1 },
      '',
    ],
  ])('%s', async (_name, change, more, key) => {
    const old = sourceOf(before);
    change(old);
    const verdicts = await judged(old);
    expect(countKinds(verdicts)).toEqual({ ...PLAIN, ...more });
    const found = verdicts.filter(({ kind }) => kind.startsWith('object-'));
    expect(found.map(({ subject }) => subject.bucket)).toEqual(found.map(() => 'old-logs'));
    if (key !== '') expect(found.map(({ subject }) => subject.key)).toEqual([key]);
    expect(old.closed).toBe(true);
  });

  it('unless no inventory is wanted', async () => {
    const old = sourceOf(before);
    old.put(undigested(firstLog), Buffer.from('x'));
    expect(countKinds(await judged(old, { inventory: 'off' }))).toEqual(PLAIN);
  });

  it('but not for what came after the trail had left', async () => {
    const old = sourceOf(before);
    const much = trail({ bucket: 'old-logs' }).hours(7).addLog(6).build();
    const [added] = [...much.objects.keys()].filter((key) => key.includes('undigested'));
    old.put(added ?? '', Buffer.from('x'));
    expect(countKinds(await judged(old))).toEqual(PLAIN);
  });

  it('once, though two trails came from there', async () => {
    const second = trail({ bucket: 'old-logs', name: 'second' }).hours(4).build();
    const secondLater = trail({ bucket: 'new-logs', name: 'second', start: before.range.end, follows: second })
      .hours(3)
      .build();
    const old = sourceOf({ bucket: 'old-logs', objects: new Map([...before.objects, ...second.objects]) });
    old.put(undigested(firstLog), Buffer.from('x'));
    old.put('AWSLogs/123456789012/CloudTrail/note.txt', Buffer.from('x'));
    const source = sourceOf({ bucket: 'new-logs', objects: new Map([...later.objects, ...secondLater.objects]) });
    const open = source.open.bind(source);
    source.open = (location, version) =>
      location.bucket === old.bucket ? old.open(location, version) : open(location, version);
    let opened = 0;
    const sourceOfBucket = () => {
      opened++;
      return old;
    };
    const range = { start: before.range.start, end: later.range.end };
    const verdicts = await verdictsOf({ ...requestFor(later, source), range, sourceOf: sourceOfBucket });
    expect(countKinds(verdicts)).toEqual({
      'digest-signed': 14,
      'link-linked': 12,
      'link-genesis': 2,
      'log-intact': 28,
      'coverage-full': 4,
      'object-undigested': 1,
      'object-foreign': 1,
    });
    expect(opened).toBe(1);
  });

  it('also under another prefix of the same bucket, once', async () => {
    const here = trail({ prefix: 'old' }).hours(4).addLog(1).build();
    const moved = trail({ prefix: 'new', start: here.range.end, follows: here }).hours(3).build();
    const source = sourceOf({ bucket: here.bucket, objects: new Map([...here.objects, ...moved.objects]) });
    const range = { start: here.range.start, end: moved.range.end };
    for (const prefix of ['new/', null]) {
      const counts = countKinds(await verdictsOf({ ...requestFor(moved, source), range, scope: { prefix } }));
      expect(counts).toEqual({ ...PLAIN, 'object-undigested': 1 });
    }
  });

  it('once where it is in scope anyway, though no digest is left of the chain', async () => {
    const here = trail({ prefix: 'old' }).hours(4).build();
    const moved = trail({ prefix: 'new', start: here.range.end, follows: here }).hours(3).build();
    const source = sourceOf({ bucket: here.bucket, objects: new Map([...here.objects, ...moved.objects]) });
    for (const { key } of here.digests) source.erase(key);
    source.put('old/AWSLogs/123456789012/CloudTrail/us-east-1/note.txt', Buffer.from('x'));
    const range = { start: here.range.start, end: moved.range.end };
    const counts = countKinds(await verdictsOf({ ...requestFor(moved, source), range }));
    expect(counts).toMatchObject({ 'coverage-nothing-found': 1, 'object-foreign': 1, 'digest-missing': 1 });
  });
});

function undigested(log: string): string {
  return log.replace(/[A-Za-z0-9]{16}\.json\.gz$/, 'undigested000000.json.gz');
}

describe('a range whose digests are only due', () => {
  const built = trail().build();
  const MINUTE = 60_000;
  const last = built.range.end;
  const since = (hours: number, now: number) => ({ now, range: { start: now - hours * HOUR, end: now } });

  it('leaves nothing to prove yet, which is no failure', async () => {
    const verdicts = await verdictsOf({ ...requestFor(built), ...since(1, last + 80 * MINUTE) });
    expect(countKinds(verdicts)).toEqual({ 'coverage-due': 1 });
    expect(verdicts[0]).toMatchObject({
      subject: { account: '123456789012', region: 'us-east-1', trail: 'audit' },
      facts: { newest: '2026-03-01T06:17:42Z', allowed: '4 h' },
    });
  });

  it.each<[string, BuiltTrail, Partial<VerifyRequest>]>([
    ['but longer than the grace', built, since(1, last + 4 * HOUR + MINUTE)],
    [
      'but the digests behind it are there',
      trail().dropDigest(3).build(),
      { range: { start: last - 2.9 * HOUR, end: last - 2.5 * HOUR } },
    ],
    [
      'but CloudTrail delivered another',
      built,
      {
        ...since(1, last + 80 * MINUTE),
        scope: {
          prefix: null,
          trails: [{ name: 'audit', homeRegion: 'us-east-1', owner: '123456789012', lastDelivery: last + 75 * MINUTE }],
        },
      },
    ],
    ['but nothing at all is there', trail().dropEverything().build(), since(1, last + 80 * MINUTE)],
  ])('%s', async (_name, of, change) => {
    const counts = countKinds(await verdictsOf({ ...requestFor(of), ...change }));
    expect(counts).not.toHaveProperty('coverage-due');
    expect(Object.keys(counts).some((kind) => /nothing-found|missing/.test(kind))).toBe(true);
  });

  it('says no more of what was asked for by name', async () => {
    const scope = { prefix: null, trails: [{ name: 'audit' }], regions: new Set(['us-east-1']) };
    const counts = countKinds(await verdictsOf({ ...requestFor(built), ...since(1, last + 80 * MINUTE), scope }));
    expect(counts).toEqual({ 'coverage-due': 1 });
  });
});

describe('what CloudTrail says of its last delivery', () => {
  const MINUTE = 60_000;
  const choice = (lastDelivery: number) => ({
    scope: { prefix: null, trails: [{ name: 'audit', homeRegion: 'us-east-1', owner: '123456789012', lastDelivery }] },
  });

  it.each([
    ['is the newest digest here', 0, 19 * MINUTE, 'coverage-pending'],
    ['is the newest digest here, delivered two hours late', 0, 2 * HOUR, 'coverage-pending'],
    ['is a digest that is gone', 1, HOUR + 19 * MINUTE, 'coverage-tail-stale'],
  ] as const)('%s', async (_name, cut, after, expected) => {
    const built = trail().cutTail(cut).build();
    const newest = built.range.end - cut * HOUR;
    const objects = new Map(built.objects);
    const key = built.digests.at(-1 - cut)?.key ?? '';
    const object = objects.get(key);
    // The newest digest was written when it was delivered: late in the second case.
    if (object && cut === 0) objects.set(key, { ...object, lastModified: newest + after });
    const request = requestFor(built, sourceOf({ ...built, objects }));
    const range = { start: built.range.start, end: newest + 3 * HOUR };
    const counts = countKinds(
      await verdictsOf({ ...request, ...choice(newest + after), range, now: newest + 3 * HOUR }),
    );
    expect(counts).toHaveProperty(expected);
  });
});

describe('a trail that went away and came back', () => {
  const first = trail({ prefix: 'home' }).hours(3).build();
  const awayTo = (
    where: { prefix?: string; bucket?: string },
    change: (t: TrailBuilder) => TrailBuilder = (t) => t,
  ) => {
    const away = trail({ ...where, start: first.range.end, follows: first })
      .hours(2)
      .build();
    const back = trail({ prefix: 'home', start: away.range.end, follows: away }).hours(3).build();
    const changed = change(trail({ ...where, start: first.range.end, follows: first }).hours(2)).build();
    const home = { bucket: first.bucket, objects: new Map([...first.objects, ...back.objects]) };
    return { away: changed, home, range: { start: first.range.start, end: back.range.end }, back };
  };
  const WHOLE = { 'digest-signed': 8, 'link-linked': 7, 'link-genesis': 1, 'log-intact': 16, 'coverage-full': 3 };

  it.each([null, 'home/'])('is one chain, under prefix %s', async (prefix) => {
    const { away, home, range, back } = awayTo({ prefix: 'away' });
    const source = sourceOf({ bucket: home.bucket, objects: new Map([...home.objects, ...away.objects]) });
    const verdicts = await verdictsOf({ ...requestFor(back, source), range, scope: { prefix } });
    expect(countKinds(verdicts)).toEqual(WHOLE);
  });

  const over = (home: BuiltTrail | { bucket: string; objects: BuiltTrail['objects'] }, away: MemorySource) => {
    const source = sourceOf(home);
    const open = source.open.bind(source);
    source.open = (location, version) =>
      location.bucket === away.bucket ? away.open(location, version) : open(location, version);
    return source;
  };

  it('through another bucket', async () => {
    const { away, home, range, back } = awayTo({ bucket: 'away-logs' });
    const there = sourceOf(away);
    const request = { ...requestFor(back, over(home, there)), range, sourceOf: () => there };
    expect(countKinds(await verdictsOf(request))).toEqual(WHOLE);
  });

  it('through another bucket that may not be read: nothing failed, and not all is proven', async () => {
    const { away, home, range, back } = awayTo({ bucket: 'away-logs' });
    const there = sourceOf(away);
    there.refuseListing('', { kind: 'denied', code: 'AccessDenied', message: 'no' });
    const request = { ...requestFor(back, over(home, there)), range, sourceOf: () => there };
    const verdicts = await verdictsOf(request);
    expect(verdicts.filter(({ kind }) => meaning[kind].outcome === 'fail')).toEqual([]);
    expect(verdicts.filter(({ kind }) => meaning[kind].outcome === 'inconclusive').length).toBeGreaterThan(0);
  });

  it('through another bucket that lacks a digest', async () => {
    const { away, home, range, back } = awayTo({ bucket: 'away-logs' }, (t) => t.dropDigest(0));
    const there = sourceOf(away);
    const request = { ...requestFor(back, over(home, there)), range, sourceOf: () => there };
    const counts = countKinds(await verdictsOf(request));
    expect(counts).toMatchObject({ 'digest-signed': 7, 'digest-missing': 1 });
    expect(counts).not.toHaveProperty('link-broken');
  });

  it('through a place where nothing is left: the hours there are missed', async () => {
    const { home, range, back } = awayTo({ prefix: 'away' });
    const counts = countKinds(await verdictsOf({ ...requestFor(back, sourceOf(home)), range }));
    expect(counts).toEqual({
      'digest-signed': 6,
      'link-linked': 4,
      'link-genesis': 1,
      'log-intact': 12,
      'digest-missing': 1,
      'coverage-gap': 1,
    });
  });

  describe.each<[string, (source: MemorySource, key: string) => void, Partial<Record<VerdictKind, number>>]>([
    [
      'cannot be read',
      (source, key) => source.refuse(key, { kind: 'denied', code: 'AccessDenied', message: 'no' }),
      { 'digest-unreadable': 1 },
    ],
    ['is no digest', (source, key) => source.put(key, Buffer.from('x')), { 'digest-malformed': 1 }],
    [
      'is signed by a key that is not known',
      (source, key) => rewriteDigest(source, key, (json) => json.replace(/(?<=Fingerprint":")\w+/, '0'.repeat(32))),
      { 'digest-key-unknown': 1 },
    ],
    [
      'was altered',
      (source, key) => rewriteDigest(source, key, (json) => json.replace('"oldest', ' "oldest')),
      { 'digest-signature-invalid': 1 },
    ],
  ])('to a first digest that %s, which may name where the trail was', (_name, spoil, told) => {
    const failing = Object.keys(told).filter((kind) => meaning[kind as VerdictKind].outcome === 'fail');
    const { away, home, range, back } = awayTo({ prefix: 'away' });
    const first = back.digests[0]?.key ?? '';
    const hoursAway = '2026-03-01T03:17:42Z/2026-03-01T05:17:42Z';

    it.each<[string, string | null, boolean, Partial<Record<VerdictKind, number>>]>([
      ['both places in scope', null, true, { 'digest-signed': 7, 'link-linked': 5, 'coverage-full': 1 }],
      ['the place away not in scope', 'home/', true, { 'digest-signed': 5, 'link-linked': 3 }],
      ['the place away gone', null, false, { 'digest-signed': 5, 'link-linked': 3 }],
    ])('%s: the hours away are not known to be missing', async (_where, prefix, isThere, expected) => {
      const objects = new Map([...home.objects, ...(isThere ? away.objects : [])]);
      const source = sourceOf({ bucket: home.bucket, objects });
      spoil(source, first);
      // That the digest was written over is another story.
      const request = { ...requestFor(back, source), range, scope: { prefix }, inventory: 'off' as const };
      const verdicts = await verdictsOf(request);
      expect(countKinds(verdicts)).toMatchObject({ ...told, ...expected, 'coverage-unseen': 1 });
      expect(verdicts.find(({ kind }) => kind === 'coverage-unseen')).toMatchObject({
        subject: { type: 'chain', trail: 'audit', hour: hoursAway },
        facts: { digest: first },
      });
      // What follows a digest that is not the one it names is told of the two, and of nothing else.
      const failed = verdicts.filter(({ kind }) => meaning[kind].outcome === 'fail').map(({ kind }) => kind);
      expect(failed.filter((kind) => kind !== 'link-broken')).toEqual(failing);
      const links = verdicts.filter(({ kind }) => kind === 'link-broken').map(({ subject }) => subject.key);
      expect(links.filter((key) => key !== back.digests[1]?.key)).toEqual([]);
    });
  });

  it('and whose first digest in the place away cannot be read: nothing failed', async () => {
    const { away, home, range, back } = awayTo({ prefix: 'away' });
    const source = sourceOf({ bucket: home.bucket, objects: new Map([...home.objects, ...away.objects]) });
    source.refuse(away.digests[0]?.key ?? '', { kind: 'denied', code: 'AccessDenied', message: 'no' });
    const verdicts = await verdictsOf({ ...requestFor(back, source), range });
    expect(verdicts.filter(({ kind }) => meaning[kind].outcome === 'fail')).toEqual([]);
    expect(countKinds(verdicts)).toMatchObject({ 'digest-unreadable': 1, 'digest-signed': 7, 'link-linked': 5 });
  });

  it.each<[string, (t: TrailBuilder) => TrailBuilder]>([
    ['and the digest after them was altered, though it names one of them', (t) => t.dropDigest(3).editDigest(4)],
    ['and the digest after them has a key that is not known', (t) => t.dropDigest(3).forgetKey(4)],
    ['and so is the digest after them', (t) => t.dropDigest(3).dropDigest(4)],
    ['and the digest after them is not a linked one, nor signed', (t) => t.dropDigest(3).unlinkDigest(4).forgetKey(4)],
  ])('but hours are missing as ever where no place is named: they are gone %s', async (_name, change) => {
    const counts = await judge(change(trail()).build());
    expect(counts['digest-missing']).toBeGreaterThan(0);
    expect(counts).not.toHaveProperty('coverage-unseen');
  });

  it('to a first digest that was altered: its link back is broken', async () => {
    const { away, home, range, back } = awayTo({ prefix: 'away' });
    const forged = trail({ prefix: 'home' }).hours(3).resignDigest(2).build();
    const objects = new Map([...home.objects, ...forged.objects, ...away.objects]);
    const counts = countKinds(await verdictsOf({ ...requestFor(back, sourceOf({ ...home, objects })), range }));
    expect(counts).toMatchObject({ 'link-broken': 1 });
  });
});

/** Another text in a digest's place, under the metadata of the first. */
function rewriteDigest(source: MemorySource, key: string, change: (json: string) => string): void {
  const object = source.current(key);
  const json = gunzipSync(object.body).toString('utf8');
  source.put(key, { ...object, body: gzipSync(change(json)) });
}
