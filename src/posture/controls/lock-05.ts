import { every, fail, look, notApplicable, pass } from '../answer.ts';
import { control } from '../control.ts';
import { lockMode, lockPeriod } from '../lock.ts';
import { logBuckets } from '../world.ts';

export const lock05 = control({
  id: 'LOCK-05',
  title: 'MFA Delete is on where nothing else stops deletion',
  severity: 'low',
  remedy: 'the root user, by CLI: aws s3api put-bucket-versioning --mfa; better, Object Lock in COMPLIANCE mode',
  calls: ['GetBucketVersioning', 'GetBucketLifecycleConfiguration', 'GetObjectLockConfiguration'],
  none: 'there is no log bucket',
  over: logBuckets,
  check: ({ facts, demands }) =>
    look({ versioning: facts.versioning }, ({ versioning: { MFADelete = null } }) => {
      const told = { api: 'GetBucketVersioning', MFADelete };
      if (MFADelete === 'Enabled') return pass('MFA Delete is on', told);
      const lock = every(lockMode(facts, demands), lockPeriod(facts, demands));
      if (lock.outcome === 'pass') return notApplicable('Object Lock already stops the deletion of versions', told);
      const { lifecycle } = facts;
      if (lifecycle.state === 'known') return notApplicable('MFA Delete and lifecycle rules exclude each other', told);
      if (lock.outcome === 'inconclusive') return lock;
      return look({ lifecycle }, () => fail('MFA Delete is off and no Object Lock makes up for it', told));
    }),
});
