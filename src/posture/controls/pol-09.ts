import { fail, look, pass } from '../answer.ts';
import { bucketTarget, type Facts, ifPresent, undenied, unlike } from '../bucket-policy/index.ts';
import { control } from '../control.ts';
import { policyOf } from '../log-policy.ts';
import { logBuckets } from '../world.ts';

const GUARDED = [
  ...['s3:DeleteObject', 's3:DeleteObjectVersion', 's3:BypassGovernanceRetention', 's3:PutLifecycleConfiguration'],
  ...['s3:PutBucketPolicy', 's3:DeleteBucketPolicy', 's3:PutBucketObjectLockConfiguration', 's3:PutBucketVersioning'],
];

export const pol09 = control({
  id: 'POL-09',
  title: 'explicit Denies guard deletion and the policy itself',
  severity: 'low',
  remedy:
    'deny the named actions to Principal "*" with ArnNotLike aws:PrincipalArn naming the break-glass roles: this also binds identities of the own account, whose own policies a bucket policy cannot see',
  calls: ['GetBucketPolicy'],
  none: 'there is no log bucket',
  over: logBuckets,
  check: (bucket, _, { arn = '' }) =>
    look({ policy: policyOf(bucket) }, ({ policy }) => {
      if (policy === null) return fail('there is no bucket policy, so nothing is denied');
      const left = undenied(policy, {
        actions: GUARDED,
        target: bucketTarget(arn),
        facts: everybodyBut(bucket.demands.admins),
      });
      const open = [...new Set(left.flatMap(({ actions }) => actions))];
      return open.length === 0
        ? pass('deletion and changes of policy, lock and lifecycle are denied to all but the admins', {
            guarded: GUARDED,
          })
        : fail(`not denied to everybody but the admins: ${open.join(', ')}`, { open });
    }),
});

/** Callers that sign as somebody: a Deny may spare AWS's own services. */
function everybodyBut(admins: readonly string[]): Facts {
  const patterns = admins.map((entry) => (/^\d{12}$/.test(entry) ? `arn:*:*::${entry}:*` : entry));
  return new Map([
    ['aws:principalarn', unlike(...patterns)],
    ['aws:principalisawsservice', ifPresent('false')],
  ]);
}
