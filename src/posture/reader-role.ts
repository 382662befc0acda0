import { type Answer, cannotTell, fail, pass } from './answer.ts';
import { contains, glob, type Policy, type Statement } from './bucket-policy/index.ts';
import { CALLS, type Call } from './calls.ts';
import { nameOf } from './policy-evidence.ts';
import type { ReaderRoleScope } from './scope.ts';
import type { RoleFacts } from './snapshot.ts';
import { logBuckets, notCollected, type Targets, type World } from './world.ts';

export interface ReaderRole {
  readonly demands: ReaderRoleScope;
  readonly facts: RoleFacts;
}

/** The audit-reader's role that the config names; none without one. */
export function readerRole({ snapshot, scope }: World): Targets<ReaderRole> {
  const { readerRole: demands } = scope;
  if (demands === null) return { list: [], unseen: [] };
  const facts = snapshot.roles.find(({ arn }) => arn === demands.arn) ?? {
    arn: demands.arn,
    role: notCollected('GetRole'),
    policies: notCollected('ListAttachedRolePolicies'),
    boundary: notCollected('GetRole'),
  };
  const account = demands.arn.split(':')[4];
  return {
    list: [{ subject: { type: 'role', arn: demands.arn, ...(account ? { account } : {}) }, of: { demands, facts } }],
    unseen: [],
  };
}

/** Reads that tell configuration, not content: in order on whatever they name. */
const CONFIGURATION_READS = [
  ...[
    's3:GetBucket*',
    's3:Get*Configuration',
    's3:Get*PublicAccessBlock',
    's3:GetAccessPoint*',
    's3:GetMultiRegionAccess*',
  ],
  ...['s3:ListAccess*', 's3:ListAllMyBuckets', 's3:ListMultiRegionAccessPoints', 's3:ListTagsForResource'],
  ...['cloudtrail:Describe*', 'cloudtrail:Get*', 'cloudtrail:List*', 'cloudtrail:Lookup*', 'sts:GetCallerIdentity'],
  ...['kms:Describe*', 'kms:Get*', 'kms:List*', 'logs:Describe*', 'account:ListRegions', 'ec2:DescribeRegions'],
  ...['organizations:Describe*', 'organizations:List*', 'access-analyzer:Check*', 'access-analyzer:ValidatePolicy'],
];
/** Reads of what lies in a bucket: in order on log buckets. */
const LISTING = ['s3:ListBucket*'];
const CONTENT = ['s3:GetObject*', 's3:ListObject*', 's3:ListMultipartUploadParts'];

/** What a policy's Allows give beyond an audit-reader's duties. */
export interface Excess {
  readonly statement: string;
  readonly actions: readonly string[];
  /** Set where the actions are in order but reach too far. */
  readonly resources?: readonly string[];
}

/**
 * All that identity policies allow beyond reading: of logs in the log buckets, of keys that are named or used through
 * S3, of configuration anywhere. Conditions are otherwise taken to be met; a Deny counts if it holds always and
 * everywhere.
 */
export function excesses(policy: Policy, world: World, { iamRead }: ReaderRoleScope): readonly Excess[] {
  const reach = reachOf(world, iamRead);
  const denied = policy.statements.filter(
    ({ effect, conditions, resources }) =>
      effect === 'Deny' &&
      conditions.length === 0 &&
      !resources.except &&
      resources.list.some(({ text }) => text === '*'),
  );
  return policy.statements
    .filter(({ effect }) => effect === 'Allow')
    .flatMap((statement) => excessOf(statement, denied, reach));
}

/** Action patterns that are in order anywhere, and ARN patterns of what may be listed and read. */
interface Reach {
  readonly anywhere: readonly string[];
  readonly listing: readonly string[];
  readonly content: readonly string[];
}

