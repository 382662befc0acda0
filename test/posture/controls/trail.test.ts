import { describe, expect, it } from 'vitest';
import { absent, known } from '../../../src/posture/evidence.ts';
import { judge } from '../../../src/posture/judge.ts';
import type { PostureScope } from '../../../src/posture/scope.ts';
import type { Snapshot } from '../../../src/posture/snapshot.ts';
import type { TrailDescription, TrailFacts, TrailStatus } from '../../../src/posture/trail-facts.ts';
import type { Outcome } from '../../../src/report/finding.ts';
import {
  ACCOUNT,
  DENIED,
  findingOf,
  GOOD_DESCRIPTION,
  LOG_BUCKET,
  scope,
  snapshot,
  TRAIL_ARN,
  trailFacts,
  withBucket,
  withDescription,
  withTrail,
} from '../../support/snapshot.ts';

const status = (patch: TrailStatus): Snapshot =>
  withTrail({
    status: known({
      IsLogging: true,
      LatestDeliveryTime: '2026-03-01T11:50:00.000Z',
      LatestDigestDeliveryTime: '2026-03-01T11:20:00.000Z',
      ...patch,
    }),
  });
const expecting = (patch: { bucket?: string; prefix?: string } = {}) =>
  scope({ trails: [{ arn: TRAIL_ARN, bucket: patch.bucket ?? null, prefix: patch.prefix ?? null }] });
const unlisted = (list: Snapshot['trailLists'][number]['list']): Partial<Snapshot> => ({
  trails: [],
  trailLists: [{ region: 'eu-west-2', list }],
});
const localTrail = (region: string, patch: Partial<TrailFacts> = {}, description: TrailDescription = {}): TrailFacts =>
  trailFacts({
    arn: `arn:aws:cloudtrail:${region}:${ACCOUNT}:trail/${region}`,
    name: region,
    homeRegion: region,
    description: known({ ...GOOD_DESCRIPTION, HomeRegion: region, IsMultiRegionTrail: false, ...description }),
    ...patch,
  });

type Row = [what: string, given: Snapshot, outcome: Outcome, demanded?: PostureScope];
const table = (id: string, rows: Row[]) =>
  describe(id, () => {
    it.each(rows)('%s', (_, given, outcome, demanded = scope()) => {
      expect(findingOf(id, given, demanded).outcome).toBe(outcome);
    });
  });

table('TRAIL-01', [
  ['one is there', snapshot(), 'pass'],
  ['the one named is there', snapshot(), 'pass', expecting()],
  ['none, every list read', snapshot(unlisted(known([]))), 'fail'],
  ['none seen, one list refused', snapshot(unlisted(DENIED)), 'inconclusive'],
  ['nobody asked', snapshot({ trails: [], trailLists: [] }), 'inconclusive'],
  ['one is there, another list refused', snapshot({ trailLists: [{ region: 'us-east-1', list: DENIED }] }), 'pass'],
  ['the one named is missing', withTrail({ description: absent('TrailNotFound') }), 'fail', expecting()],
  ['the one named could not be read', withTrail({ description: DENIED }), 'inconclusive', expecting()],
  ['the one named was not asked for', snapshot({ trails: [] }), 'inconclusive', expecting()],
]);

table('TRAIL-02', [
  ['logging', snapshot(), 'pass'],
  ['stopped', status({ IsLogging: false, StopLoggingTime: '2026-02-01T00:00:00.000Z' }), 'fail'],
  ['an answer without the field', withTrail({ status: known({}) }), 'inconclusive'],
  ['refused', withTrail({ status: DENIED }), 'inconclusive'],
  ['no trail', snapshot(unlisted(known([]))), 'not-applicable'],
]);

it('TRAIL-02 tells when logging stopped', () => {
  const finding = findingOf('TRAIL-02', status({ IsLogging: false, StopLoggingTime: '2026-02-01T00:00:00.000Z' }));
  expect(finding.evidence).toMatchObject({ IsLogging: false, StopLoggingTime: '2026-02-01T00:00:00.000Z' });
});

table('TRAIL-03', [
  ['all Regions', snapshot(), 'pass'],
  ['one Region', withDescription({ IsMultiRegionTrail: false }), 'fail'],
  ['without global services', withDescription({ IncludeGlobalServiceEvents: false }), 'fail'],
  ['not readable', withTrail({ description: DENIED }), 'inconclusive'],
]);

