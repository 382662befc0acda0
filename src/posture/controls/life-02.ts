import { control } from '../control.ts';
import { noEarlyHiding } from '../lifecycle-answers.ts';
import { logBuckets } from '../world.ts';

export const life02 = control({
  id: 'LIFE-02',
  title: 'lifecycle hides no log too early',
  severity: 'medium',
  remedy: 'raise Expiration.Days to the retention demanded, or keep the rule off the AWSLogs prefix',
  calls: ['GetBucketLifecycleConfiguration', 'GetBucketVersioning'],
  none: 'there is no log bucket',
  over: logBuckets,
  check: noEarlyHiding,
});
