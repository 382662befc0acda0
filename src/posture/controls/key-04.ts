import { fail, look } from '../answer.ts';
import { trailKeys } from '../around.ts';
import { control } from '../control.ts';
import { judgeKeyPolicy } from '../key-policy.ts';
import { policyIn } from '../policy-evidence.ts';

export const key04 = control({
  id: 'KEY-04',
  title: 'the key policy lets in only those listed',
  severity: 'medium',
  remedy:
    'bind the grant of cloudtrail.amazonaws.com by aws:SourceArn and kms:EncryptionContext:aws:cloudtrail:arn, and name readers and administrators only',
  calls: ['DescribeTrails', 'DescribeKey', 'GetKeyPolicy'],
  none: 'no trail encrypts with a KMS key',
  over: trailKeys,
  check: (key, { scope }) => {
    const { id, metadata, policy } = key.facts;
    const owner = metadata.state === 'known' ? metadata.value.AWSAccountId : id.split(':')[4];
    return look({ document: policyIn(policy, 'GetKeyPolicy') }, ({ document }) =>
      document === null ? fail('the key has no policy') : judgeKeyPolicy(document, key, owner ?? null, scope),
    );
  },
});
