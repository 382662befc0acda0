import { fail, look, pass } from '../answer.ts';
import { control } from '../control.ts';
import { trails } from '../world.ts';

export const trail03 = control({
  id: 'TRAIL-03',
  title: 'the trail records all Regions and global services',
  severity: 'high',
  remedy: 'aws cloudtrail update-trail --is-multi-region-trail --include-global-service-events',
  calls: ['DescribeTrails'],
  none: 'there is no trail',
  over: trails,
  check: ({ description }) =>
    look({ description }, ({ description: { IsMultiRegionTrail = false, IncludeGlobalServiceEvents = false } }) => {
      const facts = { api: 'DescribeTrails', IsMultiRegionTrail, IncludeGlobalServiceEvents };
      if (!IsMultiRegionTrail) return fail('the trail records one Region only', facts);
      return IncludeGlobalServiceEvents
        ? pass('the trail records all Regions and global services', facts)
        : fail('the trail leaves out global services: IAM, STS and CloudFront', facts);
    }),
});
