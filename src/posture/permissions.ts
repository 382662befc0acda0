import { type Finding, findingId, type Json, type Subject } from '../report/finding.ts';
import { CALLS, type Call, type CallName } from './calls.ts';
import type { Control } from './control.ts';
import type { Evidence, Unknown } from './evidence.ts';

/** What verify cannot say without an answer to a call; posture's cost is the controls that declare the call. */
const VERIFY_COST: { readonly [name in CallName]?: string } = {
  ListPublicKeys: 'no digest can be attested: verify is inconclusive unless --public-keys brings the keys',
  ListObjectsV2: 'verify finds no digests and cannot see objects that no digest names',
  ListObjectVersions: 'verify cannot see overwritten objects and delete markers',
  GetObject: 'verify can read neither digests nor logs: nothing is proven',
  GetObjectRetention: '--require-lock is inconclusive',
  GetObjectLegalHold: 'legal holds are not shown',
  Decrypt: 'verify cannot read objects under a KMS key',
  GetTrailStatus: 'verify does not hear from CloudTrail when it last delivered a digest',
  DescribeTrails: 'trails named by ARN do not tell their bucket: name it with --s3-bucket',
};

/** A permission that no call of ours needs by name: the answer to another call shows it. */
const SHOWN_BY: { readonly [name in CallName]?: CallName } = { Decrypt: 'GetObject' };

/** What became of one call of a run; several of one name are judged together. */
export interface Tried {
  readonly name: CallName;
  readonly evidence: Evidence<unknown>;
}

/** One finding for each call that a run needs: may it be made, and what is lost where not. */
export function judgePermissions(
  needed: readonly CallName[],
  tried: readonly Tried[],
  controls: readonly Control[],
  account: string | null,
): Finding[] {
  return needed.flatMap((name) => {
    const { operation, iamActions }: Call = CALLS[name];
    if (iamActions.length === 0) return [];
    const action = iamActions[0] ?? operation;
    const of = tried.filter((call) => call.name === (SHOWN_BY[name] ?? name));
    const refused = of.flatMap(({ evidence }) => (evidence.state === 'unknown' ? [evidence] : []));
    const cost = costOf(name, controls);
    const facts = { call: operation, actions: [...iamActions], tried: of.length, refused: refused.length, cost };
    const [first] = refused;
    if (of.length === 0) {
      const message = `${action}: not tried, there was nothing to ask it of`;
      return [permission('permission-untried', name, account, message, facts)];
    }
    if (first === undefined) return [permission('permission-granted', name, account, action, facts)];
    const times = of.length === refused.length ? '' : ` (${refused.length} of ${of.length} times)`;
    const kind = isRefusal(first) ? 'permission-missing' : 'permission-unclear';
    const what = isRefusal(first) ? 'was refused' : `could not be tried, ${first.reason}`;
    const message = `${action}: ${operation} ${what} with ${first.code}${times}; it costs: ${cost}`;
    return [permission(kind, name, account, message, { ...facts, reason: first.reason, code: first.code })];
  });
}

/** Who asks; without credentials nothing else is worth telling. */
export function judgeIdentity(identity: Evidence<{ readonly Arn: string; readonly Account: string }>): Finding {
  if (identity.state === 'known') {
    return permission('identity-known', null, identity.value.Account, `the run asks as ${identity.value.Arn}`, {});
  }
  const code = identity.code;
  const message = `who asks is not known: GetCallerIdentity answered ${code}`;
  return permission('identity-unknown', null, null, message, { code });
}

const MEANING = {
  'identity-known': { outcome: 'pass', severity: 'info', remedy: '' },
  'identity-unknown': {
    outcome: 'inconclusive',
    severity: 'critical',
    remedy: 'Sign in again (aws sso login), or name a profile with --profile; trailseal needs no more than that.',
  },
  'permission-granted': { outcome: 'pass', severity: 'info', remedy: '' },
  'permission-untried': { outcome: 'not-applicable', severity: 'info', remedy: '' },
  'permission-missing': {
    outcome: 'inconclusive',
    severity: 'high',
    remedy:
      'Allow it: trailseal iam-policy prints the whole policy. In another account the bucket or key policy must allow it too.',
  },
  'permission-unclear': {
    outcome: 'inconclusive',
    severity: 'medium',
    remedy: 'Look at network, endpoint and Region, then run doctor again.',
  },
} as const;

function permission(
  control: keyof typeof MEANING,
  name: CallName | null,
  account: string | null,
  message: string,
  evidence: { readonly [key: string]: Json },
): Finding {
  const subject: Subject = { type: 'account', ...(account === null ? {} : { account }) };
  return {
    v: 1,
    id: findingId(control, subject, name ?? ''),
    control,
    kind: 'posture',
    ...MEANING[control],
    subject,
    message,
    evidence,
    references: [],
    waiver: null,
  };
}

function isRefusal({ reason }: Unknown): boolean {
  return reason === 'access-denied' || reason === 'cross-account';
}

function costOf(name: CallName, controls: readonly Control[]): string {
  const readers = controls.filter(({ calls }) => calls.includes(name)).map(({ id }) => id);
  const posture = readers.length === 0 ? [] : [`${readers.join(', ')} cannot be judged`];
  const verify = VERIFY_COST[name];
  return [...posture, ...(verify === undefined ? [] : [verify])].join('; ') || 'trails or buckets are not found';
}
