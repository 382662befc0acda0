import { fail, look, pass } from '../answer.ts';
import { type AllowedCaller, allowedCallers, isHeldBy, isPinned } from '../bucket-policy/index.ts';
import { control } from '../control.ts';
import { mapped } from '../evidence.ts';
import { nameOf, policyIn } from '../policy-evidence.ts';
import { type ReaderRole, readerRole } from '../reader-role.ts';
import { issuerOf, namesSomebody } from '../web-identity.ts';

export const iam02 = control({
  id: 'IAM-02',
  title: 'only those named may become the audit reader',
  severity: 'medium',
  remedy:
    'name the principals in the trust policy; hold an OIDC provider to the sub of its tokens; ask sts:ExternalId of other accounts (StringEquals), and MFA where the config demands it',
  calls: ['GetRole'],
  none: 'no audit-reader role is configured',
  over: readerRole,
  check: (role) => {
    const document = mapped(role.facts.role, ({ AssumeRolePolicyDocument = '' }) => AssumeRolePolicyDocument);
    return look({ trust: policyIn(document, 'GetRole', 'trust') }, ({ trust }) => {
      if (trust === null) return fail('there is no such role', { role: role.demands.arn });
      const callers = allowedCallers(trust);
      const faults = callers.flatMap((caller) => faultOf(caller, role) ?? []);
      const [first] = faults;
      return first === undefined
        ? pass('the trust policy lets in only those named', {
            principals: callers.map(({ principal }) => principal.text),
          })
        : fail(first, { faults });
    });
  },
});

function faultOf(caller: AllowedCaller, { demands }: ReaderRole): string | null {
  const { principal } = caller;
  const who = `${principal.text} (${nameOf(caller.statement)})`;
  const own = demands.arn.split(':')[4];
  const isTied = ['aws:principalarn', 'aws:principalaccount'].some((key) => isPinned(caller, key, ['*']));
  if (principal.kind === 'everyone' && !isTied) return `anybody may assume the role: ${who}`;
  if (demands.trustedPrincipals.length > 0 && !isHeldBy(caller, demands.trustedPrincipals)) {
    return `${who} may assume the role and is not among the trusted principals`;
  }
  if (principal.kind === 'federated' && !isHeldToSubject(caller)) {
    return `anybody whom ${who} knows may assume the role: no condition names the sub of the token`;
  }
  const isForeign = 'account' in principal && principal.account !== own;
  if (demands.externalId && isForeign && !isPinned(caller, 'sts:externalid', ['*'])) {
    return `${who} is another account and need not give an sts:ExternalId`;
  }
  if (demands.mfa && principal.kind !== 'service' && !isPinned(caller, 'aws:multifactorauthpresent', ['true'])) {
    return `${who} may assume the role without MFA`;
  }
  return null;
}

/** Of providers that are no OIDC provider (SAML) the conditions have other names; they speak for one company anyway. */
function isHeldToSubject({ principal, facts }: AllowedCaller): boolean {
  const issuer = issuerOf(principal.text);
  if (issuer === null) return true;
  const sub = facts.get(`${issuer.toLowerCase()}:sub`);
  return sub?.present === true && sub.within.some((set) => set.every(({ text }) => namesSomebody(text)));
}
