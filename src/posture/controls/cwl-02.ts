import { fail, look, pass } from '../answer.ts';
import { trailLogGroups } from '../around.ts';
import { control } from '../control.ts';
import { logBuckets } from '../world.ts';

export const cwl02 = control({
  id: 'CWL-02',
  title: 'the log group keeps events long enough',
  severity: 'low',
  remedy: 'aws logs put-retention-policy',
  calls: ['DescribeTrails', 'DescribeLogGroups'],
  none: 'no trail sends to CloudWatch Logs',
  over: trailLogGroups,
  check: ({ facts: { group }, trails }, world) =>
    look({ group }, (seen) => {
      const arns = new Set(trails.map(({ arn }) => arn));
      const days = logBuckets(world)
        .list.filter(({ of }) => of.trails.some(({ arn }) => arns.has(arn)))
        .map(({ of }) => of.demands.lock.days);
      const required = days.length > 0 ? Math.max(...days) : world.scope.logBucketDefaults.lock.days;
      if (seen.group === null) return fail('the log group does not exist', { api: 'DescribeLogGroups', required });
      const { retentionInDays = null } = seen.group;
      const facts = { api: 'DescribeLogGroups', retentionInDays, required };
      if (retentionInDays === null) return pass('the log group keeps events forever', facts);
      return retentionInDays >= required
        ? pass(`the log group keeps events ${retentionInDays} days`, facts)
        : fail(`the log group keeps events ${retentionInDays} days, ${required} are required`, facts);
    }),
});
