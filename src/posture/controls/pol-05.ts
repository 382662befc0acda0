import { control } from '../control.ts';
import { READING } from '../forbidden.ts';
import { judgeNobodyBut, readersOf } from '../log-policy.ts';
import { logBuckets } from '../world.ts';

export const pol05 = control({
  id: 'POL-05',
  title: 'only listed readers may read logs',
  severity: 'high',
  remedy: 'name readers in the config, or take their s3:Get* and s3:List* out of the policy',
  calls: ['GetBucketPolicy', 'GetPublicAccessBlock', 'GetAccountPublicAccessBlock'],
  none: 'there is no log bucket',
  over: logBuckets,
  check: (bucket, world, subject) => judgeNobodyBut(READING, readersOf(bucket, world), { bucket, world, subject }),
});
