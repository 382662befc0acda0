import { cannotTell, fail, pass } from '../answer.ts';
import { control } from '../control.ts';
import { policyOf } from '../log-policy.ts';
import { logBuckets } from '../world.ts';

export const pol01 = control({
  id: 'POL-01',
  title: 'the log bucket has a policy that can be read and judged',
  severity: 'high',
  remedy: 'put the bucket policy that the CloudTrail guide gives for your kind of trail',
  calls: ['GetBucketPolicy'],
  none: 'there is no log bucket',
  over: logBuckets,
  check: (bucket) => {
    const policy = policyOf(bucket);
    if (policy.state === 'unknown') return cannotTell([policy]);
    if (policy.state === 'known') {
      return pass('the bucket policy is valid', { statements: policy.value.statements.length });
    }
    const trails = bucket.trails.map(({ arn }) => arn);
    return fail('there is no bucket policy, so CloudTrail cannot deliver', { code: policy.code, trails });
  },
});
