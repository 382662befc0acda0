import { type Answer, cannotTell, fail, look, pass } from './answer.ts';
import type { BucketFacts } from './bucket-facts.ts';
import { namedIn } from './calls.ts';
import { unknown } from './evidence.ts';
import { defaultRetentionDays } from './retention.ts';
import type { LogBucketRequirements } from './scope.ts';

const api = 'GetObjectLockConfiguration';

export function lockEnabled({ objectLock }: BucketFacts): Answer {
  return look({ objectLock }, (seen) => {
    const enabled = seen.objectLock?.ObjectLockEnabled ?? null;
    return enabled === 'Enabled'
      ? pass('Object Lock is enabled', { api, ObjectLockEnabled: enabled })
      : fail('Object Lock is not enabled: whoever may delete can delete logs', { api, ObjectLockEnabled: enabled });
  });
}

export function lockMode({ objectLock }: BucketFacts, { lock }: LogBucketRequirements): Answer {
  return look({ objectLock }, (seen) => {
    const retention = seen.objectLock?.Rule?.DefaultRetention;
    const facts = { api, Mode: retention?.Mode ?? null, required: lock.mode };
    if (seen.objectLock === null) return fail('Object Lock is not enabled, nothing has a default retention', facts);
    if (!retention) return fail('Object Lock has no default retention: new objects are not locked', facts);
    switch (retention.Mode) {
      case 'COMPLIANCE':
        return pass('default retention is COMPLIANCE', facts);
      case 'GOVERNANCE':
        return lock.mode === 'GOVERNANCE'
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
  });
}

export function lockPeriod({ objectLock }: BucketFacts, { lock }: LogBucketRequirements): Answer {
  return look({ objectLock }, (seen) => {
    const retention = seen.objectLock?.Rule?.DefaultRetention;
    const days = retention ? defaultRetentionDays(retention) : null;
    const facts = {
      api,
      Days: retention?.Days ?? null,
      Years: retention?.Years ?? null,
      days,
      required: lock.days,
    };
    if (days === null) return fail(`no default retention period is set, ${lock.days} days are required`, facts);
    return days >= lock.days
      ? pass(`default retention is ${days} days, ${lock.days} are required`, facts)
      : fail(`default retention is ${days} days, ${lock.days} are required`, facts);
  });
}

export function versioningEnabled({ versioning, objectLock }: BucketFacts): Answer {
  return look({ versioning }, ({ versioning: { Status = null } }) => {
    const facts = { api: 'GetBucketVersioning', Status };
    if (Status === 'Enabled') return pass('versioning is enabled', facts);
    // Object Lock forces versioning on: two answers that contradict each other prove nothing.
    return look({ objectLock }, (seen) =>
      seen.objectLock?.ObjectLockEnabled === 'Enabled'
        ? cannotTell([unknown('error', namedIn('GetBucketVersioning'), 'ContradictsObjectLock')], facts)
        : fail(
            `versioning is ${Status === 'Suspended' ? 'suspended' : 'not enabled'}: overwriting a log destroys it`,
            facts,
          ),
    );
  });
}

/** Days for which new objects surely survive every deletion; 0 where the mode or the period is lacking or unread. */
export function lockedDays(facts: BucketFacts, demands: LogBucketRequirements): number {
  const retention = facts.objectLock.state === 'known' ? facts.objectLock.value.Rule?.DefaultRetention : undefined;
  if (retention === undefined || lockMode(facts, demands).outcome !== 'pass') return 0;
  return defaultRetentionDays(retention) ?? 0;
}
