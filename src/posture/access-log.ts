import { type Answer, every, fail, look, notApplicable, pass, some } from './answer.ts';
import type { BucketFacts } from './bucket-facts.ts';
import { bucketTarget, evaluateAll, type Grant, grants, isPinned, oneOf, type Policy } from './bucket-policy/index.ts';
import { nameOf, policyIn } from './policy-evidence.ts';
import { bucketFacts, type LogBucket, type World } from './world.ts';

export function accessLogOn({ facts: { logging } }: LogBucket): Answer {
  return look({ logging }, (seen) => {
    const TargetBucket = seen.logging.LoggingEnabled?.TargetBucket ?? null;
    const facts = { api: 'GetBucketLogging', TargetBucket };
    return TargetBucket
      ? pass('access to the log bucket is logged', facts)
      : fail('access to the log bucket is not logged', facts);
  });
}

/** Whether S3 can really deliver the access log: it is dropped in silence where the target will not have it. */
export function accessLogDelivered({ name, facts: source }: LogBucket, world: World): Answer {
  return look({ logging: source.logging }, (seen) => {
    const target = seen.logging.LoggingEnabled?.TargetBucket;
    if (!target) return notApplicable('access to the log bucket is not logged');
    const facts = { api: 'GetBucketLogging', TargetBucket: target };
    if (target === name) return fail('the log bucket is the target of its own access log', facts);
    const there = bucketFacts(world.snapshot, target);
    const answer = every(
      isNear(source, there),
      isUnlocked(there),
      ownerPays(there),
      encryptsWithS3Keys(there),
      takesAccessLogs(there, source, world.snapshot.partition),
    );
    return { ...answer, facts: { ...answer.facts, ...facts } };
  });
}

function isNear(source: BucketFacts, target: BucketFacts): Answer {
  const { ownedAsExpected } = target;
  return look(
    { from: source.location, to: target.location, ownedAsExpected },
    ({ from, to, ownedAsExpected: owned }) => {
      const facts = { sourceRegion: from?.BucketRegion ?? null, targetRegion: to?.BucketRegion ?? null };
      if (to === null) return fail('the target of the access log does not exist', facts);
      if (from?.BucketRegion !== to.BucketRegion)
        return fail('the target of the access log is in another Region', facts);
      return owned && target.expectedOwner === source.expectedOwner
        ? pass('the access log can be delivered', facts)
        : fail('the target of the access log is in another account', facts);
    },
  );
}

const isUnlocked = ({ objectLock }: BucketFacts): Answer =>
  look({ objectLock }, (seen) =>
    seen.objectLock?.ObjectLockEnabled === 'Enabled'
      ? fail('the target of the access log has Object Lock: S3 does not deliver there', {
          ObjectLockEnabled: 'Enabled',
        })
      : pass('the target has no Object Lock'),
  );

const ownerPays = ({ requestPayment }: BucketFacts): Answer =>
  look({ requestPayment }, ({ requestPayment: { Payer = null } }) =>
    Payer === 'BucketOwner'
      ? pass('the owner of the target pays')
      : fail('the target of the access log is Requester Pays: S3 does not deliver there', { Payer }),
  );

const encryptsWithS3Keys = ({ encryption }: BucketFacts): Answer =>
  look({ encryption }, (seen) => {
    const algorithms = (seen.encryption?.Rules ?? []).flatMap(
      ({ ApplyServerSideEncryptionByDefault: rule }) => rule?.SSEAlgorithm ?? [],
    );
    return algorithms.every((algorithm) => algorithm === 'AES256')
      ? pass('the target encrypts with keys of S3')
      : fail('the target of the access log encrypts with KMS: S3 does not deliver there', { SSEAlgorithm: algorithms });
  });

const LOGGING = 'logging.s3.amazonaws.com';
const LOG_DELIVERY = 'http://acs.amazonaws.com/groups/s3/LogDelivery';

/** By policy or, where ACLs still count, by the grant to the log delivery group that consoles used to set. */
function takesAccessLogs(target: BucketFacts, source: BucketFacts, partition: string): Answer {
  const byPolicy = look({ policy: policyIn(target.policy, 'GetBucketPolicy') }, ({ policy }) =>
    lettingIn(policy, target, source, partition),
  );
  const byAcl = look({ acl: target.acl }, ({ acl }) =>
    (acl.Grants ?? []).some(
      ({ Grantee, Permission }) =>
        Grantee?.URI === LOG_DELIVERY && (Permission === 'WRITE' || Permission === 'FULL_CONTROL'),
    )
      ? pass('the ACL of the target lets S3 write access logs')
      : fail(`the policy of the target does not let ${LOGGING} put objects for this bucket alone`),
  );
  return byPolicy.outcome === 'fail' ? some(byPolicy, byAcl) : byPolicy;
}

function lettingIn(policy: Policy | null, target: BucketFacts, source: BucketFacts, partition: string): Answer {
  const arnOf = (bucket: string) => `arn:${partition}:s3:::${bucket}`;
  const request = new Map([
    ['aws:sourcearn', oneOf(arnOf(source.bucket))],
    ['aws:securetransport', oneOf('true')],
    ...(source.expectedOwner ? [['aws:sourceaccount', oneOf(source.expectedOwner)] as const] : []),
  ]);
  const toLogging = (policy === null ? [] : grants(policy, bucketTarget(arnOf(target.bucket)))).filter(
    ({ principal, actions, conditions }) =>
      principal.kind === 'service' &&
      principal.text === LOGGING &&
      actions.includes('s3:PutObject') &&
      evaluateAll(conditions, request) !== 'no',
  );
  const facts = {
    api: 'GetBucketPolicy',
    statements: toLogging.map(({ statement }) => nameOf(statement)),
  };
  if (toLogging.length === 0)
    return fail(`the policy of the target does not let ${LOGGING} put objects for this bucket`, facts);
  return toLogging.every((grant) => isBound(grant, arnOf(source.bucket), source.expectedOwner))
    ? pass('the policy of the target lets S3 write access logs', facts)
    : fail(
        `the policy of the target lets ${LOGGING} put objects for any bucket: no aws:SourceArn, no aws:SourceAccount`,
        facts,
      );
}

/** Narrowed to buckets of the account at least: others could write to the log otherwise. */
const isBound = (grant: Grant, sourceArn: string, owner: string | null): boolean =>
  isPinned(grant, 'aws:sourcearn', [sourceArn]) || (owner !== null && isPinned(grant, 'aws:sourceaccount', [owner]));
