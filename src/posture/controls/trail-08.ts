import { fail, look, notApplicable, pass } from '../answer.ts';
import { control } from '../control.ts';
import { hoursSince, misdated } from '../freshness.ts';
import { trails } from '../world.ts';

export const trail08 = control({
  id: 'TRAIL-08',
  title: 'digests are delivered',
  severity: 'high',
  remedy: 'repair what the error names: the bucket, its policy, the key policy; then verify the chain over the gap',
  calls: ['DescribeTrails', 'GetTrailStatus'],
  none: 'there is no trail',
  over: trails,
  check: ({ description, status }, { now, scope: { digestMaxAge } }) =>
    look({ description }, ({ description: { LogFileValidationEnabled = false } }) => {
      if (!LogFileValidationEnabled) return notApplicable('log file validation is off', { LogFileValidationEnabled });
      return look({ status }, ({ status: { LatestDigestDeliveryError = null, LatestDigestDeliveryTime } }) => {
        const facts = {
          api: 'GetTrailStatus',
          LatestDigestDeliveryError,
          LatestDigestDeliveryTime: LatestDigestDeliveryTime ?? null,
          digestMaxAge,
        };
        if (LatestDigestDeliveryError) return fail(`the last digest failed: ${LatestDigestDeliveryError}`, facts);
        const inVain = misdated('LatestDigestDeliveryTime', facts, now);
        if (inVain) return inVain;
        // A digest comes every hour, also when nothing happened: here silence is a signal.
        if (hoursSince(LatestDigestDeliveryTime, now) <= digestMaxAge) return pass('digests are delivered', facts);
        return fail(
          LatestDigestDeliveryTime
            ? `the last digest was delivered at ${LatestDigestDeliveryTime}, over ${digestMaxAge} hours ago`
            : 'no digest was ever delivered',
          facts,
        );
      });
    }),
});
