import { describe, expect, it } from 'vitest';
import { absent, known } from '../../../src/posture/evidence.ts';
import type { PostureScope } from '../../../src/posture/scope.ts';
import type { Snapshot } from '../../../src/posture/snapshot.ts';
import type { AdvancedSelector, EventSelectors, FieldSelector } from '../../../src/posture/trail-facts.ts';
import type { Outcome } from '../../../src/report/finding.ts';
import {
  ACCOUNT,
  type bucketFacts,
  DENIED,
  findingOf,
  GOOD_DESCRIPTION,
  LOG_BUCKET,
  STATE_BUCKET,
  scope,
  snapshot,
  trailFacts,
  withBucket,
  withDescription,
  withTrail,
} from '../../support/snapshot.ts';

const MANAGEMENT = { FieldSelectors: [{ Field: 'eventCategory', Equals: ['Management'] }] };
const objects = (...fields: FieldSelector[]): AdvancedSelector => ({
  Name: 'Management events and all S3 data events',
  FieldSelectors: [
    { Field: 'eventCategory', Equals: ['Data'] },
    { Field: 'resources.type', Equals: ['AWS::S3::Object'] },
    ...fields,
  ],
});
const startsWith = (...values: string[]): FieldSelector => ({ Field: 'resources.ARN', StartsWith: values });
const selecting = (selectors: EventSelectors) => withTrail({ eventSelectors: known(selectors) });
const advanced = (...AdvancedEventSelectors: AdvancedSelector[]) => selecting({ AdvancedEventSelectors });
const withState = (patch: Partial<ReturnType<typeof bucketFacts>>): Snapshot => {
  const good = snapshot();
  return { ...good, buckets: good.buckets.map((one) => (one.bucket === STATE_BUCKET ? { ...one, ...patch } : one)) };
};
const twoTrails = (second: Parameters<typeof trailFacts>[0], first: EventSelectors = {}) =>
  snapshot({
    trails: [
      trailFacts({ eventSelectors: known(first) }),
      trailFacts({ arn: `arn:aws:cloudtrail:eu-west-2:${ACCOUNT}:trail/data`, name: 'data', ...second }),
    ],
  });

type Row = [what: string, given: Snapshot, outcome: Outcome, demanded?: PostureScope];
const table = (id: string, rows: Row[]) =>
  describe(id, () => {
    it.each(rows)('%s', (_, given, outcome, demanded = scope()) => {
      expect(findingOf(id, given, demanded).outcome).toBe(outcome);
    });
  });

table('SEL-01', [
  ['a Management selector', snapshot(), 'pass'],
  ['nothing set', selecting({}), 'pass'],
  ['data events only, whatever the Name says', advanced(objects()), 'fail'],
  ['write events only', selecting({ EventSelectors: [{ ReadWriteType: 'WriteOnly' }] }), 'fail'],
  ['without KMS', selecting({ EventSelectors: [{ ExcludeManagementEventSources: ['kms.amazonaws.com'] }] }), 'fail'],
  [
    'without KMS, which the config allows',
    selecting({ EventSelectors: [{ ExcludeManagementEventSources: ['kms.amazonaws.com'] }] }),
    'pass',
    scope({ allowExcludeKms: true }),
  ],
  [
    'without KMS, where the config allows RDS data',
    selecting({ EventSelectors: [{ ExcludeManagementEventSources: ['kms.amazonaws.com'] }] }),
    'fail',
    scope({ allowExcludeRdsdata: true }),
  ],
  ['on the second trail', twoTrails({ eventSelectors: known({}) }, { AdvancedEventSelectors: [objects()] }), 'pass'],
  [
    'on a second trail that is stopped',
    twoTrails(
      { eventSelectors: known({}), status: known({ IsLogging: false }) },
      { AdvancedEventSelectors: [objects()] },
    ),
    'fail',
  ],
  [
    'perhaps on a second trail',
    twoTrails({ eventSelectors: DENIED }, { AdvancedEventSelectors: [objects()] }),
    'inconclusive',
  ],
  ['in one Region of two', withDescription({ IsMultiRegionTrail: false }), 'fail'],
  ['refused', withTrail({ eventSelectors: DENIED }), 'inconclusive'],
  ['a stopped trail', withTrail({ status: known({ IsLogging: false }) }), 'fail'],
]);

it('SEL-01 names what is missing and where', () => {
  const finding = findingOf('SEL-01', withDescription({ IsMultiRegionTrail: false }));
  expect(finding.evidence).toMatchObject({
    missing: { 'us-east-1': ['read kms', 'read rdsdata', 'read other', 'write kms', 'write rdsdata', 'write other'] },
  });
});

const prefixed = scope({
  stateBuckets: [{ bucket: STATE_BUCKET, owner: ACCOUNT, keyPrefixes: ['env:/', '*.tflock'] }],
});
const otherOwner = scope({ stateBuckets: [{ bucket: STATE_BUCKET, owner: '999999999999', keyPrefixes: [''] }] });
const local = (homeRegion: string) =>
  withTrail({
    homeRegion,
    description: known({ ...GOOD_DESCRIPTION, IsMultiRegionTrail: false, HomeRegion: homeRegion }),
  });
