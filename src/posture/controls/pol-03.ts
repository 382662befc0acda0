import { control } from '../control.ts';
import { DELETING } from '../forbidden.ts';
import { judgeNobodyBut } from '../log-policy.ts';
import { logBuckets } from '../world.ts';

export const pol03 = control({
  id: 'POL-03',
  title: 'nobody may delete logs',
  severity: 'critical',
  remedy:
    'take s3:Delete*, s3:ReplicateDelete and s3:PutLifecycleConfiguration out of every Allow (mind s3:* and NotAction); break-glass roles belong in the config (admins)',
  calls: ['GetBucketPolicy', 'GetPublicAccessBlock', 'GetAccountPublicAccessBlock'],
  none: 'there is no log bucket',
  over: logBuckets,
  check: (bucket, world, subject) => judgeNobodyBut(DELETING, bucket.demands.admins, { bucket, world, subject }),
});
