import { control } from '../control.ts';
import { retentionEnds } from '../lifecycle-answers.ts';
import { logBuckets } from '../world.ts';

export const life04 = control({
  id: 'LIFE-04',
  title: 'logs are deleted some day',
  severity: 'info',
  optional: true,
  remedy: 'let lifecycle delete logs once the retention demanded is over',
  calls: ['GetBucketLifecycleConfiguration', 'GetBucketVersioning'],
  none: 'there is no log bucket',
  over: logBuckets,
  check: retentionEnds,
});
