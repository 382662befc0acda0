import { type Answer, cannotTell, fail, pass } from './answer.ts';
import { actionGlob, actionsNamed, type Grant, intersects, isHeldBy } from './bucket-policy/index.ts';
import { namedIn } from './calls.ts';
import { unknown } from './evidence.ts';
import { grantFacts, nameOf, RESOURCE_POLICY_ONLY } from './policy-evidence.ts';

/** A kind of act that only listed principals may be granted. */
export interface Forbidden {
  /** "delete logs" */
  readonly act: string;
  readonly actions: ReadonlySet<string>;
  /** How AWS would name further actions of the kind; a wildcard that reaches there is not known to be harmless. */
  readonly alike: readonly string[];
}

const forbidden = (act: string, actions: readonly string[], alike: readonly string[]): Forbidden => ({
  act,
  actions: new Set(actionsNamed(actions)),
  alike,
});

export const WRITING = forbidden(
  'write objects',
  [
    ...[
      's3:PutObject',
      's3:PutObjectAcl',
      's3:PutObjectVersionAcl',
      's3:PutObjectTagging',
      's3:PutObjectVersionTagging',
    ],
    ...['s3:PutObject*Annotation', 's3:ReplicateObject*', 's3:ReplicateTags'],
  ],
  ['s3:PutObject*', 's3:ReplicateObject*'],
);

export const DELETING = forbidden(
  'delete logs',
  ['s3:DeleteObject*', 's3:DeleteBucket', 's3:ReplicateDelete', 's3:PutLifecycleConfiguration'],
  ['s3:DeleteObject*'],
);

export const WEAKENING = forbidden(
  'weaken the protection',
  [
    ...['s3:BypassGovernanceRetention', 's3:PutObjectRetention', 's3:PutObjectLegalHold', 's3:PutBucketObjectLock*'],
    ...['s3:PutBucketVersioning', 's3:PutBucketPolicy', 's3:DeleteBucketPolicy', 's3:PutBucketAcl', 's3:PutObject*Acl'],
    ...['s3:PutBucketPublicAccessBlock', 's3:PutBucketOwnershipControls', 's3:PutEncryptionConfiguration'],
    ...['s3:PutReplicationConfiguration', 's3:PauseReplication', 's3:PutBucketLogging', 's3:PutBucketNotification'],
    ...['s3:PutBucketRequestPayment', 's3:PutBucketAbac', 's3:PutInventoryConfiguration', 's3:UpdateObjectEncryption'],
    ...['s3:RestoreObject', 's3:ObjectOwnerOverrideToBucketOwner'],
  ],
  ['s3:Bypass*', 's3:PutBucket*', 's3:PutObject*Retention', 's3:PutObject*Hold'],
);

export const READING = forbidden(
  'read logs',
  ['s3:GetObject*', 's3:ListBucket*', 's3:ListObject*'],
  ['s3:GetObject*', 's3:ListObject*'],
);

/** A grant of such acts to somebody who is not listed. */
export interface Offence {
  readonly grant: Grant;
  /** The forbidden ones among its actions; empty where only a wildcard reaches to actions we do not know. */
  readonly actions: readonly string[];
}

/** What one grant gives away, whoever it goes to; `null`: nothing of the kind. */
export function actsOf(grant: Grant, { actions, alike }: Forbidden): readonly string[] | null {
  const given = grant.actions.filter((action) => actions.has(action));
  if (given.length > 0) return given;
  const reaches = grant.open.some((pattern) => alike.some((name) => intersects(actionGlob(pattern), actionGlob(name))));
  // A wildcard is only news where Denies took away every action we know of it.
  return reaches && grant.actions.length === 0 && grant.limitedBy.length === 0 && grant.scope === 'object' ? [] : null;
}

/**
 * Grants of such acts to others than those listed. A grant to the bucket's own account as a whole gives nothing that the
 * account's own IAM does not give: see `RESOURCE_POLICY_ONLY`.
 */
export function offences(
  grants: readonly Grant[],
  acts: Forbidden,
  listed: readonly string[],
  owner: string | null,
): readonly Offence[] {
  return grants.flatMap((grant) => {
    const actions = actsOf(grant, acts);
    const { principal } = grant;
    const isOwnAccount = principal.kind === 'account' && principal.account === owner;
    return actions === null || isOwnAccount || isHeldBy(grant, listed) ? [] : [{ grant, actions }];
  });
}

/** Fails on an offence that may happen; on one of which nobody knows whether it may, it cannot tell. */
export function judgeOffences(
  found: readonly Offence[],
  acts: Forbidden,
  given: { readonly owner: string | null; readonly latent: boolean },
): Answer {
  const facts = { grants: found.map(({ grant, actions }) => grantFacts(grant, actions)), caveat: RESOURCE_POLICY_ONLY };
  const real = found.filter(({ grant }) => grant.verdict !== 'unknown');
  const [first] = real;
  if (first) {
    const { grant, actions } = first;
    const more = real.length > 1 ? `, and ${real.length - 1} more` : '';
    const only = real.flatMap((offence) => offence.actions).every((action) => action === 's3:RestoreObject');
    const blocked = given.latent && real.every((offence) => isBlockedWhilePublic(offence.grant, given.owner));
    return fail(
      `${grant.principal.text} may ${acts.act} by ${actions.slice(0, 3).join(', ')} (${nameOf(grant.statement)})${more}${
        blocked ? '; latent, as long as RestrictPublicBuckets is on' : ''
      }`,
      facts,
      only ? { severity: 'low' } : blocked ? { severity: 'medium' } : {},
    );
  }
  if (found.length > 0) {
    const statements = [...new Set(found.map(({ grant }) => nameOf(grant.statement)))].join(', ');
    return cannotTell([unknown('unsupported', namedIn('GetBucketPolicy'), `not judged: ${statements}`)], facts);
  }
  return pass(`nobody else may ${acts.act}; ${RESOURCE_POLICY_ONLY}`, { caveat: RESOURCE_POLICY_ONLY });
}

/** Whom RestrictPublicBuckets keeps out of a bucket whose policy is public: strangers, not services, not its own account. */
const isBlockedWhilePublic = ({ principal }: Grant, owner: string | null): boolean =>
  principal.kind !== 'service' && !('account' in principal && principal.account === owner);
