import { mkdirSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { HOUR } from '../../src/chain/location.ts';
import { toFinding } from '../../src/chain/meaning.ts';
import { type TrailBuilder, trail } from '../../src/demo/trail.ts';
import { writeTrail } from '../../src/demo/write-trail.ts';
import { directorySource } from '../../src/source/directory.ts';
import { tempDir } from '../support/temp.ts';
import { countKinds, judge, requestFor, sourceOf, verdictsOf } from '../support/verify-trail.ts';

/** Six hours with two logs each: what an intact trail comes to. */
const INTACT = { 'digest-signed': 6, 'link-linked': 5, 'link-genesis': 1, 'log-intact': 12, 'coverage-full': 1 };

type Kinds = Awaited<ReturnType<typeof judge>>;

/** The intact counts with some of them changed; a zero takes a kind out. */
function but(changes: Kinds): Kinds {
  return Object.fromEntries(Object.entries({ ...INTACT, ...changes }).filter(([, count]) => count !== 0));
}

const CASES: readonly [string, (intact: TrailBuilder) => TrailBuilder, Kinds][] = [
  ['intact', (t) => t, INTACT],
  ['one log deleted', (t) => t.dropLog(2), but({ 'log-intact': 11, 'log-missing': 1 })],
  [
    'one digest deleted',
    (t) => t.dropDigest(2),
    but({ 'digest-signed': 5, 'link-linked': 3, 'digest-missing': 1, 'log-intact': 10, 'coverage-full': 0 }),
  ],
  [
    'three digests in a row deleted: each counts',
    (t) => t.dropDigest(1).dropDigest(2).dropDigest(3),
    but({ 'digest-signed': 3, 'link-linked': 1, 'digest-missing': 3, 'log-intact': 6, 'coverage-full': 0 }),
  ],
  [
    'the oldest digests deleted',
    (t) => t.cutHead(2),
    but({
      'digest-signed': 4,
      'link-linked': 3,
      'link-genesis': 0,
      'digest-missing': 1,
      'coverage-head-missing': 1,
      'log-intact': 8,
      'coverage-full': 0,
    }),
  ],
  ['all deleted', (t) => t.dropEverything(), { 'coverage-nothing-found': 1 }],
  [
    'an older chain before a restart deleted',
    (t) => t.stopAt(2).cutHead(3),
    but({ 'digest-signed': 3, 'link-linked': 2, 'coverage-head-missing': 1, 'log-intact': 6, 'coverage-full': 0 }),
  ],
  ['one letter of a log altered', (t) => t.alterLog(3), but({ 'log-intact': 11, 'log-altered': 1 })],
  ['one bit of the compressed stream flipped', (t) => t.corruptLog(3), but({ 'log-intact': 11, 'log-malformed': 1 })],
  ['a log recompressed: the content is the same', (t) => t.recompressLog(3), INTACT],
  ['a log stored uncompressed: the content is the same', (t) => t.unzipLog(3), INTACT],
  ['a second gzip member after a log', (t) => t.appendToLog(3), but({ 'log-intact': 11, 'log-malformed': 1 })],
  ['zeros after a log', (t) => t.appendToLog(3, 0, Buffer.alloc(512)), but({ 'log-intact': 11, 'log-malformed': 1 })],
  ['the trailer of a log cut', (t) => t.cutLog(3), but({ 'log-intact': 11, 'log-malformed': 1 })],
  [
    'bytes after a digest',
    (t) => t.appendToDigest(3),
    but({ 'digest-signed': 5, 'link-linked': 3, 'digest-malformed': 1, 'log-intact': 10, 'coverage-full': 0 }),
  ],
  [
    'a digest edited',
    (t) => t.editDigest(3),
    but({
      'digest-signed': 5,
      'link-linked': 3,
      'link-broken': 1,
      'digest-signature-invalid': 1,
      'log-intact': 10,
      'log-unattested': 1,
      'coverage-full': 0,
    }),
  ],
  [
    'a digest signed by a stranger under the known fingerprint',
    (t) => t.signByStranger(3),
    but({
      'digest-signed': 5,
      'link-linked': 3,
      'link-broken': 1,
      'digest-signature-invalid': 1,
      'log-intact': 10,
      'log-unattested': 1,
      'coverage-full': 0,
    }),
  ],
  [
    'the newest digest signed by a stranger',
    (t) => t.signByStranger(5),
    but({
      'digest-signed': 5,
      'link-linked': 4,
      'digest-signature-invalid': 1,
      'log-intact': 10,
      'log-unattested': 1,
      'coverage-full': 0,
    }),
  ],
  [
    'a digest re-signed with the genuine key after a change',
    (t) => t.resignDigest(3),
    but({ 'link-linked': 4, 'link-broken': 1, 'log-intact': 11, 'object-undigested': 1 }),
  ],
  [
    'an older valid digest copied over a newer key',
    (t) => t.moveDigest(1, 3),
    but({
      'digest-signed': 5,
      'link-linked': 3,
      'link-broken': 1,
      'digest-misplaced': 1,
      'log-intact': 10,
      'log-unattested': 2,
      'coverage-full': 0,
    }),
  ],
  [
    'two digests swapped',
    (t) => t.swapDigests(2, 3),
    but({
      'digest-signed': 4,
      'link-linked': 2,
      'link-broken': 1,
      'digest-misplaced': 2,
      'log-intact': 8,
      'log-unattested': 4,
      'coverage-full': 0,
    }),
  ],
  ['the signature removed: its successor repeats it', (t) => t.stripSignature(3), INTACT],
  [
    'the newest signature removed: nothing repeats it',
    (t) => t.stripSignature(5),
    but({
      'digest-signed': 5,
      'link-linked': 4,
      'digest-unsigned': 1,
      'log-intact': 10,
      'log-unattested': 2,
      'coverage-full': 0,
    }),
  ],
  [
    'a plain copy, without metadata',
    (t) => t.stripMetadata(),
    but({
      'digest-signed': 5,
      'link-linked': 4,
      'digest-unsigned': 1,
      'log-intact': 10,
      'log-unattested': 2,
      'coverage-full': 0,
    }),
  ],
  [
    'the signature of another digest',
    (t) => t.swapSignature(3, 1),
    but({
      'digest-signed': 5,
      'link-linked': 3,
      'link-broken': 1,
      'digest-signature-invalid': 1,
      'log-intact': 10,
      'log-unattested': 2,
      'coverage-full': 0,
    }),
  ],
  ['a log that no digest names', (t) => t.addLog(3), but({ 'object-undigested': 1 })],
  [
    'a starting digest in mid-range after a stop',
    (t) => t.stopAt(2),
    but({ 'link-linked': 4, 'link-genesis': 1, 'coverage-gap': 1, 'coverage-full': 0 }),
  ],
  [
    'a made-up starting digest although no hour is left out',
    (t) => t.unlinkDigest(3),
    but({ 'link-linked': 3, 'link-discontinuous': 1, 'link-broken': 1 }),
  ],
  [
    'an unknown fingerprint',
    (t) => t.forgetKey(5),
    but({
      'digest-signed': 5,
      'link-linked': 4,
      'digest-key-unknown': 1,
      'log-intact': 10,
      'log-unattested': 2,
      'coverage-full': 0,
    }),
  ],
  [
    'an account that is not its own',
    (t) => t.writeDigest(3, { awsAccountId: '999999999999' }),
    but({
      'digest-signed': 5,
      'link-linked': 4,
      'digest-mismatched': 1,
      'log-intact': 10,
      'log-unattested': 2,
      'coverage-full': 0,
    }),
  ],
  [
    'a signature algorithm that is not known',
    (t) => t.writeDigest(3, { digestSignatureAlgorithm: 'SHA1withRSA' }),
    but({
      'digest-signed': 5,
      'link-linked': 4,
      'digest-mismatched': 1,
      'log-intact': 10,
      'log-unattested': 2,
      'coverage-full': 0,
    }),
  ],
  ...[
    ['a key given twice, though signed', '"awsAccountId":"999999999999"'],
    ['a key given twice with one value', '"awsAccountId":"123456789012"'],
    ['a key given twice, once in escapes', String.raw`"log\u0046iles" : []`],
    ['a key given twice deep in what nobody reads', '"x":[{"a":1,"a":1}]'],
  ].map(([name = '', member]): (typeof CASES)[number] => [
    name,
    (t) => t.repeatKey(5, member),
    but({
      'digest-signed': 5,
      'link-linked': 4,
      'digest-malformed': 1,
      'log-intact': 10,
      'coverage-full': 0,
    }),
  ]),
  ['hashes in capitals', (t) => t.shoutHashes(3), INTACT],
  [
    'a window that leaves a hole although linked',
    (t) => t.writeDigest(3, { digestStartTime: '2026-03-01T03:47:42Z' }),
    but({ 'link-linked': 4, 'link-discontinuous': 1, 'coverage-full': 0 }),
  ],
  [
    'a window that overlaps the one before',
    (t) => t.writeDigest(3, { digestStartTime: '2026-03-01T02:47:42Z' }),
    but({ 'link-linked': 4, 'link-discontinuous': 1 }),
  ],
];

it.each(CASES)('%s', async (_name, change, expected) => {
  expect(await judge(change(trail()).build())).toEqual(expected);
});

it.each([
  ['within the grace', 3, { 'coverage-pending': 1 }],
  ['after the grace', 5, { 'coverage-tail-stale': 1 }],
] as const)('the newest digests deleted, %s', async (_name, age, expected) => {
  const built = trail().cutTail(2).build();
  const newest = built.range.end - 2 * HOUR;
  const counts = await judge(built, { now: newest + age * HOUR });
  expect(counts).toEqual({ 'digest-signed': 4, 'link-linked': 3, 'link-genesis': 1, 'log-intact': 8, ...expected });
});

it.each(['', 'null', '[]', '{}', '{"logFiles":null}', '{"__proto__":{"logFiles":[]}}', '['.repeat(100_000), '\u00ff'])(
  'content that is no digest: %.20j',
  async (content) => {
    const counts = await judge(trail().replaceDigest(3, content).build());
    expect(counts).toMatchObject({ 'digest-malformed': 1, 'digest-signed': 5 });
  },
);

it.each(['not json', 7, true, {}, null, [1], [{ s3Object: 3 }]])('logFiles is %j', async (logFiles) => {
  const counts = await judge(trail().writeDigest(3, { logFiles }).build());
  expect(counts).toMatchObject({ 'digest-malformed': 1, 'log-intact': 10 });
});

it('log files of an older chain whose digests are gone are told when the whole history is asked for', async () => {
  const built = trail({ start: Date.UTC(2026, 2, 1) })
    .hours(6)
    .stopAt(2, 100)
    .build();
  const objects = new Map(built.objects);
  for (const { key } of built.digests.slice(0, 3)) objects.delete(key);
  const counts = await judge({ ...built, objects }, { range: { start: null, end: built.range.end } });
  expect(counts).toEqual({
    'digest-signed': 3,
    'link-linked': 2,
    'link-genesis': 1,
    'log-intact': 6,
    'coverage-full': 1,
    'object-undigested': 6,
  });
});

const TREE = 'AWSLogs/123456789012';

describe.each([
  ['digest', 'CloudTrail-Digest'],
  ['log', 'CloudTrail'],
])('an object of the %s tree is foreign, whatever the range,', (_name, folder) => {
  it.each([
    ['beside the Regions', 'stray.json.gz'],
    ['in a folder that is no Region', 'nowhere/2026/03/01/x.json.gz'],
    ['beside the years', 'us-east-1/stray.json.gz'],
    ['in a year before CloudTrail', 'us-east-1/1999/01/01/x.json.gz'],
    ['in a year to come', 'us-east-1/2099/01/01/x.json.gz'],
    ['in a folder that is no year', 'us-east-1/backup/x.json.gz'],
    ['beside the months', 'us-east-1/2026/evil'],
    ['in a month that no year has', 'us-east-1/2026/13/40/x'],
    ['in a folder that is no month', 'us-east-1/2026/3/x'],
    ['beside the days', 'us-east-1/2026/03/evil'],
    ['in a day that the month has not', 'us-east-1/2026/03/32/x'],
    ['in a folder that is no day', 'us-east-1/2026/03/1/x'],
  ])('where it lies %s', async (_where, name) => {
    const built = trail().addObject(`${TREE}/${folder}/${name}`, 'x').build();
    const whole = { start: null, end: built.range.end + HOUR };
    expect(await judge(built)).toEqual(but({ 'object-foreign': 1 }));
    expect(await judge(built, { range: whole })).toMatchObject({ 'object-foreign': 1 });
    const present = { ...built.range, end: built.range.end + HOUR };
    expect(await judge(built, { range: present })).toMatchObject({ 'object-foreign': 1 });
  });
});

it('strays of the log tree are not looked for where only digests are, nor any where none are', async () => {
  const strays = trail().addObject(`${TREE}/CloudTrail/us-east-1/2026/evil`, 'x');
  const built = strays.addObject(`${TREE}/CloudTrail-Digest/us-east-1/2026/evil`, 'x').build();
  expect(await judge(built, { inventory: 'digests' })).toEqual(but({ 'object-foreign': 1 }));
  expect(await judge(built, { inventory: 'off' })).toEqual(INTACT);
});

describe.each([
  ['the whole bucket', null],
  ['a named prefix', 'p/'],
])('of %s', (_name, prefix) => {
  it.each([
    ['an account number with a digit less', 'AWSLogs/12345678901/CloudTrail/us-east-1/2026/03/01/x'],
    ['an account number with a digit more', 'AWSLogs/1234567890123/CloudTrail-Digest/us-east-1/2026/03/01/x'],
    ['an account number that is none, with anything in it', 'AWSLogs/12345678901/x'],
    ['an account of letters', 'AWSLogs/backup/CloudTrail/x'],
    ['a member of an organization that is no account', 'AWSLogs/o-abc123/12345678901/CloudTrail/x'],
    ['an account in an organization of another spelling', 'AWSLogs/O-ABC/123456789012/CloudTrail/x'],
  ])('%s is foreign', async (_account, key) => {
    const built = trail({ prefix: 'p' }).addObject(`p/${key}`, 'x').build();
    expect(await judge(built, { scope: { prefix } })).toEqual(but({ 'object-foreign': 1 }));
  });
});

it('strays cost a listing for the Region, each year and each month, however many days and objects there are', async () => {
  const VERSIONS = 1;
  // The range looks back a week, into a month that is asked for before it is known not to be there.
  const FEBRUARY = 1;
  const listings = async (objects: number, inventory: 'digests' | 'off') => {
    let strays = trail();
    for (let i = 0; i < objects; i++)
      strays = strays.addObject(`${TREE}/CloudTrail-Digest/us-east-1/2026/03/x/${i}`, 'x');
    const source = sourceOf(strays.build());
    await verdictsOf({ ...requestFor(strays.build(), source), inventory });
    return source.requests.list;
  };
  expect((await listings(200, 'digests')) - (await listings(200, 'off'))).toBe(3 + VERSIONS + FEBRUARY);
  expect(await listings(200, 'digests')).toBe(await listings(1, 'digests'));
});

it('a bucket that goes deeper than it is searched is not called proven', async () => {
  const built = trail().addObject('a/b/c/d/e/f/g/h', 'x').build();
  const verdicts = await verdictsOf(requestFor(built));
  expect(countKinds(verdicts)).toEqual(but({ 'digest-error': 1 }));
  expect(verdicts.find(({ kind }) => kind === 'digest-error')).toMatchObject({
    subject: { key: 'a/b/c/d/e/f/g/' },
    facts: { code: 'TooDeep' },
  });
  expect(verdicts.map((each) => toFinding(each)).find(({ control }) => control === 'digest-error')?.remedy).toContain(
    '--s3-prefix /',
  );
  expect(await judge(built, { scope: { prefix: '' } })).toEqual(INTACT);
  expect(await judge(trail().addObject('a/b/c/d/e/f/g', 'x').build())).toEqual(INTACT);
});

it('a copy on disk, which does not know its bucket, is held to what its digests say of theirs', async () => {
  const built = trail().writeDigest(3, { previousDigestS3Bucket: 'another-bucket' }).build();
  const directory = tempDir();
  writeTrail(directory, built);
  const verdicts = await verdictsOf(requestFor(built, await directorySource(directory)));
  expect(countKinds(verdicts)).toEqual(but({ 'link-linked': 4, 'link-broken': 1 }));
});

describe.skipIf(process.platform !== 'linux')('a name in a copy on disk that is not UTF-8 is told', () => {
  const day = `${TREE}/CloudTrail/us-east-1/2026/03/01`;
  it.each<[string, string, Kinds]>([
    ['in the digest tree', `${day.replace('CloudTrail', 'CloudTrail-Digest')}/\xff.json.gz`, { 'object-foreign': 1 }],
    ['among the logs', `${day}/\xff.json.gz`, { 'object-foreign': 1 }],
    ['of a folder among the logs', `${day}/\xff/x`, { 'object-foreign': 1 }],
    ['beside the days', `${TREE}/CloudTrail/us-east-1/2026/03/\xff/x`, { 'object-foreign': 1 }],
    ['in the place of a Region', `${TREE}/CloudTrail/\xff/x`, { 'object-foreign': 1 }],
    ['in the place of an account', 'AWSLogs/\xff/x', { 'digest-error': 1 }],
    ['in front of a whole trail', '\xff/AWSLogs/123456789012/CloudTrail/x', { 'digest-error': 1 }],
  ])('%s', async (_where, name, expected) => {
    const built = trail().build();
    const directory = tempDir();
    writeTrail(directory, built);
    const path = Buffer.from(`${directory}/${name}`, 'latin1');
    mkdirSync(path.subarray(0, path.lastIndexOf('/')), { recursive: true });
    writeFileSync(path, 'x');
    const verdicts = await verdictsOf(requestFor(built, await directorySource(directory)));
    expect(countKinds(verdicts)).toEqual(but(expected));
  });
});