const bothLocal = [localTrail('eu-west-2'), localTrail('us-east-1')];
table('TRAIL-04', [
  ['a multi-Region trail, Regions unread', snapshot({ regions: DENIED }), 'pass'],
  ['a trail in each Region', snapshot({ trails: bothLocal }), 'pass'],
  ['a trail in one of two', snapshot({ trails: [localTrail('eu-west-2')] }), 'fail'],
  [
    'a trail in each, one stopped',
    snapshot({ trails: [localTrail('eu-west-2'), localTrail('us-east-1', { status: known({ IsLogging: false }) })] }),
    'fail',
  ],
  [
    'a trail in each, one of unknown status',
    snapshot({ trails: [localTrail('eu-west-2'), localTrail('us-east-1', { status: DENIED })] }),
    'inconclusive',
  ],
  [
    'a trail in one, the list of the other refused',
    snapshot({
      trails: [localTrail('eu-west-2')],
      trailLists: [
        { region: 'eu-west-2', list: known([]) },
        { region: 'us-east-1', list: DENIED },
      ],
    }),
    'inconclusive',
  ],
  [
    'none in one, the list of the other refused',
    snapshot({
      trails: [],
      trailLists: [
        { region: 'eu-west-2', list: known([]) },
        { region: 'us-east-1', list: DENIED },
      ],
    }),
    'fail',
  ],
  ['single-Region trails, Regions unread', snapshot({ trails: bothLocal, regions: DENIED }), 'inconclusive'],
  [
    'a multi-Region trail of another account does not count',
    snapshot({ trails: [localTrail('eu-west-2', { account: '999999999999' }, { IsMultiRegionTrail: true })] }),
    'fail',
  ],
  [
    'an organization trail of another account does',
    snapshot({
      trails: [
        localTrail('eu-west-2', { account: '999999999999' }, { IsMultiRegionTrail: true, IsOrganizationTrail: true }),
      ],
    }),
    'pass',
  ],
]);

const organization = scope({ organization: true });
const organizationTrail = withDescription({ IsOrganizationTrail: true }).trails;
table('TRAIL-05', [
  ['not demanded', snapshot(), 'not-applicable'],
  [
    'an organization trail',
    snapshot({ trails: organizationTrail, organization: known({ Id: 'o-1' }) }),
    'pass',
    organization,
  ],
  ['a trail of one account', snapshot({ organization: known({ Id: 'o-1' }) }), 'fail', organization],
  ['no organization', snapshot({ trails: organizationTrail }), 'fail', organization],
  ['not readable', snapshot({ trails: organizationTrail, organization: DENIED }), 'inconclusive', organization],
]);

table('TRAIL-06', [
  ['fresh', snapshot(), 'pass'],
  ['an error', status({ LatestDeliveryError: 'NoSuchBucket' }), 'fail'],
  ['at the limit', status({ LatestDeliveryTime: '2026-02-28T12:00:00.000Z' }), 'pass'],
  ['over it', status({ LatestDeliveryTime: '2026-02-28T11:59:59.000Z' }), 'fail'],
  [
    'over it, but the config allows more',
    status({ LatestDeliveryTime: '2026-02-27T12:00:00.000Z' }),
    'pass',
    scope({ deliveryMaxAge: 48 }),
  ],
  ['never', withTrail({ status: known({ IsLogging: true }) }), 'fail'],
  ['not a time', status({ LatestDeliveryTime: 'yesterday' }), 'inconclusive'],
  ['by a clock that is minutes ahead', status({ LatestDeliveryTime: '2026-03-01T12:05:00.000Z' }), 'pass'],
  ['in the future', status({ LatestDeliveryTime: '2026-03-01T12:05:01.000Z' }), 'inconclusive'],
  [
    'in the future, with an error',
    status({ LatestDeliveryTime: '2027-03-01T12:05:01.000Z', LatestDeliveryError: 'NoSuchBucket' }),
    'fail',
  ],
  ['refused', withTrail({ status: DENIED }), 'inconclusive'],
]);

