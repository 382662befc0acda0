import { expect, test } from 'vitest';
import { bucketCoverage } from '../../../src/posture/selectors/data.ts';
import { managementCoverage, SOURCE_CLASSES } from '../../../src/posture/selectors/management.ts';
import { OPERATIONS } from '../../../src/posture/selectors/shapes.ts';
import type {
  AdvancedSelector,
  BasicSelector,
  EventSelectors,
  FieldSelector,
} from '../../../src/posture/trail-facts.ts';
import { fc, runs } from '../../support/property.ts';
import { type Reading, records, type WorldEvent } from './matcher.ts';

const READINGS: readonly Reading[] = ['any', 'every'];
const S3 = 'AWS::S3::Object';
const BUCKET = 'arn:aws:s3:::ab/';

const ARNS = [
  'arn:aws:s3',
  'arn:aws:s3:::',
  'arn:aws:s3:::a',
  'arn:aws:s3:::ab',
  'arn:aws:s3:::ab/',
  'arn:aws:s3:::abc/',
]
  .concat(['k', 'k/', 'k/x', 'z', 'k/x.tf', '*'].map((key) => `arn:aws:s3:::ab/${key}`))
  .concat(['.tf', 'x.tf', 'f', 'k']);
const PATTERNS = ['', 'k', 'k/', 'z', '*.tf', 'k/*.tf', 'k/x'];

/** Wide enough that every condition of the vocabulary splits it wherever it splits the keys that S3 could hold. */
const KEYS = new Set(
  PATTERNS.flatMap((pattern) =>
    ['', 'x', ...ARNS, ...ARNS.map((arn) => arn.slice(BUCKET.length))].flatMap((middle) =>
      ['', '.tf', 'x.tf'].map((end) => `${pattern.split('*')[0]}${middle}${end}`),
    ),
  ),
);
const dataWorld: WorldEvent[] = [...KEYS].flatMap((key) =>
  (['PutObject', 'GetObject', 'DeleteObject'] as const).map((name) => ({
    category: 'Data' as const,
    source: 's3.amazonaws.com',
    name,
    readOnly: name === 'GetObject',
    resource: { type: S3, arn: BUCKET + key },
  })),
);
const managementWorld: WorldEvent[] = [
  ...['kms.amazonaws.com', 'rdsdata.amazonaws.com', 'iam.amazonaws.com', 'sts.amazonaws.com'],
  ...['kms', '.com', 'x.io', 'kms.x.io'],
].flatMap((source) =>
  [true, false].map((readOnly) => ({
    category: 'Management' as const,
    source,
    name: readOnly ? 'GetThing' : 'PutThing',
    readOnly,
    resource: null,
  })),
);

const SOURCES = ['kms.amazonaws.com', 'rdsdata.amazonaws.com', 'iam.amazonaws.com', 'kms', '.com'];

const few = (values: readonly string[]) => fc.uniqueArray(fc.constantFrom(...values), { minLength: 1, maxLength: 2 });
const field = (name: string, values: readonly string[]): fc.Arbitrary<FieldSelector> =>
  fc
    .record(
      {
        Equals: few(values),
        StartsWith: few(values),
        EndsWith: few(values),
        NotEquals: few(values),
        NotStartsWith: few(values),
        NotEndsWith: few(values),
      },
      { requiredKeys: [] },
    )
    .filter((operators) => Object.keys(operators).length > 0 && Object.keys(operators).length < 3)
    .map((operators) => ({ Field: name, ...operators }));
const likely = (name: string, usual: string, rare: string): fc.Arbitrary<FieldSelector | null> =>
  fc.oneof(
    { weight: 12, arbitrary: fc.constant({ Field: name, Equals: [usual] }) },
    { weight: 1, arbitrary: fc.constant({ Field: name, Equals: [rare] }) },
    { weight: 1, arbitrary: fc.constant(null) },
  );
const absentIn = (one: number, of: number, field: fc.Arbitrary<FieldSelector>) =>
  fc.oneof({ weight: one, arbitrary: fc.constant(null) }, { weight: of - one, arbitrary: field });

const selectorOf = (...fields: fc.Arbitrary<FieldSelector | null>[]): fc.Arbitrary<AdvancedSelector> =>
  fc
    .tuple(...fields)
    .map((all) => ({ Name: 'Log everything', FieldSelectors: all.filter((one) => one !== null) }))
    .filter(({ FieldSelectors }) => FieldSelectors.length > 0);
const readOnly = absentIn(
  2,
  3,
  fc.constantFrom('true', 'false').map((value) => ({ Field: 'readOnly', Equals: [value] })),
);
const eventName = absentIn(9, 10, field('eventName', ['PutObject', 'GetObject', 'Delete']));
const advanced = fc.oneof(
  selectorOf(
    likely('eventCategory', 'Data', 'Management'),
    likely('resources.type', S3, 'AWS::Lambda::Function'),
    readOnly,
    absentIn(1, 8, field('resources.ARN', ARNS)),
    eventName,
  ),
  selectorOf(
    likely('eventCategory', 'Management', 'Data'),
    readOnly,
    absentIn(1, 4, field('eventSource', SOURCES)),
    eventName,
  ),
);
const basic: fc.Arbitrary<BasicSelector> = fc.record(
  {
    ReadWriteType: fc.constantFrom('All', 'ReadOnly', 'WriteOnly'),
    IncludeManagementEvents: fc.boolean(),
    ExcludeManagementEventSources: few(SOURCES.slice(0, 2)),
    DataResources: fc.array(fc.record({ Type: fc.constantFrom(S3, 'AWS::Lambda::Function'), Values: few(ARNS) }), {
      maxLength: 2,
    }),
  },
  { requiredKeys: [] },
);
const lists: fc.Arbitrary<EventSelectors> = fc.oneof(
  fc.array(advanced, { maxLength: 3 }).map((AdvancedEventSelectors) => ({ AdvancedEventSelectors })),
  fc.array(basic, { maxLength: 3 }).map((EventSelectors) => ({ EventSelectors })),
);
const owners = fc
  .array(lists, { maxLength: 2 })
  .map((all) => all.map((selectors, index) => ({ owner: `trail-${index}`, selectors })));

