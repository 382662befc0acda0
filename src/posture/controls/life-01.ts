import { control } from '../control.ts';
import { noEarlyDeletion } from '../lifecycle-answers.ts';
import { logBuckets } from '../world.ts';

export const life01 = control({
  id: 'LIFE-01',
  title: 'lifecycle deletes no log too early',
  severity: 'high',
  remedy: 'raise Expiration or NoncurrentDays to the retention demanded, or keep the rule off the AWSLogs prefix',
  calls: ['GetBucketLifecycleConfiguration', 'GetBucketVersioning', 'GetObjectLockConfiguration'],
  none: 'there is no log bucket',
  over: logBuckets,
  check: noEarlyDeletion,
});
