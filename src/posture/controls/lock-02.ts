import { control } from '../control.ts';
import { lockMode } from '../lock.ts';
import { logBuckets } from '../world.ts';

export const lock02 = control({
  id: 'LOCK-02',
  title: 'default retention is COMPLIANCE',
  severity: 'critical',
  remedy:
    'aws s3api put-object-lock-configuration with a DefaultRetention in COMPLIANCE mode; try it on a scratch bucket first, it cannot be undone',
  calls: ['GetObjectLockConfiguration'],
  none: 'there is no log bucket',
  over: logBuckets,
  check: ({ facts, demands }) => lockMode(facts, demands),
});
