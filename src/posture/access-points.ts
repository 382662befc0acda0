import { type Answer, fail, look, pass } from './answer.ts';
import { accessPointTarget, grants, type Policy } from './bucket-policy/index.ts';
import type { Evidence } from './evidence.ts';
import { DELETING, type Forbidden, judgeOffences, offences, READING, WEAKENING, WRITING } from './forbidden.ts';
import { ownerOf, readersOf } from './log-policy.ts';
import { nameOf, RESOURCE_POLICY_ONLY } from './policy-evidence.ts';
import type { LogBucket, World } from './world.ts';

const rulesOf = (bucket: LogBucket, world: World): readonly (readonly [Forbidden, readonly string[]])[] => [
  [WRITING, bucket.demands.writers],
  [DELETING, bucket.demands.admins],
  [WEAKENING, bucket.demands.admins],
  [READING, readersOf(bucket, world)],
];

/** Whether an access point's own policy grants nothing that the bucket's policy might not. */
export function judgeAccessPoint(arn: string, policy: Evidence<Policy>, bucket: LogBucket, world: World): Answer {
  return look({ policy }, (seen) => {
    if (seen.policy === null) return pass(`${arn} has no policy of its own`, { accessPoint: arn });
    const given = grants(seen.policy, accessPointTarget(arn));
    const owner = ownerOf(bucket);
    const answers = rulesOf(bucket, world).map(([acts, listed]) =>
      judgeOffences(offences(given, acts, listed, owner), acts, { owner, latent: false }),
    );
    const bad = answers.find(({ outcome }) => outcome === 'fail') ?? answers.find(({ outcome }) => outcome !== 'pass');
    const facts = { accessPoint: arn, caveat: RESOURCE_POLICY_ONLY };
    if (bad === undefined) return pass(`${arn} grants nothing beyond the lists; ${RESOURCE_POLICY_ONLY}`, facts);
    return { ...bad, message: `by ${arn}: ${bad.message}`, facts: { ...bad.facts, ...facts } };
  });
}

const DELEGATING_KEYS = ['s3:dataaccesspointaccount', 's3:dataaccesspointarn'];

/** Whether the bucket's policy leaves the decision to access points, which may lie in any account. */
export function judgeDelegation(policy: Evidence<Policy>): Answer {
  return look({ policy }, (seen) => {
    const handing = (seen.policy?.statements ?? []).filter(
      ({ effect, conditions }) => effect === 'Allow' && conditions.some(({ key }) => DELEGATING_KEYS.includes(key)),
    );
    const statements = handing.map(nameOf);
    return handing.length === 0
      ? pass('the bucket policy leaves nothing to access points')
      : fail(`${statements.join(', ')} of the bucket policy leaves the decision to access points`, { statements });
  });
}
