import { fail, look, pass } from '../answer.ts';
import { control } from '../control.ts';
import { logBuckets } from '../world.ts';

export const misc01 = control({
  id: 'MISC-01',
  title: 'the bucket is not Requester Pays',
  severity: 'high',
  remedy: 'aws s3api put-bucket-request-payment --request-payment-configuration Payer=BucketOwner',
  calls: ['GetBucketRequestPayment'],
  none: 'there is no log bucket',
  over: logBuckets,
  check: ({ facts: { requestPayment } }) =>
    look({ requestPayment }, ({ requestPayment: { Payer = null } }) =>
      Payer === 'BucketOwner'
        ? pass('the owner pays', { api: 'GetBucketRequestPayment', Payer })
        : fail('the bucket is Requester Pays: CloudTrail cannot deliver to it', {
            api: 'GetBucketRequestPayment',
            Payer,
          }),
    ),
});
