import { expect, it } from 'vitest';
import { absent, known } from '../../../src/posture/evidence.ts';
import { DEFAULT_REQUIREMENTS } from '../../../src/posture/scope.ts';
import type { ObjectLockConfiguration } from '../../../src/posture/snapshot.ts';
import { DENIED, findingOf, scope, withBucket } from '../../support/snapshot.ts';

type Rule = NonNullable<ObjectLockConfiguration['Rule']>;
const lock = (rule?: Rule) =>
  withBucket({ objectLock: known({ ObjectLockEnabled: 'Enabled', ...(rule ? { Rule: rule } : {}) }) });

it.each([
  ['COMPLIANCE', lock({ DefaultRetention: { Mode: 'COMPLIANCE', Days: 1 } }), 'pass'],
  ['GOVERNANCE', lock({ DefaultRetention: { Mode: 'GOVERNANCE', Days: 3650 } }), 'fail'],
  ['enabled without a rule', lock(), 'fail'],
  ['an event hold only', lock({ DefaultRetention: { DefaultEventHold: { Days: 365 } } }), 'fail'],
  ['none at all', withBucket({ objectLock: absent('ObjectLockConfigurationNotFoundError') }), 'fail'],
  ['not readable', withBucket({ objectLock: DENIED }), 'inconclusive'],
])('lock: %s', (_, given, outcome) => {
  expect(findingOf('LOCK-02', given).outcome).toBe(outcome);
});

it('accepts GOVERNANCE where the config does', () => {
  const lenient = scope({
    logBucketDefaults: { ...DEFAULT_REQUIREMENTS, lock: { mode: 'GOVERNANCE', days: 365 } },
  });
  const given = lock({ DefaultRetention: { Mode: 'GOVERNANCE', Days: 365 } });
  expect(findingOf('LOCK-02', given, lenient).outcome).toBe('pass');
});
