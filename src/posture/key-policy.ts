import { type Answer, fail, pass } from './answer.ts';
import type { TrailKey } from './around.ts';
import { type Grant, grants, isHeldBy, isPinned, KEY_TARGET, type Policy } from './bucket-policy/index.ts';
import { nameOf } from './policy-evidence.ts';
import type { PostureScope } from './scope.ts';

const CLOUDTRAIL = /^cloudtrail\.amazonaws\.com(\.cn)?$/;
/** What makes logs unreadable, or lets somebody hand the key on. */
const ADMINISTRATION = ['kms:ScheduleKeyDeletion', 'kms:DisableKey', 'kms:PutKeyPolicy', 'kms:CreateGrant'];

type Demands = Pick<PostureScope, 'keyAdmins' | 'keyReaders'>;

/**
 * CloudTrail may encrypt, for the account's trails only; nobody but those listed may decrypt or administer. A grant to
 * the key's own account hands the matter to IAM, which a key policy cannot show.
 */
export function judgeKeyPolicy(policy: Policy, key: TrailKey, owner: string | null, demands: Demands): Answer {
  const all = grants(policy, KEY_TARGET);
  const delegated = all.filter((grant) => isDelegated(grant, owner));
  const toCloudTrail = all.filter(({ principal }) => principal.kind === 'service' && CLOUDTRAIL.test(principal.text));
  const rest = all.filter((grant) => !delegated.includes(grant) && !toCloudTrail.includes(grant));
  const facts = { api: 'GetKeyPolicy', delegatedToIam: delegated.map(naming) };

  const encrypting = toCloudTrail.filter(({ actions }) => actions.includes('kms:GenerateDataKey'));
  if (encrypting.length === 0) return fail('the key policy does not let CloudTrail encrypt', facts);
  const trails = trailPatterns(key);
  const unbound = toCloudTrail.filter((grant) => usesKey(grant) && !isBound(grant, trails));
  if (unbound.length > 0)
    return fail('CloudTrail may use the key for trails of any account: no aws:SourceArn, no encryption context', {
      ...facts,
      grants: unbound.map(naming),
    });
  const admins = rest.filter((grant) => has(grant, ADMINISTRATION) && !isHeldBy(grant, demands.keyAdmins));
  if (admins.length > 0)
    return fail(`the key may be administered by ${names(admins)}, not listed in keyAdmins`, {
      ...facts,
      grants: admins.map(naming),
    });
  const readers = rest.filter(
    (grant) => has(grant, ['kms:Decrypt']) && !isHeldBy(grant, [...demands.keyReaders, ...demands.keyAdmins]),
  );
  if (readers.length > 0)
    return fail(`logs may be decrypted by ${names(readers)}, not listed as readers`, {
      ...facts,
      grants: readers.map(naming),
    });
  return pass(
    'the key policy lets CloudTrail encrypt and only those listed decrypt; key policy only, identities of its own account may still be let in by IAM',
    facts,
  );
}

function isDelegated(grant: Grant, owner: string | null): boolean {
  const { kind } = grant.principal;
  if (owner === null || (kind !== 'account' && kind !== 'everyone')) return false;
  return isHeldBy(grant, [owner]) || isPinned(grant, 'kms:calleraccount', [owner]);
}

function trailPatterns({ trails }: TrailKey): readonly string[] {
  return trails.map(({ arn, account }) => `${arn.split(':').slice(0, 3).join(':')}:*:${account}:trail/*`);
}

const isBound = (grant: Grant, trails: readonly string[]): boolean =>
  isPinned(grant, 'aws:sourcearn', trails) || isPinned(grant, 'kms:encryptioncontext:aws:cloudtrail:arn', trails);

const has = ({ actions }: Grant, wanted: readonly string[]): boolean =>
  wanted.some((action) => actions.includes(action));
const usesKey = (grant: Grant): boolean =>
  has(grant, ['kms:GenerateDataKey', 'kms:Decrypt', 'kms:Encrypt', ...ADMINISTRATION]);
const naming = ({ principal, statement }: Grant) => ({
  principal: principal.text,
  statement: nameOf(statement),
});
const names = (found: readonly Grant[]): string =>
  [...new Set(found.map(({ principal }) => principal.text))].join(', ');