/** Where the config names no log bucket, the policy that we print ourselves cannot name one either. */
function reachOf(world: World, iamRead: boolean): Reach {
  const { partition } = world.snapshot;
  const arnOf = (bucket: string) => `arn:${partition}:s3:::${bucket}`;
  const logs = logBuckets(world).list.map(({ of: { name } }) => arnOf(name));
  const states = world.scope.stateBuckets.map(({ bucket }) => arnOf(bucket));
  const isDiscovering = world.scope.logBuckets.length === 0;
  return {
    anywhere: [...CONFIGURATION_READS, ...usedByUs(), ...(iamRead ? ['iam:Get*', 'iam:List*'] : [])],
    listing: [...logs, ...states, ...(isDiscovering ? ['*'] : [])],
    content: [...logs.map((arn) => `${arn}/*`), ...(isDiscovering ? [`${arnOf('*')}/AWSLogs/*`] : [])],
  };
}

/** Every permission our own calls need, but for those that reach into buckets or use keys. */
const usedByUs = (): readonly string[] =>
  Object.values<Call>(CALLS).flatMap(({ iamActions }) =>
    iamActions.filter((action) => !within(action, [...LISTING, ...CONTENT, 'kms:Decrypt'])),
  );

function excessOf(statement: Statement, denied: readonly Statement[], reach: Reach): readonly Excess[] {
  const name = nameOf(statement);
  const { actions, resources } = statement;
  if (actions.except)
    return [{ statement: name, actions: [`all but ${actions.list.map(({ text }) => text).join(', ')}`] }];
  const given = actions.list
    .map(({ text }) => text)
    .filter((action) => !isDenied(action, denied) && !within(action, reach.anywhere));
  const beyond = (fits: (resource: string) => boolean) =>
    resources.except ? ['all but some'] : resources.list.map(({ text }) => text).filter((text) => !fits(text));
  const isIn = (places: readonly string[]) => (resource: string) =>
    places.some((place) => contains(glob(place), glob(resource)));
  const bounded = [
    { kind: LISTING, far: beyond(isIn([...reach.listing, ...reach.content])) },
    { kind: CONTENT, far: beyond(isIn([...reach.content, ...reach.listing.filter((place) => place !== '*')])) },
    {
      kind: ['kms:Decrypt'],
      far: usesKeysThroughS3(statement) ? [] : beyond((arn) => /:(?:key|alias)\/[^*?]+$/.test(arn)),
    },
  ];
  const rest = given.filter((action) => !bounded.some(({ kind }) => within(action, kind)));
  return [
    ...(rest.length > 0 ? [{ statement: name, actions: rest }] : []),
    ...bounded.flatMap(({ kind, far }) => {
      const those = given.filter((action) => within(action, kind));
      return those.length > 0 && far.length > 0 ? [{ statement: name, actions: those, resources: far }] : [];
    }),
  ];
}

/** `kms:ViaService` of S3: then a key opens what the role may read in S3 and nothing else. */
const usesKeysThroughS3 = ({ conditions }: Statement): boolean =>
  conditions.some(
    ({ key, operator, values }) =>
      key === 'kms:viaservice' &&
      !operator.negated &&
      !operator.ifExists &&
      operator.quantifier === null &&
      values.every((value) => /^s3\.[^.]+\.amazonaws\.com(?:\.cn)?$/.test(value)),
  );

const within = (action: string, permitted: readonly string[]): boolean =>
  permitted.some((pattern) => contains(glob(pattern.toLowerCase()), glob(action.toLowerCase())));

const isDenied = (action: string, denies: readonly Statement[]): boolean =>
  denies.some(
    ({ actions }) =>
      !actions.except &&
      within(
        action,
        actions.list.map(({ text }) => text),
      ),
  );

/** Judges the excesses of one policy; where log buckets are unseen, reading may be of one of them. */
export function judgeExcesses(source: string, found: readonly Excess[], world: World): Answer {
  const [first] = found;
  if (first === undefined) return pass(`${source} allows reading only`);
  const { unseen } = logBuckets(world);
  if (unseen.length > 0 && found.every(({ resources }) => resources !== undefined)) return cannotTell(unseen);
  const where = first.resources === undefined ? '' : ` on ${first.resources.slice(0, 3).join(', ')}`;
  const more = found.length > 1 ? `, and more in ${found.length - 1} statement(s)` : '';
  const excess = found.map(({ statement, actions, resources }) => ({ statement, actions, resources }));
  return fail(`${source} allows ${first.actions.slice(0, 3).join(', ')}${where} (${first.statement})${more}`, {
    excess,
  });
}
