import { describe, expect, it } from 'vitest';
import { absent, known } from '../../../src/posture/evidence.ts';
import type { LogGroupFacts, Snapshot } from '../../../src/posture/snapshot.ts';
import type { TrailStatus } from '../../../src/posture/trail-facts.ts';
import type { Outcome, Severity } from '../../../src/report/finding.ts';
import {
  ACCOUNT,
  DENIED,
  findingOf,
  GOOD_DESCRIPTION,
  snapshot,
  trailFacts,
  withTrail,
} from '../../support/snapshot.ts';

const GROUP = `arn:aws:logs:eu-west-2:${ACCOUNT}:log-group:audit:*`;
const description = known({ ...GOOD_DESCRIPTION, CloudWatchLogsLogGroupArn: GROUP });
const sending = (status: TrailStatus, group: LogGroupFacts['group'] = known({})): Snapshot =>
  snapshot({
    trails: [trailFacts({ description, status: known({ IsLogging: true, ...status }) })],
    logGroups: [{ arn: GROUP, group }],
  });
const fresh = { LatestCloudWatchLogsDeliveryTime: '2026-03-01T11:50:00.000Z' };
const keeping = (group: LogGroupFacts['group']) => sending(fresh, group);

describe('CWL-01', () => {
  it.each<[string, Snapshot, Outcome, Severity]>([
    ['delivered', sending(fresh), 'pass', 'low'],
    ['not sent', snapshot(), 'fail', 'low'],
    ['an error', sending({ ...fresh, LatestCloudWatchLogsDeliveryError: 'AccessDenied' }), 'fail', 'medium'],
    ['a day old', sending({ LatestCloudWatchLogsDeliveryTime: '2026-02-28T12:00:00.000Z' }), 'pass', 'low'],
    ['older', sending({ LatestCloudWatchLogsDeliveryTime: '2026-02-28T11:00:00.000Z' }), 'fail', 'medium'],
    ['never', sending({}), 'fail', 'medium'],
    ['ahead', sending({ LatestCloudWatchLogsDeliveryTime: '2026-03-01T12:06:00.000Z' }), 'inconclusive', 'low'],
    ['status refused', withTrail({ description, status: DENIED }), 'inconclusive', 'low'],
    ['not readable', withTrail({ description: DENIED }), 'inconclusive', 'low'],
  ])('%s', (_, given, outcome, severity) => {
    expect(findingOf('CWL-01', given)).toMatchObject({ outcome, severity });
  });
});

describe('CWL-02', () => {
  it.each<[string, Snapshot, Outcome]>([
    ['forever', keeping(known({})), 'pass'],
    ['long enough', keeping(known({ retentionInDays: 365 })), 'pass'],
    ['too short', keeping(known({ retentionInDays: 364 })), 'fail'],
    ['no such group', keeping(absent('NotListed')), 'fail'],
    ['refused', keeping(DENIED), 'inconclusive'],
    ['not sent', snapshot(), 'not-applicable'],
  ])('%s', (_, given, outcome) => {
    expect(findingOf('CWL-02', given).outcome).toBe(outcome);
  });
});