/** The same trails as one trail for each selector: to ask whether one selector alone does it. */
const singly = (all: readonly { selectors: EventSelectors }[]): EventSelectors[] =>
  all.flatMap(({ selectors }): EventSelectors[] => [
    ...(selectors.AdvancedEventSelectors ?? []).map((one) => ({ AdvancedEventSelectors: [one] })),
    ...(selectors.EventSelectors ?? []).map((one) => ({ EventSelectors: [one] })),
    ...((selectors.AdvancedEventSelectors ?? selectors.EventSelectors ?? []).length === 0 ? [{}] : []),
  ]);

/** What makes a stated partial out of a selector that selects everything: fields and forms that prove nothing. */
const conservative = (one: EventSelectors, category: 'Data' | 'Management'): boolean =>
  (one.AdvancedEventSelectors ?? []).some(({ FieldSelectors = [] }) => {
    const required = category === 'Data' ? ['eventCategory', 'resources.type'] : ['eventCategory'];
    const known =
      category === 'Data' ? [...required, 'readOnly', 'resources.ARN'] : [...required, 'readOnly', 'eventSource'];
    return (
      required.some((name) => !FieldSelectors.some(({ Field }) => Field === name)) ||
      FieldSelectors.some(({ Field = '' }) => !known.includes(Field)) ||
      (category === 'Management' &&
        FieldSelectors.some(({ StartsWith, EndsWith, NotStartsWith, NotEndsWith }) =>
          [StartsWith, EndsWith, NotStartsWith, NotEndsWith].some((values) => values !== undefined),
        ))
    );
  }) ||
  (one.EventSelectors ?? []).some(
    ({ DataResources = [] }) =>
      category === 'Data' && DataResources.some(({ Values = [] }) => Values.includes('arn:aws:s3:::a')),
  );

const RUNS = { numRuns: runs(400) };

test('data events: full leaves out no event in scope, none records none, and one selector that takes all is full', () => {
  const patterns = fc.uniqueArray(fc.constantFrom(...PATTERNS), { maxLength: 2 });
  const seen = { full: 0, partial: 0, none: 0 };
  fc.assert(
    fc.property(owners, patterns, fc.constantFrom(...OPERATIONS), (all, keys, operation) => {
      const inScope = (pattern: string) =>
        dataWorld.filter(({ resource, readOnly }) => {
          const [prefix = '', suffix = ''] = pattern.split('*');
          const key = resource?.arn.slice(BUCKET.length);
          return (
            key?.startsWith(prefix) &&
            key.endsWith(suffix) &&
            key.length >= prefix.length + suffix.length &&
            readOnly === (operation === 'read')
          );
        });
      const scopes = (keys.length === 0 ? [''] : keys).map(inScope);
      const coverage = bucketCoverage(all, { partition: 'aws', bucket: 'ab', keys }, operation);
      seen[coverage.kind]++;
      const recorded = (event: WorldEvent, reading: Reading) =>
        all.some(({ selectors }) => records(selectors, event, reading));
      if (coverage.kind === 'full')
        expect(scopes.flat().filter((event) => !READINGS.every((reading) => recorded(event, reading)))).toEqual([]);
      if (coverage.kind === 'none')
        expect(scopes.flat().filter((event) => READINGS.some((reading) => recorded(event, reading)))).toEqual([]);
      const enough = scopes.every((events) =>
        singly(all).some(
          (one) =>
            !conservative(one, 'Data') &&
            READINGS.every((reading) => events.every((event) => records(one, event, reading))),
        ),
      );
      if (enough) expect(coverage.kind).toBe('full');
    }),
    RUNS,
  );
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(20);
});

test('management events: the same, for each cell of the matrix', () => {
  const seen = { full: 0, partial: 0, none: 0 };
  fc.assert(
    fc.property(owners, (all) => {
      const matrix = managementCoverage(all);
      for (const operation of OPERATIONS)
        for (const source of SOURCE_CLASSES) {
          const coverage = matrix[operation][source];
          seen[coverage.kind]++;
          const events = managementWorld.filter((event) => {
            const [, classed = 'other'] = /^(kms|rdsdata)\.amazonaws\.com$/.exec(event.source) ?? [];
            return classed === source && event.readOnly === (operation === 'read');
          });
          for (const reading of READINGS) {
            const hits = events.map((event) => all.some(({ selectors }) => records(selectors, event, reading)));
            if (coverage.kind === 'full') expect(hits).not.toContain(false);
            if (coverage.kind === 'none') expect(hits).not.toContain(true);
          }
          const enough = singly(all).some(
            (one) =>
              !conservative(one, 'Management') &&
              READINGS.every((reading) => events.every((event) => records(one, event, reading))),
          );
          if (enough) expect(coverage.kind).toBe('full');
        }
    }),
    RUNS,
  );
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(20);
});