table('SEL-02', [
  ['the bucket', snapshot(), 'pass'],
  ['all buckets', advanced(MANAGEMENT, objects()), 'pass'],
  ['any advanced S3 selector, whatever its ARN', advanced(objects(startsWith('arn:aws:s3:::other/'))), 'fail'],
  [
    'any advanced S3 selector, whatever its readOnly',
    advanced(objects({ Field: 'readOnly', Equals: ['true'] })),
    'fail',
  ],
  [
    'any advanced S3 selector, whatever its filters',
    advanced(objects({ Field: 'eventName', Equals: ['PutObject'] })),
    'fail',
  ],
  ['a bucket whose name begins the same', advanced(objects(startsWith(`arn:aws:s3:::${STATE_BUCKET}-old/`))), 'fail'],
  [
    'Equals on the bucket',
    advanced(objects({ Field: 'resources.ARN', Equals: [`arn:aws:s3:::${STATE_BUCKET}/`] })),
    'fail',
  ],
  [
    'two halves on two trails',
    twoTrails(
      { eventSelectors: known({ AdvancedEventSelectors: [objects({ Field: 'readOnly', Equals: ['false'] })] }) },
      { AdvancedEventSelectors: [objects({ Field: 'readOnly', Equals: ['true'] })] },
    ),
    'pass',
  ],
  ['a trail of the Region of the bucket', local('eu-west-2'), 'pass'],
  ['a trail of another Region', local('us-east-1'), 'fail'],
  [
    'no selector for it, and the list of a Region that does not matter refused',
    {
      ...advanced(MANAGEMENT),
      trailLists: [...snapshot().trailLists.slice(0, 1), { region: 'us-east-1', list: DENIED }],
    },
    'fail',
  ],
  [
    'a trail of some Region, the bucket in no known one',
    { ...local('eu-west-2'), buckets: withState({ location: DENIED }).buckets },
    'inconclusive',
  ],
  ['key prefixes', advanced(objects(startsWith(`arn:aws:s3:::${STATE_BUCKET}/env:/`))), 'fail', prefixed],
  [
    'key prefixes and lock files',
    advanced(
      objects(startsWith(`arn:aws:s3:::${STATE_BUCKET}/env:/`)),
      objects({ Field: 'resources.ARN', EndsWith: ['.tflock'] }),
    ),
    'pass',
    prefixed,
  ],
  [
    'a bucket of another account, whose trails nobody sees',
    withState({ expectedOwner: '999999999999' }),
    'inconclusive',
    otherOwner,
  ],
  [
    'a bucket of another account under an organization trail',
    {
      ...withState({ expectedOwner: '999999999999' }),
      trails: withDescription({ IsOrganizationTrail: true }).trails,
    },
    'pass',
    otherOwner,
  ],
  ['refused', withTrail({ eventSelectors: DENIED }), 'inconclusive'],
  [
    'refused on one trail, full on the other',
    twoTrails({ eventSelectors: DENIED }, { AdvancedEventSelectors: [objects()] }),
    'pass',
  ],
  ['no such bucket', withState({ location: absent('NoSuchBucket') }), 'fail'],
  ['no state bucket', snapshot(), 'not-applicable', scope({ stateBuckets: [] })],
]);

it('SEL-02 says which selector leaves out what', () => {
  const finding = findingOf('SEL-02', advanced(MANAGEMENT, objects({ Field: 'eventName', Equals: ['PutObject'] })));
  expect(finding.evidence).toMatchObject({
    coverage: 'partial',
    selectors: [{ form: 'advanced', index: 1, reason: 'only events with eventName Equals PutObject' }],
  });
});

table('SEL-03', [
  ['the bucket', snapshot(), 'pass'],
  ['write half', advanced(objects({ Field: 'readOnly', Equals: ['false'] })), 'fail'],
  ['read half', advanced(objects({ Field: 'readOnly', Equals: ['true'] })), 'pass'],
  ['refused', withTrail({ eventSelectors: DENIED }), 'inconclusive'],
  ['no state bucket', snapshot(), 'not-applicable', scope({ stateBuckets: [] })],
]);

table('SEL-04', [
  ['the log bucket', snapshot(), 'pass'],
  [
    'only its digests',
    advanced(objects(startsWith(`arn:aws:s3:::${LOG_BUCKET}/AWSLogs/${ACCOUNT}/CloudTrail-Digest/`))),
    'fail',
  ],
  ['only the state bucket', advanced(objects(startsWith(`arn:aws:s3:::${STATE_BUCKET}/`))), 'fail'],
  ['only reads', advanced(objects({ Field: 'readOnly', Equals: ['true'] })), 'fail'],
  ['refused', withTrail({ eventSelectors: DENIED }), 'inconclusive'],
  [
    'a log-archive account whose trails nobody sees',
    { ...withBucket({ expectedOwner: '999999999999' }), trails: advanced(MANAGEMENT).trails },
    'inconclusive',
  ],
  ['no log bucket', withTrail({ description: known({}) }), 'not-applicable'],
]);

table('SEL-05', [
  ['sound values', snapshot(), 'pass'],
  ['an asterisk', advanced(objects(startsWith(`arn:aws:s3:::${STATE_BUCKET}/*`))), 'fail'],
  ['no slash', advanced(objects(startsWith(`arn:aws:s3:::${STATE_BUCKET}`))), 'fail'],
  [
    'a bucket that is gone',
    {
      ...advanced(objects(startsWith(`arn:aws:s3:::${STATE_BUCKET}/`))),
      buckets: withState({ location: absent('NoSuchBucket') }).buckets,
    },
    'fail',
  ],
  ['refused', withTrail({ eventSelectors: DENIED }), 'inconclusive'],
]);
