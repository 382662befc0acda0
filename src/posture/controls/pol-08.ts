import { cannotTell, fail, look, pass } from '../answer.ts';
import { type Policy, permits } from '../bucket-policy/index.ts';
import { namedIn } from '../calls.ts';
import { control } from '../control.ts';
import { overDeliveries } from '../delivery.ts';
import { unknown } from '../evidence.ts';
import { policyOf } from '../log-policy.ts';
import { logBuckets } from '../world.ts';

/** Accounts CloudTrail wrote from, one a Region, before it had a service principal. */
const LEGACY_WRITERS = [
  ...['086441151436', '113285607260', '388731089494', '859597730677', '035351147821', '903692715234'],
  ...['284668455005', '216624486486', '814480443879', '492519147666'],
];

export const pol08 = control({
  id: 'POL-08',
  title: 'the bucket policy lets CloudTrail deliver',
  severity: 'high',
  remedy:
    'allow cloudtrail.amazonaws.com s3:GetBucketAcl on the bucket and s3:PutObject on prefix/AWSLogs/account/* (and AWSLogs/o-id/* for an organization trail), with aws:SourceArn naming the trail',
  calls: ['GetBucketPolicy', 'DescribeTrails', 'DescribeOrganization'],
  none: 'there is no log bucket',
  over: logBuckets,
  check: (bucket, { snapshot }, { arn = '' }) =>
    look({ policy: policyOf(bucket) }, ({ policy }) => {
      if (policy === null) return fail('there is no bucket policy, so CloudTrail cannot deliver');
      return overDeliveries({ bucket, snapshot, arn }, (deliveries, trail) => {
        const judged = deliveries.map(({ what, request }) => ({ what, met: permits(policy, request) }));
        const facts = { trail: trail.arn, deliveries: judged };
        const refused = judged.find(({ met }) => met === 'no');
        if (refused) {
          return speaksToLegacyWriters(policy)
            ? fail('the policy knows CloudTrail only by its old per-Region accounts', facts, { severity: 'medium' })
            : fail(`no statement allows ${refused.what} for ${trail.arn}`, facts);
        }
        const unsure = judged.find(({ met }) => met === 'maybe');
        return unsure
          ? cannotTell([unknown('unsupported', namedIn('GetBucketPolicy'), `not judged: ${unsure.what}`)], facts)
          : pass('CloudTrail may deliver', facts);
      });
    }),
});

const speaksToLegacyWriters = ({ statements }: Policy): boolean =>
  statements.some(
    ({ effect, principals }) =>
      effect === 'Allow' &&
      !principals.except &&
      principals.list.some((entry) => 'account' in entry && LEGACY_WRITERS.includes(entry.account)),
  );
