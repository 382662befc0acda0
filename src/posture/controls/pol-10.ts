import { cannotTell, fail, look, pass } from '../answer.ts';
import { denying } from '../bucket-policy/index.ts';
import { namedIn } from '../calls.ts';
import { control } from '../control.ts';
import { overDeliveries } from '../delivery.ts';
import { unknown } from '../evidence.ts';
import { policyOf } from '../log-policy.ts';
import { nameOf } from '../policy-evidence.ts';
import { logBuckets } from '../world.ts';

export const pol10 = control({
  id: 'POL-10',
  title: 'no Deny stands in the way of delivery',
  severity: 'high',
  remedy:
    'except AWS services (Bool aws:PrincipalIsAWSService false beside the other conditions), and allow both aws:kms and AES256 where encryption is demanded',
  calls: ['GetBucketPolicy', 'DescribeTrails', 'DescribeOrganization'],
  none: 'there is no log bucket',
  over: logBuckets,
  check: (bucket, { snapshot }, { arn = '' }) =>
    look({ policy: policyOf(bucket) }, ({ policy }) => {
      if (policy === null || policy.statements.every(({ effect }) => effect === 'Allow')) {
        return pass('the bucket policy denies nothing');
      }
      return overDeliveries({ bucket, snapshot, arn }, (deliveries, trail) => {
        const met = deliveries.map(({ what, request }) => ({ what, ...denying(policy, request) }));
        const stopped = met.find(({ all }) => all.length > 0);
        if (stopped) {
          const statements = stopped.all.map(nameOf);
          const message = `${statements.join(', ')} denies ${stopped.what} for ${trail.arn}`;
          return fail(message, { trail: trail.arn, statements });
        }
        const unsure = met.find(({ some }) => some.length > 0);
        if (!unsure) return pass('no Deny meets what CloudTrail sends', { trail: trail.arn });
        const statements = unsure.some.map(nameOf);
        const code = `not judged: whether ${statements.join(', ')} denies ${unsure.what}`;
        return cannotTell([unknown('unsupported', namedIn('GetBucketPolicy'), code)], { trail: trail.arn, statements });
      });
    }),
});
