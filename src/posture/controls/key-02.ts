import { fail, look, pass } from '../answer.ts';
import { trailKeys } from '../around.ts';
import { control } from '../control.ts';

export const key02 = control({
  id: 'KEY-02',
  title: 'the key can be used',
  severity: 'high',
  remedy: 'aws kms cancel-key-deletion, then enable-key: without the key even locked logs cannot be read again',
  calls: ['DescribeTrails', 'DescribeKey'],
  none: 'no trail encrypts with a KMS key',
  over: trailKeys,
  check: ({ facts: { metadata } }) =>
    look({ metadata }, ({ metadata: { KeyState = null, KeyManager = null, Origin = null, DeletionDate = null } }) => {
      const facts = { api: 'DescribeKey', KeyState, KeyManager, Origin, DeletionDate };
      if (KeyState !== 'Enabled') return fail(`the key is ${KeyState}: Object Lock does not protect it`, facts);
      return KeyManager === 'CUSTOMER'
        ? pass('the key is enabled and customer managed', facts)
        : fail('the key is managed by AWS: its policy cannot be narrowed', facts);
    }),
});
