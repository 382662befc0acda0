import type { Place, PolicyDocument, Statement } from './reader-policy.ts';
import type { ReaderRoleScope } from './scope.ts';
import { issuerOf } from './web-identity.ts';

/** What the tokens of an OIDC provider must say. */
export interface WebIdentity {
  /** `aud`: whom they are made out to. */
  readonly audience: string;
  /** `sub`: whose they are; `*` and `?` are wildcards. */
  readonly subjects: readonly string[];
}

type Condition = NonNullable<Statement['Condition']>;

const isPattern = (text: string): boolean => /[*?]/.test(text);

/** Who may become the audit reader: the named principals, each as AWS allows to name it. */
export function trustPolicy(
  reader: ReaderRoleScope,
  { partition, account }: Place,
  identity: WebIdentity,
): PolicyDocument {
  const federated = reader.trustedPrincipals.filter((principal) => issuerOf(principal) !== null);
  const others = reader.trustedPrincipals.filter((principal) => issuerOf(principal) === null);
  const patterns = others.filter(isPattern);
  const exact = others.filter((principal) => !isPattern(principal));
  const also: Condition = {
    ...(reader.mfa ? { Bool: { 'aws:MultiFactorAuthPresent': 'true' } } : {}),
    ...(reader.externalId ? { StringEquals: { 'sts:ExternalId': 'REPLACE-WITH-EXTERNAL-ID' } } : {}),
  };
  const assumed = (Sid: string, AWS: readonly string[], condition: Condition = {}): Statement => ({
    Sid,
    Effect: 'Allow',
    Principal: { AWS },
    Action: ['sts:AssumeRole'],
    ...(Object.keys({ ...condition, ...also }).length > 0 ? { Condition: { ...condition, ...also } } : {}),
  });
  const accounts = [...new Set(patterns.map((pattern) => pattern.split(':')[4] || account || ''))];
  return {
    Version: '2012-10-17',
    Statement: [
      ...(exact.length > 0 ? [assumed('Named', exact)] : []),
      // A principal element knows no patterns; the account does, and the condition narrows it to the roles meant.
      ...accounts.map((owner) =>
        assumed(`Roles${owner}`, [`arn:${partition}:iam::${owner}:root`], {
          ArnLike: { 'aws:PrincipalArn': patterns.filter((pattern) => (pattern.split(':')[4] || account) === owner) },
        }),
      ),
      ...federated.map((provider) => webIdentity(provider, identity)),
    ],
  };
}

/** A provider speaks for everybody it knows, whosever they are: the subject says who of them is meant. */
function webIdentity(provider: string, { audience, subjects }: WebIdentity): Statement {
  const issuer = issuerOf(provider) ?? '';
  const sub = { [`${issuer}:sub`]: subjects };
  const aud = { [`${issuer}:aud`]: audience };
  return {
    Sid: 'WebIdentity',
    Effect: 'Allow',
    Principal: { Federated: [provider] },
    Action: ['sts:AssumeRoleWithWebIdentity'],
    Condition: subjects.some(isPattern) ? { StringEquals: aud, StringLike: sub } : { StringEquals: { ...aud, ...sub } },
  };
}

/**
 * Roles that IAM Identity Center makes for a permission set: in a folder of its home Region, or without one where that is
 * us-east-1, and with sixteen characters at the end, so that `Audit` does not let in `Audit_Admin`.
 */
export function ssoRolePatterns(permissionSet: string, partition: string, account: string): readonly string[] {
  const folder = `arn:${partition}:iam::${account}:role/aws-reserved/sso.amazonaws.com`;
  const role = `AWSReservedSSO_${permissionSet}_${'?'.repeat(16)}`;
  return [`${folder}/${role}`, `${folder}/*/${role}`];
}
