import { fail, look, pass } from '../answer.ts';
import { control } from '../control.ts';
import { hoursSince, misdated } from '../freshness.ts';
import { trails } from '../world.ts';

const MAX_AGE = 24;

export const cwl01 = control({
  id: 'CWL-01',
  title: 'events reach CloudWatch Logs',
  severity: 'low',
  remedy: 'aws cloudtrail update-trail with a log group and a role that may write to it',
  calls: ['DescribeTrails', 'GetTrailStatus'],
  none: 'there is no trail',
  over: trails,
  check: ({ description, status }, { now }) =>
    look({ description }, ({ description: { CloudWatchLogsLogGroupArn = null } }) => {
      const group = { CloudWatchLogsLogGroupArn };
      if (!CloudWatchLogsLogGroupArn)
        return fail('events are not sent to CloudWatch Logs', { api: 'DescribeTrails', ...group });
      return look({ status }, (seen) => {
        const { LatestCloudWatchLogsDeliveryError: error = null, LatestCloudWatchLogsDeliveryTime: time } = seen.status;
        const facts = {
          api: 'GetTrailStatus',
          ...group,
          LatestCloudWatchLogsDeliveryError: error,
          LatestCloudWatchLogsDeliveryTime: time ?? null,
        };
        const broken = { severity: 'medium' } as const;
        if (error) return fail(`the last delivery to CloudWatch Logs failed: ${error}`, facts, broken);
        const inVain = misdated('LatestCloudWatchLogsDeliveryTime', facts, now);
        if (inVain) return inVain;
        return hoursSince(time, now) <= MAX_AGE
          ? pass('events reach CloudWatch Logs', facts)
          : fail(`nothing reached CloudWatch Logs within ${MAX_AGE} hours`, facts, broken);
      });
    }),
});
