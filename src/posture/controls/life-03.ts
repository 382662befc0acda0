import { control } from '../control.ts';
import { noEarlyArchive } from '../lifecycle-answers.ts';
import { logBuckets } from '../world.ts';

export const life03 = control({
  id: 'LIFE-03',
  title: 'recent logs are at hand without a restore',
  severity: 'medium',
  remedy: 'move logs to GLACIER or DEEP_ARCHIVE later, or to GLACIER_IR, which answers at once',
  calls: ['GetBucketLifecycleConfiguration', 'GetBucketVersioning'],
  none: 'there is no log bucket',
  over: logBuckets,
  check: noEarlyArchive,
});
