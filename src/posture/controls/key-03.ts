import { type Answer, fail, look, notApplicable, pass } from '../answer.ts';
import { trailKeys } from '../around.ts';
import { control } from '../control.ts';
import type { KeyFacts } from '../snapshot.ts';
import { accountOf } from '../world.ts';

export const key03 = control({
  id: 'KEY-03',
  title: 'the key is rotated',
  severity: 'low',
  remedy: 'aws kms enable-key-rotation',
  calls: ['DescribeTrails', 'DescribeKey', 'GetKeyRotationStatus'],
  none: 'no trail encrypts with a KMS key',
  over: trailKeys,
  check: ({ facts }, world) => {
    const { rotation, id } = facts;
    const [, , , , owner] = id.split(':');
    if (rotation.state === 'unknown' && owner && owner !== accountOf(world))
      return notApplicable(`the key belongs to account ${owner}, which does not show its rotation`, { KmsKeyId: id });
    return look({ rotation }, (seen) =>
      seen.rotation.KeyRotationEnabled === true
        ? pass('the key is rotated', { api: 'GetKeyRotationStatus', KeyRotationEnabled: true })
        : notRotated(facts),
    );
  },
});

/** Only symmetric keys that KMS made itself can be rotated by KMS. */
function notRotated({ metadata }: KeyFacts): Answer {
  return look({ metadata }, ({ metadata: { KeySpec = 'SYMMETRIC_DEFAULT', Origin = 'AWS_KMS' } }) => {
    const facts = { api: 'GetKeyRotationStatus', KeyRotationEnabled: false, KeySpec, Origin };
    return KeySpec === 'SYMMETRIC_DEFAULT' && Origin === 'AWS_KMS'
      ? fail('the key is not rotated', facts)
      : notApplicable('KMS does not rotate keys of this kind', facts);
  });
}
