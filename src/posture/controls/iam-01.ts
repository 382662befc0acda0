import { type Answer, every, fail, look, pass, some } from '../answer.ts';
import { control } from '../control.ts';
import { policyIn } from '../policy-evidence.ts';
import { excesses, judgeExcesses, type ReaderRole, readerRole } from '../reader-role.ts';
import type { RolePolicyFacts } from '../snapshot.ts';
import type { World } from '../world.ts';

export const iam01 = control({
  id: 'IAM-01',
  title: 'the audit reader can read and do nothing else',
  severity: 'high',
  remedy: 'attach the policy that trailseal iam-policy prints, and nothing else',
  calls: [
    'GetRole',
    'ListAttachedRolePolicies',
    'ListRolePolicies',
    'GetRolePolicy',
    'GetPolicy',
    'GetPolicyVersion',
    'DescribeTrails',
  ],
  none: 'no audit-reader role is configured',
  over: readerRole,
  check: (role, world) =>
    look({ role: role.facts.role }, (seen) =>
      seen.role === null
        ? fail('there is no such role', { role: role.demands.arn })
        : some(byPolicies(role, world), byBoundary(role, world)),
    ),
});

function byPolicies({ demands, facts }: ReaderRole, world: World): Answer {
  return look({ policies: facts.policies }, ({ policies }) => {
    const [first, ...rest] = policies.map(({ name, kind, document }: RolePolicyFacts) =>
      look(
        { policy: policyIn(document, kind === 'inline' ? 'GetRolePolicy' : 'GetPolicyVersion', 'identity') },
        ({ policy }) => judgeExcesses(name, policy === null ? [] : excesses(policy, world, demands), world),
      ),
    );
    const read = { policies: policies.map(({ name }) => name) };
    if (first === undefined) return pass('the role has no policies', read);
    const answer = every(first, ...rest);
    return { ...answer, facts: { ...read, ...answer.facts } };
  });
}

/** A permissions boundary caps whatever the policies say. */
function byBoundary({ demands, facts }: ReaderRole, world: World): Answer {
  return look({ boundary: policyIn(facts.boundary, 'GetPolicyVersion', 'identity') }, ({ boundary }) =>
    boundary === null
      ? fail('the role has no permissions boundary')
      : judgeExcesses('the boundary', excesses(boundary, world, demands), world),
  );
}
