import { fail, look, pass } from '../answer.ts';
import { control } from '../control.ts';
import { hoursSince, misdated } from '../freshness.ts';
import { trails } from '../world.ts';

export const trail06 = control({
  id: 'TRAIL-06',
  title: 'log files are delivered',
  severity: 'high',
  remedy: 'repair what the error names: the bucket, its policy, the key policy',
  calls: ['GetTrailStatus'],
  none: 'there is no trail',
  over: trails,
  check: ({ status }, { now, scope: { deliveryMaxAge } }) =>
    look({ status }, ({ status: { LatestDeliveryError = null, LatestDeliveryTime } }) => {
      const facts = {
        api: 'GetTrailStatus',
        LatestDeliveryError,
        LatestDeliveryTime: LatestDeliveryTime ?? null,
        deliveryMaxAge,
      };
      if (LatestDeliveryError) return fail(`the last delivery failed: ${LatestDeliveryError}`, facts);
      const inVain = misdated('LatestDeliveryTime', facts, now);
      if (inVain) return inVain;
      if (hoursSince(LatestDeliveryTime, now) <= deliveryMaxAge) return pass('log files are delivered', facts);
      return fail(
        LatestDeliveryTime
          ? `the last log file was delivered at ${LatestDeliveryTime}, over ${deliveryMaxAge} hours ago; a quiet account is the only innocent reason`
          : 'no log file was ever delivered',
        facts,
      );
    }),
});
