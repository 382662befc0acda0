import { control } from '../control.ts';
import { copyIsAsStrong } from '../replication.ts';
import { logBuckets } from '../world.ts';

export const rep02 = control({
  id: 'REP-02',
  title: 'the copy is held as firmly as the original',
  severity: 'medium',
  remedy:
    'give the bucket of the copy the same Object Lock, versioning and policy; logs older than the rule need Batch Replication',
  calls: [
    'GetBucketReplication',
    'GetObjectLockConfiguration',
    'GetBucketVersioning',
    'GetPublicAccessBlock',
    'GetAccountPublicAccessBlock',
    'GetBucketPolicy',
  ],
  none: 'there is no log bucket',
  over: logBuckets,
  check: copyIsAsStrong,
});
