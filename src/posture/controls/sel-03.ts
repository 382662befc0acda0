import { control } from '../control.ts';
import { objectEventsRecorded } from '../object-events.ts';
import { stateBuckets } from '../world.ts';

export const sel03 = control({
  id: 'SEL-03',
  title: 'read events of state buckets are recorded',
  severity: 'medium',
  remedy:
    'aws cloudtrail put-event-selectors: eventCategory Equals Data, resources.type Equals AWS::S3::Object, resources.ARN StartsWith arn:aws:s3:::STATE-BUCKET/ (with the slash)',
  calls: ['DescribeTrails', 'GetTrailStatus', 'GetEventSelectors', 'HeadBucket', 'GetBucketLocation'],
  none: 'no state bucket is configured',
  over: stateBuckets,
  check: ({ facts, demands }, world) => objectEventsRecorded(world, facts, demands.keyPrefixes, 'read'),
});
