import { type Answer, every, look, pass } from '../answer.ts';
import { bucketTarget, grants, lessThan, type Policy, undenied } from '../bucket-policy/index.ts';
import { control } from '../control.ts';
import { type Forbidden, judgeOffences, offences } from '../forbidden.ts';
import { ownerOf, policyOf } from '../log-policy.ts';
import { RESOURCE_POLICY_ONLY } from '../policy-evidence.ts';
import { type LogBucket, logBuckets } from '../world.ts';

const REMAINING = 's3:object-lock-remaining-retention-days';
const CLOUDTRAIL = ['cloudtrail.amazonaws.com', 'cloudtrail.amazonaws.com.cn'];

const RETAINING: Forbidden = {
  act: 'set a retention shorter than the default',
  actions: new Set(['s3:PutObjectRetention']),
  alike: ['s3:PutObject*Retention'],
};
const PUTTING: Forbidden = {
  act: 'put logs with a retention shorter than the default',
  actions: new Set(['s3:PutObject']),
  alike: [],
};

export const lock06 = control({
  id: 'LOCK-06',
  title: 'nobody may give a log less than the default retention',
  severity: 'medium',
  remedy: `deny s3:PutObjectRetention with NumericLessThan ${REMAINING} and the days demanded; not s3:PutObject, which CloudTrail calls without lock headers`,
  calls: ['GetBucketPolicy'],
  none: 'there is no log bucket',
  over: logBuckets,
  check: (bucket, _world, { arn = '' }) =>
    look({ policy: policyOf(bucket) }, ({ policy }) =>
      policy === null
        ? pass(`there is no bucket policy that lets anybody write; ${RESOURCE_POLICY_ONLY}`)
        : lowerBound(bucket, arn, policy),
    ),
});

function lowerBound(bucket: LogBucket, arn: string, policy: Policy): Answer {
  const { lock, admins, writers } = bucket.demands;
  const targets = bucket.prefixes.map((prefix) => bucketTarget(arn, `${prefix}AWSLogs/*`));
  const shorter = new Map([[REMAINING, lessThan(lock.days)]]);
  const isDenied = targets.every(
    (target) => undenied(policy, { actions: ['s3:PutObjectRetention'], target, facts: shorter }).length === 0,
  );
  if (isDenied) return pass(`the policy denies a retention of less than ${lock.days} days`, { required: lock.days });
  const owner = ownerOf(bucket);
  const all = targets.flatMap((target) => grants(policy, target));
  const given = { owner, latent: false };
  return every(
    judgeOffences(offences(all, RETAINING, admins, owner), RETAINING, given),
    judgeOffences(offences(all, PUTTING, [...CLOUDTRAIL, ...writers, ...admins], owner), PUTTING, given),
  );
}
