import { describe, expect, it } from 'vitest';
import type { BucketFacts, LifecycleRule } from '../../../src/posture/bucket-facts.ts';
import { absent, known } from '../../../src/posture/evidence.ts';
import { DEFAULT_REQUIREMENTS, type LogBucketRequirements, type PostureScope } from '../../../src/posture/scope.ts';
import type { Snapshot } from '../../../src/posture/snapshot.ts';
import type { Outcome, Severity } from '../../../src/report/finding.ts';
import { ACCOUNT, DENIED, findingOf, GOOD_DESCRIPTION, scope, withBucket, withTrail } from '../../support/snapshot.ts';

const rule = (terms: LifecycleRule): LifecycleRule => ({ ID: 'r', Status: 'Enabled', Filter: {}, ...terms });
const expire = (days: number, terms: LifecycleRule = {}) => rule({ Expiration: { Days: days }, ...terms });
const noncurrent = (days: number) => rule({ ID: 'n', NoncurrentVersionExpiration: { NoncurrentDays: days } });
const tagged = { Filter: { Tag: { Key: 'class', Value: 'short' } } };
const withRules = (Rules: LifecycleRule[], more: Partial<BucketFacts> = {}) =>
  withBucket({ lifecycle: known({ Rules }), ...more });
const unlocked = { objectLock: absent('ObjectLockConfigurationNotFoundError') };
const never = { ...unlocked, versioning: known({}) };
const unread = { versioning: DENIED };
const demanding = (patch: Partial<LogBucketRequirements>): PostureScope =>
  scope({ logBucketDefaults: { ...DEFAULT_REQUIREMENTS, ...patch } });

type Row = [what: string, given: Snapshot, outcome: Outcome, severity?: Severity, demanded?: PostureScope];
const table = (id: string, usual: Severity, rows: Row[], always: PostureScope = scope()) =>
  describe(id, () => {
    const no: Row = ['no log bucket', withTrail({ description: known({}) }), 'not-applicable'];
    it.each([...rows, no])('%s', (_, given, outcome, severity = usual, demanded = always) => {
      expect(findingOf(id, given, demanded)).toMatchObject({ outcome, severity });
    });
  });

table('LIFE-01', 'high', [
  ['no lifecycle', withBucket({}), 'pass'],
  ['any rule is not a good rule', withRules([expire(30), noncurrent(1)], unlocked), 'fail'],
  ['the sum is long enough', withRules([expire(300), noncurrent(65)], unlocked), 'pass'],
  ['the sum is one day short', withRules([expire(300), noncurrent(64)], unlocked), 'fail'],
  ['under a lock that outlasts it', withRules([expire(30), noncurrent(1)]), 'fail', 'info'],
  ['longer than the lock', withRules([expire(400), noncurrent(1)]), 'fail', 'high', demanding({ keepDays: 730 })],
  ['without versions', withRules([expire(364)], never), 'fail'],
  ['by date', withRules([rule({ Expiration: { Date: '2031-01-01T00:00:00.000Z' } })], never), 'fail'],
  ['only for what somebody tags', withRules([expire(1, tagged), noncurrent(1)], unlocked), 'fail', 'low'],
  ['another prefix', withRules([expire(1, { Filter: { Prefix: 'tmp/' } })], never), 'pass'],
  ['versions unread, no matter', withRules([expire(365)], unread), 'pass'],
  ['versions unread, and it matters', withRules([expire(30)], unread), 'inconclusive'],
  [
    'versions unread, too early in each case',
    withRules([expire(30), noncurrent(1)], { ...unlocked, ...unread }),
    'fail',
  ],
  ['refused', withBucket({ lifecycle: DENIED }), 'inconclusive'],
]);

it('LIFE-01 names the rules and the days', () => {
  const finding = findingOf('LIFE-01', withRules([expire(30), noncurrent(1)], unlocked));
  expect(finding.evidence).toMatchObject({ deleted: { days: 31, rules: ['r', 'n'] }, required: 365 });
});

it('LIFE-01 looks under the prefix of the trail', () => {
  const given = withRules([expire(1, { Filter: { Prefix: 'org/AWSLogs/' } })], never);
  expect(findingOf('LIFE-01', given).outcome).toBe('pass');
  const description = known({ ...GOOD_DESCRIPTION, S3KeyPrefix: 'org' });
  expect(findingOf('LIFE-01', { ...given, trails: withTrail({ description }).trails }).outcome).toBe('fail');
});

table('LIFE-02', 'medium', [
  ['no lifecycle', withBucket({}), 'pass'],
  ['late enough', withRules([expire(365)]), 'pass'],
  ['too early, lock or no lock', withRules([expire(364)]), 'fail'],
  [
    'too early in a suspended bucket',
    withRules([expire(30)], { ...unlocked, versioning: known({ Status: 'Suspended' }) }),
    'fail',
  ],
  ['without versions it is a deletion', withRules([expire(30)], never), 'not-applicable'],
  ['only for what somebody tags', withRules([expire(1, tagged)]), 'fail', 'low'],
  ['versions unread', withRules([expire(30)], unread), 'inconclusive'],
  ['refused', withBucket({ lifecycle: DENIED }), 'inconclusive'],
]);

const archive = (Days: number, terms: LifecycleRule = {}) =>
  rule({ Transitions: [{ Days, StorageClass: 'GLACIER' }], ...terms });
table('LIFE-03', 'medium', [
  ['no lifecycle', withBucket({}), 'pass'],
  ['late enough', withRules([archive(90)]), 'pass'],
  ['too early', withRules([archive(89)]), 'fail'],
  [
    'a class that answers at once',
    withRules([rule({ Transitions: [{ Days: 0, StorageClass: 'GLACIER_IR' }] })]),
    'pass',
  ],
  ['sooner where the config allows it', withRules([archive(30)]), 'pass', 'medium', demanding({ hotDays: 30 })],
  ['only for what somebody tags', withRules([archive(1, tagged)]), 'fail', 'low'],
  ['refused', withBucket({ lifecycle: DENIED }), 'inconclusive'],
]);

table(
  'LIFE-04',
  'info',
  [
    ['never', withBucket({}), 'fail'],
    ['some day', withRules([expire(400), noncurrent(1)]), 'pass'],
    ['only hidden', withRules([expire(400)]), 'fail'],
    ['refused', withBucket({ lifecycle: DENIED }), 'inconclusive'],
  ],
  scope({ optIn: ['LIFE-04'] }),
);

it('an organization trail writes under the same prefix', () => {
  const given = withRules([expire(1, { Filter: { Prefix: `AWSLogs/o-1/${ACCOUNT}/` } })], never);
  expect(findingOf('LIFE-01', given).outcome).toBe('fail');
});
