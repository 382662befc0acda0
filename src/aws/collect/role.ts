import { absent, type Evidence, known, mapped, type Read } from '../../posture/evidence.ts';
import type { RoleFacts, RolePolicyFacts } from '../../posture/snapshot.ts';
import { notCollected } from '../../posture/world.ts';
import { parseArn } from './arn.ts';
import { answered, pagesOf, readOf } from './ask.ts';
import type { Collector } from './collector.ts';

/** A role with all it is allowed: each policy on its own, so that one refusal leaves the others readable. */
export async function collectRole(collector: Collector, arn: string): Promise<RoleFacts> {
  const { ask, clients, account } = collector;
  const sdk = await import('@aws-sdk/client-iam');
  const iam = await clients.of('iam');
  const foreign = parseArn(arn).account !== account;
  const RoleName = arn.split('/').at(-1) ?? arn;
  if (foreign) {
    // IAM looks a role up by name in the caller's account only; a namesake there is another role.
    const elsewhere = { ...notCollected('GetRole'), reason: 'cross-account', code: 'OtherAccount' } as const;
    return { arn, role: elsewhere, policies: elsewhere, boundary: elsewhere };
  }
  const told = await ask.evidence('GetRole', () => iam.send(new sdk.GetRoleCommand({ RoleName })));
  const role = answered('GetRole', told, (answer) => answer.Role);
  const boundaryArn = mapped(role, ({ PermissionsBoundary }) => PermissionsBoundary?.PermissionsBoundaryArn);
  return {
    arn,
    role: mapped(role, ({ Arn, AssumeRolePolicyDocument, PermissionsBoundary }) => ({
      ...(Arn ? { Arn } : {}),
      ...(AssumeRolePolicyDocument ? { AssumeRolePolicyDocument: decodeURIComponent(AssumeRolePolicyDocument) } : {}),
      ...(PermissionsBoundary?.PermissionsBoundaryArn
        ? { PermissionsBoundary: PermissionsBoundary.PermissionsBoundaryArn }
        : {}),
    })),
    policies: role.state === 'absent' ? notCollected('ListRolePolicies') : await policiesOf(collector, RoleName),
    boundary:
      boundaryArn.state !== 'known'
        ? boundaryArn
        : boundaryArn.value === undefined
          ? absent('NoPermissionsBoundary')
          : await managedDocument(collector, boundaryArn.value),
  };
}

async function policiesOf(collector: Collector, RoleName: string): Promise<Read<readonly RolePolicyFacts[]>> {
  const { ask, clients } = collector;
  const sdk = await import('@aws-sdk/client-iam');
  const iam = await clients.of('iam');
  const inline = await pagesOf(
    'ListRolePolicies',
    (Marker) => ask.read('ListRolePolicies', () => iam.send(new sdk.ListRolePoliciesCommand({ RoleName, Marker }))),
    markerOf,
  );
  if (inline.state !== 'known') return inline;
  const attached = await pagesOf(
    'ListAttachedRolePolicies',
    (Marker) =>
      ask.read('ListAttachedRolePolicies', () =>
        iam.send(new sdk.ListAttachedRolePoliciesCommand({ RoleName, Marker })),
      ),
    markerOf,
  );
  if (attached.state !== 'known') return attached;
  const own = inline.value.flatMap(({ PolicyNames = [] }) => PolicyNames);
  const managed = attached.value.flatMap(({ AttachedPolicies = [] }) => AttachedPolicies);
  const policies = await Promise.all([
    ...own.map(async (name): Promise<RolePolicyFacts> => {
      const told = await ask.read('GetRolePolicy', () =>
        iam.send(new sdk.GetRolePolicyCommand({ RoleName, PolicyName: name })),
      );
      return {
        name,
        kind: 'inline',
        document: mapped(told, ({ PolicyDocument = '' }) => decodeURIComponent(PolicyDocument)),
      };
    }),
    ...managed.map(
      async ({ PolicyArn = '' }): Promise<RolePolicyFacts> => ({
        name: PolicyArn,
        kind: 'attached',
        document: readOf('GetPolicy', await managedDocument(collector, PolicyArn)),
      }),
    ),
  ]);
  return known(policies);
}

/** The default version's document, the one that counts. */
async function managedDocument({ ask, clients }: Collector, PolicyArn: string): Promise<Evidence<string>> {
  const sdk = await import('@aws-sdk/client-iam');
  const iam = await clients.of('iam');
  const policy = answered(
    'GetPolicy',
    await ask.evidence('GetPolicy', () => iam.send(new sdk.GetPolicyCommand({ PolicyArn }))),
    (answer) => answer.Policy?.DefaultVersionId,
  );
  if (policy.state !== 'known') return policy;
  const version = await ask.evidence('GetPolicyVersion', () =>
    iam.send(new sdk.GetPolicyVersionCommand({ PolicyArn, VersionId: policy.value })),
  );
  return answered('GetPolicyVersion', version, ({ PolicyVersion }) =>
    PolicyVersion?.Document === undefined ? undefined : decodeURIComponent(PolicyVersion.Document),
  );
}

/** As `Marker` of the next request, where the answer is not the whole. */
function markerOf({ IsTruncated, Marker }: { readonly IsTruncated?: boolean; readonly Marker?: string }) {
  return IsTruncated ? (Marker ?? null) : undefined;
}
