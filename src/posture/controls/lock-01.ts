import { control } from '../control.ts';
import { lockEnabled } from '../lock.ts';
import { logBuckets } from '../world.ts';

export const lock01 = control({
  id: 'LOCK-01',
  title: 'Object Lock is enabled',
  severity: 'critical',
  remedy: 'aws s3api put-object-lock-configuration; versioning must be on, and it cannot be switched off again',
  calls: ['GetObjectLockConfiguration'],
  none: 'there is no log bucket',
  over: logBuckets,
  check: ({ facts }) => lockEnabled(facts),
});
