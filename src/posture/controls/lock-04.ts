import { control } from '../control.ts';
import { versioningEnabled } from '../lock.ts';
import { logBuckets } from '../world.ts';

export const lock04 = control({
  id: 'LOCK-04',
  title: 'versioning is enabled',
  severity: 'high',
  remedy: 'aws s3api put-bucket-versioning --versioning-configuration Status=Enabled',
  calls: ['GetBucketVersioning', 'GetObjectLockConfiguration'],
  none: 'there is no log bucket',
  over: logBuckets,
  check: ({ facts }) => versioningEnabled(facts),
});
