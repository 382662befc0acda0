import { fail, look, pass } from '../answer.ts';
import { control } from '../control.ts';
import { trails } from '../world.ts';

export const key01 = control({
  id: 'KEY-01',
  title: 'logs are encrypted with a KMS key',
  severity: 'medium',
  remedy: 'aws cloudtrail update-trail --kms-key-id with a customer managed key in the Region of the log bucket',
  calls: ['DescribeTrails'],
  none: 'there is no trail',
  over: trails,
  check: ({ description }) =>
    look({ description }, ({ description: { KmsKeyId = null } }) =>
      KmsKeyId
        ? pass('logs are encrypted with a KMS key', { api: 'DescribeTrails', KmsKeyId })
        : fail('logs are encrypted with keys of S3: whoever may read the bucket may read them', {
            api: 'DescribeTrails',
            KmsKeyId,
          }),
    ),
});
