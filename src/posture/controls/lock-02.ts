import { fail, look, pass } from '../answer.ts';
import { control } from '../control.ts';
import { logBuckets } from '../world.ts';

export const lock02 = control({
  id: 'LOCK-02',
  title: 'default retention is COMPLIANCE',
  severity: 'critical',
  remedy:
    'aws s3api put-object-lock-configuration with a DefaultRetention in COMPLIANCE mode; try it on a scratch bucket first, it cannot be undone',
  calls: ['GetObjectLockConfiguration'],
  none: 'there is no log bucket',
  over: logBuckets,
  check: ({ facts: { objectLock }, demands }) =>
    look({ objectLock }, (seen) => {
      const retention = seen.objectLock?.Rule?.DefaultRetention;
      const facts = { api: 'GetObjectLockConfiguration', Mode: retention?.Mode ?? null, required: demands.lock.mode };
      if (seen.objectLock === null) return fail('Object Lock is not enabled, nothing has a default retention', facts);
      if (!retention) return fail('Object Lock has no default retention: new objects are not locked', facts);
      switch (retention.Mode) {
        case 'COMPLIANCE':
          return pass('default retention is COMPLIANCE', facts);
        case 'GOVERNANCE':
          return demands.lock.mode === 'GOVERNANCE'
            ? pass('default retention is GOVERNANCE, which the config accepts', facts)
            : fail(
                'default retention is GOVERNANCE, COMPLIANCE is required: s3:BypassGovernanceRetention undoes it',
                facts,
              );
        default:
          return fail(
            retention.DefaultEventHold
              ? 'default retention is an event hold only, which is no retention mode'
              : 'default retention names no mode',
            facts,
          );
      }
    }),
});
