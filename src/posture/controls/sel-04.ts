import { control } from '../control.ts';
import { logObjectEventsRecorded } from '../object-events.ts';
import { logBuckets } from '../world.ts';

export const sel04 = control({
  id: 'SEL-04',
  title: 'writes and deletes in the log bucket are recorded',
  severity: 'medium',
  remedy: 'record data events of the log bucket, best on a second trail that writes to another bucket',
  calls: ['DescribeTrails', 'GetTrailStatus', 'GetEventSelectors', 'HeadBucket', 'GetBucketLocation'],
  none: 'there is no log bucket',
  over: logBuckets,
  check: logObjectEventsRecorded,
});
