import { accessLogOn } from '../access-log.ts';
import { some } from '../answer.ts';
import { control } from '../control.ts';
import { logObjectEventsRecorded } from '../object-events.ts';
import { logBuckets } from '../world.ts';

export const log01 = control({
  id: 'LOG-01',
  title: 'access to the log bucket is on record',
  severity: 'medium',
  remedy: 'aws s3api put-bucket-logging to another bucket: only access logs show what lifecycle deletes',
  calls: [
    'GetBucketLogging',
    'DescribeTrails',
    'GetTrailStatus',
    'GetEventSelectors',
    'HeadBucket',
    'GetBucketLocation',
  ],
  none: 'there is no log bucket',
  over: logBuckets,
  check: (bucket, world) => some(accessLogOn(bucket), logObjectEventsRecorded(bucket, world)),
});
