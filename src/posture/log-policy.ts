import type { Subject } from '../report/finding.ts';
import { type Answer, look, pass } from './answer.ts';
import { bucketTarget, grants, publicStatements } from './bucket-policy/index.ts';
import { type Forbidden, judgeOffences, offences } from './forbidden.ts';
import { policyIn, RESOURCE_POLICY_ONLY } from './policy-evidence.ts';
import { inForce } from './public-access.ts';
import { type LogBucket, ownerFacts, type World } from './world.ts';

/** The account that owns a log bucket, as far as it is known. */
export const ownerOf = ({ facts, demands }: LogBucket): string | null => demands.owner ?? facts.expectedOwner;

/** Who may read: those listed, and the audit reader. */
export const readersOf = ({ demands }: LogBucket, { scope }: World): readonly string[] =>
  scope.readerRole === null ? demands.readers : [...demands.readers, scope.readerRole.arn];

/** Where CloudTrail writes in a bucket, as ARN patterns. */
export const logResources = (arn: string, { prefixes }: LogBucket): readonly string[] =>
  prefixes.map((prefix) => `${arn}/${prefix}AWSLogs/*`);

/** `{policy}` of a bucket as evidence that controls can look at. */
export const policyOf = ({ facts }: LogBucket) => policyIn(facts.policy, 'GetBucketPolicy');

/** Whether the policy of a log bucket grants such acts to nobody but those listed. */
export function judgeNobodyBut(
  acts: Forbidden,
  listed: readonly string[],
  { bucket, world, subject }: { readonly bucket: LogBucket; readonly world: World; readonly subject: Subject },
): Answer {
  return look({ policy: policyOf(bucket) }, ({ policy }) => {
    if (policy === null) {
      return pass(`there is no bucket policy that lets anybody ${acts.act}; ${RESOURCE_POLICY_ONLY}`, {
        caveat: RESOURCE_POLICY_ONLY,
      });
    }
    const owner = ownerOf(bucket);
    const found = offences(grants(policy, bucketTarget(subject.arn ?? '')), acts, listed, owner);
    const isPublic = publicStatements(policy).length > 0;
    const restricted = inForce('RestrictPublicBuckets', bucket.facts, ownerFacts(world.snapshot, bucket.facts));
    return judgeOffences(found, acts, { owner, latent: isPublic && restricted === true });
  });
}