table('TRAIL-07', [
  ['on', snapshot(), 'pass'],
  ['off', withDescription({ LogFileValidationEnabled: false }), 'fail'],
  ['not readable', withTrail({ description: DENIED }), 'inconclusive'],
]);

table('TRAIL-08', [
  ['fresh', snapshot(), 'pass'],
  ['an error', status({ LatestDigestDeliveryError: 'AccessDenied' }), 'fail'],
  ['three hours old', status({ LatestDigestDeliveryTime: '2026-03-01T09:00:00.000Z' }), 'pass'],
  ['older', status({ LatestDigestDeliveryTime: '2026-03-01T08:59:00.000Z' }), 'fail'],
  ['by a clock that is minutes ahead', status({ LatestDigestDeliveryTime: '2026-03-01T12:05:00.000Z' }), 'pass'],
  ['in the future', status({ LatestDigestDeliveryTime: '2026-03-01T12:05:01.000Z' }), 'inconclusive'],
  ['not a time', status({ LatestDigestDeliveryTime: 'soon' }), 'inconclusive'],
  ['never', withTrail({ status: known({ IsLogging: true }) }), 'fail'],
  ['validation off', withDescription({ LogFileValidationEnabled: false }), 'not-applicable'],
  ['refused', withTrail({ status: DENIED }), 'inconclusive'],
]);

table('TRAIL-09', [
  ['nothing said', snapshot(), 'pass'],
  ['the bucket of the config', snapshot(), 'pass', expecting({ bucket: LOG_BUCKET, prefix: '' })],
  ['another bucket', snapshot(), 'fail', expecting({ bucket: 'acme-other' })],
  ['a bucket whose name begins the same', snapshot(), 'fail', expecting({ bucket: `${LOG_BUCKET}-2` })],
  ['another prefix', snapshot(), 'fail', expecting({ bucket: LOG_BUCKET, prefix: 'org' })],
  ['the prefix, slashes aside', withDescription({ S3KeyPrefix: 'org/' }), 'pass', expecting({ prefix: 'org' })],
  ['no such bucket', withBucket({ location: absent('NoSuchBucket') }), 'fail'],
  ['a bucket of another account', withBucket({ ownedAsExpected: known(false) }), 'fail'],
  ['a bucket that does not answer', withBucket({ location: DENIED, ownedAsExpected: DENIED }), 'inconclusive'],
  [
    'another bucket, that does not answer',
    withBucket({ location: DENIED, ownedAsExpected: DENIED }),
    'fail',
    expecting({ bucket: 'acme-other' }),
  ],
  ['not readable', withTrail({ description: DENIED }), 'inconclusive'],
]);

const insights = scope({ optIn: ['TRAIL-11'] });
table('TRAIL-11', [
  [
    'on',
    withTrail({ insightSelectors: known({ InsightSelectors: [{ InsightType: 'ApiCallRateInsight' }] }) }),
    'pass',
    insights,
  ],
  ['off', snapshot(), 'fail', insights],
  ['refused', withTrail({ insightSelectors: DENIED }), 'inconclusive', insights],
]);

it('a trail seen in many Regions is judged once', () => {
  const findings = judge(snapshot(), scope()).filter(({ control }) => control === 'TRAIL-02');
  expect(findings.map(({ subject }) => subject.arn)).toEqual([TRAIL_ARN]);
});

it('when everything is refused every applicable trail control is inconclusive', () => {
  const blind = snapshot({
    identity: DENIED,
    regions: DENIED,
    trails: [],
    trailLists: [{ region: 'eu-west-2', list: DENIED }],
    buckets: [],
    eventDataStores: DENIED,
  });
  const outcomes = judge(blind, scope())
    .filter(({ control }) => control.startsWith('TRAIL') && control !== 'TRAIL-05')
    .map(({ outcome }) => outcome);
  expect(new Set(outcomes)).toEqual(new Set(['inconclusive']));
});

it('says of a delivery in the future that the clocks are to be compared', () => {
  expect(findingOf('TRAIL-08', status({ LatestDigestDeliveryTime: '2027-03-01T00:00:00.000Z' }))).toMatchObject({
    message: expect.stringContaining('LatestDigestDeliveryTimeLiesInTheFuture'),
    remedy: expect.stringContaining('compare the clock'),
  });
});
