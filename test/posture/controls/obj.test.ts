import { describe, expect, it } from 'vitest';
import { absent, known, type Unknown, unknown } from '../../../src/posture/evidence.ts';
import type {
  Counted,
  ObjectKind,
  ObjectSurvey,
  Retention,
  SampledVersion,
} from '../../../src/posture/object-facts.ts';
import { DEFAULT_REQUIREMENTS, type PostureScope } from '../../../src/posture/scope.ts';
import type { Snapshot } from '../../../src/posture/snapshot.ts';
import type { Outcome } from '../../../src/report/finding.ts';
import { DENIED, findingOf, scope, snapshot, withBucket } from '../../support/snapshot.ts';

const surveyed = scope({ objects: { sample: 'all', seed: 7 } });
const none: Counted = { count: 0, first: [] };
const NO_RETENTION = absent('NoSuchObjectLockConfiguration');
const GONE: Unknown = unknown(
  'not-found',
  { api: 'GetObjectRetention', iamAction: 's3:GetObjectRetention' },
  'NoSuchVersion',
);

const BORN = '2026-02-01T00:00:00.000Z';
const YEAR_LATER = '2027-02-01T00:00:00.000Z';
const version = (patch: Partial<SampledVersion> = {}): SampledVersion => ({
  kind: 'log',
  Key: `AWSLogs/111122223333/${patch.kind === 'digest' ? 'CloudTrail-Digest' : 'CloudTrail'}/eu-west-2/2026/02/01/x.json.gz`,
  VersionId: 'v1',
  IsLatest: true,
  LastModified: BORN,
  retention: known({ Mode: 'COMPLIANCE', RetainUntilDate: YEAR_LATER }),
  legalHold: known({ Status: 'OFF' }),
  ...patch,
});
const survey = (sampled: SampledVersion[], patch: Partial<ObjectSurvey> = {}): Snapshot => {
  const count = (kind: ObjectKind) => sampled.filter((one) => one.kind === kind).length;
  return withBucket({
    objects: known({
      prefixes: [''],
      complete: true,
      population: { log: count('log'), digest: count('digest') },
      deleteMarkers: none,
      overwritten: none,
      preVersioning: none,
      archived: none,
      sample: { size: 'all', seed: 7 },
      sampled,
      ...patch,
    }),
  });
};
const good = [version(), version({ kind: 'digest' })];
const counted = (...versions: SampledVersion[]): Counted => ({ count: versions.length, first: versions });
const partly = { population: { log: 9, digest: 9 }, sample: { size: 1, seed: 7 } };

type Row = [what: string, given: Snapshot, outcome: Outcome, demanded?: PostureScope];
const table = (id: string, rows: Row[]) =>
  describe(id, () => {
    const always: Row[] = [
      ['not asked for', survey(good), 'not-applicable', scope()],
      ['refused', withBucket({ objects: DENIED }), 'inconclusive'],
    ];
    it.each([...rows, ...always])('%s', (_, given, outcome, demanded = surveyed) => {
      expect(findingOf(id, given, demanded).outcome).toBe(outcome);
    });
  });

const accepting = {
  ...surveyed,
  logBucketDefaults: { ...DEFAULT_REQUIREMENTS, lock: { mode: 'GOVERNANCE', days: 365 } },
} satisfies PostureScope;
const retentions = (kind: ObjectKind): Row[] => {
  const one = (retention: SampledVersion['retention'], more: Partial<SampledVersion> = {}) =>
    survey([version({ kind, retention, ...more }), version({ kind })]);
  const locked = (retention: Retention) => one(known(retention));
  return [
    ['all locked', survey([version({ kind }), version({ kind })]), 'pass'],
    ['none yet', survey([]), 'not-applicable'],
    ['one unlocked', one(NO_RETENTION), 'fail'],
    ['one in GOVERNANCE', locked({ Mode: 'GOVERNANCE', RetainUntilDate: YEAR_LATER }), 'fail'],
    [
      'one in GOVERNANCE where accepted',
      locked({ Mode: 'GOVERNANCE', RetainUntilDate: YEAR_LATER }),
      'pass',
      accepting,
    ],
    ['one short by the rounding', locked({ Mode: 'COMPLIANCE', RetainUntilDate: '2027-01-31T23:59:58.913Z' }), 'pass'],
    ['one short', locked({ Mode: 'COMPLIANCE', RetainUntilDate: '2027-01-31T23:59:57.000Z' }), 'fail'],
    ['one over', locked({ Mode: 'COMPLIANCE', RetainUntilDate: '2026-02-02T00:00:00.000Z' }), 'fail'],
    ['one under an event hold only', locked({ EventHold: 'ON' }), 'fail'],
    ['one refused: not read is not unlocked', one(DENIED), 'inconclusive'],
    [
      'one refused, one unlocked',
      survey([version({ kind, retention: DENIED }), version({ kind, retention: NO_RETENTION })]),
      'fail',
    ],
    ['one gone that ought to be locked', one(GONE), 'fail'],
    ['one gone that was old enough', one(GONE, { LastModified: '2024-01-01T00:00:00.000Z' }), 'pass'],
    ['one gone whose date is none', one(GONE, { LastModified: 'yesterday' }), 'inconclusive'],
    ['a sample that is all locked proves nothing', survey([version({ kind })], partly), 'inconclusive'],
    ['a sample with one unlocked', survey([version({ kind, retention: NO_RETENTION })], partly), 'fail'],
    ['a listing that broke off', survey([version({ kind })], { complete: false }), 'inconclusive'],
  ];
};
table('OBJ-01', [
  ...retentions('log'),
  [
    'an unlocked digest is not its business',
    survey([version(), version({ kind: 'digest', retention: NO_RETENTION })]),
    'pass',
  ],
]);
table('OBJ-02', [
  ...retentions('digest'),
  [
    'an unlocked log is not its business',
    survey([version({ retention: NO_RETENTION }), version({ kind: 'digest' })]),
    'pass',
  ],
]);

