import { type Answer, fail, look, pass } from '../answer.ts';
import { bucketTarget, type Grant, grants, isHeldBy, lessThan, type Policy, undenied } from '../bucket-policy/index.ts';
import { control } from '../control.ts';
import { nameOf, policyIn } from '../policy-evidence.ts';
import { type LogBucket, logBuckets } from '../world.ts';

const REMAINING = 's3:object-lock-remaining-retention-days';
const CLOUDTRAIL = ['cloudtrail.amazonaws.com', 'cloudtrail.amazonaws.com.cn'];

export const lock06 = control({
  id: 'LOCK-06',
  title: 'nobody may give a log less than the default retention',
  severity: 'medium',
  remedy: `deny s3:PutObjectRetention with NumericLessThan ${REMAINING} and the days demanded; not s3:PutObject, which CloudTrail calls without lock headers`,
  calls: ['GetBucketPolicy'],
  none: 'there is no log bucket',
  over: logBuckets,
  check: (bucket, { snapshot: { partition } }) =>
    look({ policy: policyIn(bucket.facts.policy, 'GetBucketPolicy') }, ({ policy }) =>
      lowerBound(bucket, partition, policy),
    ),
});

function lowerBound({ name, prefixes, demands }: LogBucket, partition: string, policy: Policy | null): Answer {
  const days = demands.lock.days;
  const targets = prefixes.map((prefix) => bucketTarget(`arn:${partition}:s3:::${name}`, `${prefix}AWSLogs/*`));
  const facts = { api: 'GetBucketPolicy', required: days };
  const shorter = new Map([[REMAINING, lessThan(days)]]);
  const isDenied =
    policy !== null &&
    targets.every(
      (target) => undenied(policy, { actions: ['s3:PutObjectRetention'], target, facts: shorter }).length === 0,
    );
  if (isDenied) return pass(`the policy denies a retention of less than ${days} days`, facts);
  const reaching = policy === null ? [] : targets.flatMap((target) => grants(policy, target));
  const writers = [...CLOUDTRAIL, ...demands.writers, ...demands.admins];
  const holders = reaching.filter(
    (grant) =>
      (grant.actions.includes('s3:PutObjectRetention') && !isHeldBy(grant, demands.admins)) ||
      (grant.actions.includes('s3:PutObject') && !isHeldBy(grant, writers)),
  );
  return holders.length === 0
    ? pass('the policy lets nobody but CloudTrail write logs, nor set a retention', facts)
    : fail(`a retention shorter than the default may be set by ${names(holders)}`, {
        ...facts,
        holders: list(holders),
      });
}

const list = (holders: readonly Grant[]) =>
  holders.map(({ principal, statement }) => ({
    principal: principal.text,
    statement: nameOf(statement),
  }));
const names = (holders: readonly Grant[]): string =>
  [...new Set(holders.map(({ principal }) => principal.text))].join(', ');
