import { type Answer, every, fail, look, pass } from '../answer.ts';
import type { Acl } from '../bucket-facts.ts';
import { publicStatements } from '../bucket-policy/index.ts';
import { control } from '../control.ts';
import { policyOf } from '../log-policy.ts';
import { nameOf } from '../policy-evidence.ts';
import { inForce } from '../public-access.ts';
import { type LogBucket, logBuckets, ownerFacts, type World } from '../world.ts';

const PUBLIC_GROUPS = [
  'http://acs.amazonaws.com/groups/global/AllUsers',
  'http://acs.amazonaws.com/groups/global/AuthenticatedUsers',
];

export const pol07 = control({
  id: 'POL-07',
  title: 'the log bucket is not public',
  severity: 'critical',
  remedy:
    'tie every grant to a named principal or a fixed account, drop ACL grants, and switch on all four public access blocks',
  calls: [
    'GetBucketPolicyStatus',
    'GetBucketPolicy',
    'GetBucketAcl',
    'GetPublicAccessBlock',
    'GetAccountPublicAccessBlock',
  ],
  none: 'there is no log bucket',
  over: logBuckets,
  check: (bucket, world) => every(byPolicy(bucket, world), byAcl(bucket, world)),
});

function byPolicy(bucket: LogBucket, world: World): Answer {
  const { policyStatus } = bucket.facts;
  return look({ policyStatus, policy: policyOf(bucket) }, ({ policyStatus: status, policy }) => {
    const statements = policy === null ? [] : publicStatements(policy).map(nameOf);
    const facts = { IsPublic: status?.IsPublic ?? null, publicStatements: statements };
    const isPublic = status?.IsPublic ?? statements.length > 0;
    if (!isPublic && statements.length > 0) {
      return pass('not public, says AWS, although we would have called its policy so', facts);
    }
    if (!isPublic) return pass('not public', facts);
    const restricted = inForce('RestrictPublicBuckets', bucket.facts, ownerFacts(world.snapshot, bucket.facts));
    return restricted === true
      ? fail('the bucket policy is public; latent, as long as RestrictPublicBuckets is on', facts, {
          severity: 'medium',
        })
      : fail('the bucket policy is public', facts);
  });
}

function byAcl(bucket: LogBucket, world: World): Answer {
  return look({ acl: bucket.facts.acl }, ({ acl }) => {
    const grants = publicGrants(acl);
    if (grants.length === 0) return pass('no public ACL grant');
    const ignored = inForce('IgnorePublicAcls', bucket.facts, ownerFacts(world.snapshot, bucket.facts));
    return ignored === true
      ? fail(
          'the ACL grants to the public; latent, as long as IgnorePublicAcls is on',
          { grants },
          { severity: 'medium' },
        )
      : fail('the ACL grants to the public', { grants });
  });
}

const publicGrants = ({ Grants = [] }: Acl): readonly string[] =>
  Grants.flatMap(({ Grantee, Permission }) =>
    PUBLIC_GROUPS.includes(Grantee?.URI ?? '') ? [`${Grantee?.URI} ${Permission}`] : [],
  );