it('OBJ-01 tells population, sample and seed', () => {
  const given = survey([version({ retention: NO_RETENTION })], partly);
  expect(findingOf('OBJ-01', given, surveyed).evidence).toMatchObject({
    population: 9,
    sampled: 1,
    seed: 7,
    counts: { unlocked: 1 },
  });
});

const listings = (field: 'deleteMarkers' | 'overwritten'): Row[] => [
  ['none', survey(good), 'pass'],
  ['one', survey(good, { [field]: counted(version()) }), 'fail'],
  ['one in a listing that broke off', survey(good, { [field]: counted(version()), complete: false }), 'fail'],
  ['none in a listing that broke off', survey(good, { complete: false }), 'inconclusive'],
  ['none, and a sample is no matter', survey(good, partly), 'pass'],
];
const versioned = (given: Snapshot): Snapshot => ({
  ...given,
  buckets: given.buckets.map((facts) => ({ ...facts, versioning: known({}) })),
});
table('OBJ-03', [...listings('deleteMarkers'), ['versions never on', versioned(survey(good)), 'not-applicable']]);
table('OBJ-04', listings('overwritten'));

const old = version({ VersionId: 'null' });
table('OBJ-05', [
  ['all locked', survey(good), 'pass'],
  ['one without retention', survey([...good, version({ retention: NO_RETENTION })]), 'fail'],
  ['from before versions, but locked since', survey([...good, old], { preVersioning: counted(old) }), 'pass'],
  ['from before versions, not sampled', survey(good, { ...partly, preVersioning: counted(old) }), 'inconclusive'],
  ['a sample', survey(good, partly), 'inconclusive'],
  ['one refused', survey([...good, version({ retention: DENIED })]), 'inconclusive'],
]);

const archived = (LastModified: string, patch: Partial<ObjectSurvey> = {}) =>
  survey(good, { archived: counted(version({ StorageClass: 'GLACIER', LastModified })), ...patch });
table('OBJ-06', [
  ['none archived', survey(good), 'pass'],
  ['an old one', archived('2025-11-30T00:00:00.000Z'), 'pass'],
  ['a recent one', archived('2025-12-02T00:00:00.000Z'), 'fail'],
  ['one whose date is none', archived('yesterday'), 'inconclusive'],
  ['an old one in a listing that broke off', archived('2025-01-01T00:00:00.000Z', { complete: false }), 'inconclusive'],
]);

table('OBJ-07', [
  ['none held', survey(good), 'pass'],
  ['one held', survey([version({ legalHold: known({ Status: 'ON' }) })]), 'pass'],
  ['one refused', survey([version({ legalHold: DENIED })]), 'inconclusive'],
]);

it('OBJ-07 counts holds', () => {
  const given = survey([
    version({ legalHold: known({ Status: 'ON' }), retention: known({ EventHold: 'ON' }) }),
    version(),
  ]);
  expect(findingOf('OBJ-07', given, surveyed).evidence).toMatchObject({ asked: 2, legalHold: 1, eventHold: 1 });
});

it('no trail and no log bucket is nothing to look at', () => {
  expect(findingOf('OBJ-01', snapshot({ trails: [] }), surveyed).outcome).toBe('not-applicable');
});
