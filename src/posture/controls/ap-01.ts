import { judgeAccessPoint, judgeDelegation } from '../access-points.ts';
import { type Answer, every, look, pass } from '../answer.ts';
import { control } from '../control.ts';
import { policyOf } from '../log-policy.ts';
import { policyIn } from '../policy-evidence.ts';
import { type LogBucket, logBuckets, type World } from '../world.ts';

export const ap01 = control({
  id: 'AP-01',
  title: 'no access point opens another way to the logs',
  severity: 'high',
  remedy:
    'delete the access point or narrow its policy; take s3:DataAccessPointAccount and s3:DataAccessPointArn out of the bucket policy',
  calls: ['GetBucketPolicy', 'ListAccessPoints', 'GetAccessPointPolicy'],
  none: 'there is no log bucket',
  over: logBuckets,
  check: (bucket, world) => every(byOwnAccessPoints(bucket, world), judgeDelegation(policyOf(bucket))),
});

function byOwnAccessPoints(bucket: LogBucket, world: World): Answer {
  return look({ accessPoints: bucket.facts.accessPoints }, ({ accessPoints }) => {
    const [first, ...rest] = accessPoints.map(({ AccessPointArn, policy }) =>
      judgeAccessPoint(AccessPointArn, policyIn(policy, 'GetAccessPointPolicy'), bucket, world),
    );
    const facts = { accessPoints: accessPoints.map(({ AccessPointArn }) => AccessPointArn) };
    if (first === undefined) {
      return pass('there is no access point, and the bucket policy leaves nothing to those of other accounts', facts);
    }
    const answer = every(first, ...rest);
    return { ...answer, facts: { ...facts, ...answer.facts } };
  });
}
