import { accessLogDelivered } from '../access-log.ts';
import { control } from '../control.ts';
import { logBuckets } from '../world.ts';

export const log02 = control({
  id: 'LOG-02',
  title: 'the access log can be delivered',
  severity: 'medium',
  remedy:
    'log to an unlocked bucket with SSE-S3 in the same Region and account, whose policy lets logging.s3.amazonaws.com put objects for this bucket',
  calls: [
    'GetBucketLogging',
    'HeadBucket',
    'GetBucketLocation',
    'GetObjectLockConfiguration',
    'GetBucketRequestPayment',
    'GetBucketEncryption',
    'GetBucketPolicy',
    'GetBucketAcl',
  ],
  none: 'there is no log bucket',
  over: logBuckets,
  check: accessLogDelivered,
});
