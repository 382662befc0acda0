import { control } from '../control.ts';
import { WEAKENING } from '../forbidden.ts';
import { judgeNobodyBut } from '../log-policy.ts';
import { logBuckets } from '../world.ts';

export const pol04 = control({
  id: 'POL-04',
  title: 'nobody may weaken the protection of the logs',
  severity: 'critical',
  remedy:
    'take the named actions out of every Allow (mind s3:Put*, s3:* and NotAction); break-glass roles belong in the config (admins)',
  calls: ['GetBucketPolicy', 'GetPublicAccessBlock', 'GetAccountPublicAccessBlock'],
  none: 'there is no log bucket',
  over: logBuckets,
  check: (bucket, world, subject) => judgeNobodyBut(WEAKENING, bucket.demands.admins, { bucket, world, subject }),
});
