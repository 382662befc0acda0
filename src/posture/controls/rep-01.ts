import { control } from '../control.ts';
import { copiedElsewhere } from '../replication.ts';
import { logBuckets } from '../world.ts';

export const rep01 = control({
  id: 'REP-01',
  title: 'logs are copied elsewhere',
  severity: 'low',
  remedy: 'replicate AWSLogs to a locked bucket in another account or Region, without delete markers',
  calls: ['GetBucketReplication', 'HeadBucket', 'GetBucketLocation'],
  none: 'there is no log bucket',
  over: logBuckets,
  check: copiedElsewhere,
});
