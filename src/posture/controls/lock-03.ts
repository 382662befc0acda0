import { control } from '../control.ts';
import { lockPeriod } from '../lock.ts';
import { logBuckets } from '../world.ts';

export const lock03 = control({
  id: 'LOCK-03',
  title: 'default retention is long enough',
  severity: 'critical',
  remedy: 'raise the days of the default retention; objects already there keep theirs',
  calls: ['GetObjectLockConfiguration'],
  none: 'there is no log bucket',
  over: logBuckets,
  check: ({ facts, demands }) => lockPeriod(facts, demands),
});
