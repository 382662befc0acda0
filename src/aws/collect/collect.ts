import type { BucketFacts } from '../../posture/bucket-facts.ts';
import type { PostureScope } from '../../posture/scope.ts';
import type { Snapshot } from '../../posture/snapshot.ts';
import { type LogBucket, logBuckets, notCollected, trails, type World } from '../../posture/world.ts';
import { collectAccount } from './access-points.ts';
import { parseArn } from './arn.ts';
import type { Ask } from './ask.ts';
import { collectBucket, locateBucket } from './bucket.ts';
import type { PostureClients } from './clients.ts';
import type { Collector } from './collector.ts';
import { surveyObjects } from './objects.ts';
import { collectRole } from './role.ts';
import { collectIdentity, collectKey, collectLogGroup, collectOrganization, collectRegions } from './surroundings.ts';
import { collectEventDataStores, collectTrails } from './trails.ts';

export interface CollectOptions {
  readonly clients: PostureClients;
  readonly ask: Ask;
  readonly scope: PostureScope;
  /** ISO 8601 UTC; becomes `collectedAt`, which freshness is judged at. */
  readonly now: string;
}

const DISABLED = new Set(['DISABLED', 'DISABLING']);

/** Asks AWS all that `ask` lets through. Never throws for a trouble of the world. */
export async function collect({ clients, ask, scope, now }: CollectOptions): Promise<Snapshot> {
  const [identity, regions] = await Promise.all([collectIdentity({ ask, clients }), collectRegions({ ask, clients })]);
  const arn = identity.state === 'known' ? identity.value.Arn : (scope.trails[0]?.arn ?? '');
  const partition = parseArn(arn).partition || partitionOf(clients.region);
  const collector: Collector = {
    ask,
    clients,
    partition,
    account: identity.state === 'known' ? identity.value.Account : null,
  };

  const enabled =
    regions.state === 'known'
      ? regions.value
          .filter(({ RegionOptStatus }) => !DISABLED.has(RegionOptStatus))
          .map(({ RegionName }) => RegionName)
      : [];
  const homes = scope.trails.map(({ arn }) => parseArn(arn).region).filter((region) => region !== '');
  const found = await collectTrails(collector, unique([clients.region, ...homes, ...enabled]), scope.trails);
  const bare: Snapshot = {
    v: 1,
    collectedAt: now,
    partition,
    identity,
    regions,
    ...found,
    buckets: [],
    accounts: [],
    organization: notCollected('DescribeOrganization'),
    keys: [],
    logGroups: [],
    roles: [],
    eventDataStores: notCollected('ListEventDataStores'),
  };

  const world: World = { snapshot: bare, scope, now: Date.parse(now) };
  const logs = logBuckets(world).list.map(({ of }) => of);
  const described = trails(world).list.flatMap(({ of: { description, homeRegion } }) =>
    description.state === 'known' ? [{ ...description.value, homeRegion }] : [],
  );
  const [buckets, organization, keys, logGroups, roles, eventDataStores] = await Promise.all([
    collectBuckets(collector, scope, logs),
    scope.organization || described.some(({ IsOrganizationTrail }) => IsOrganizationTrail)
      ? collectOrganization(collector)
      : bare.organization,
    Promise.all(
      unique(described.flatMap(({ KmsKeyId }) => KmsKeyId ?? [])).map((id) =>
        collectKey(collector, id, described.find(({ KmsKeyId }) => KmsKeyId === id)?.homeRegion ?? clients.region),
      ),
    ),
    Promise.all(
      unique(described.flatMap(({ CloudWatchLogsLogGroupArn: arn }) => arn ?? [])).map((arn) =>
        collectLogGroup(collector, arn),
      ),
    ),
    Promise.all(scope.readerRole ? [collectRole(collector, scope.readerRole.arn)] : []),
    collectEventDataStores(collector, unique([clients.region, ...described.map(({ homeRegion }) => homeRegion)])),
  ]);
  const names = new Set(logs.map(({ name }) => name));
  const owners = unique(
    buckets.flatMap(({ bucket, expectedOwner }) => (names.has(bucket) && expectedOwner ? [expectedOwner] : [])),
  );
  const accounts = await Promise.all(owners.map((owner) => collectAccount(collector, owner, names)));
  return { ...bare, buckets, accounts, organization, keys, logGroups, roles, eventDataStores };
}

function partitionOf(region: string): string {
  if (region.startsWith('cn-')) return 'aws-cn';
  return region.startsWith('us-gov-') ? 'aws-us-gov' : 'aws';
}

const unique = (names: readonly string[]): readonly string[] => [...new Set(names)];

/** Log buckets with their objects if those were asked for, then the buckets they log and replicate to, then state buckets. */
async function collectBuckets(
  collector: Collector,
  scope: PostureScope,
  logBuckets: readonly LogBucket[],
): Promise<readonly BucketFacts[]> {
  const logs = await Promise.all(
    logBuckets.map(async ({ name, demands, prefixes }) => {
      const facts = await collectBucket(collector, name, demands.owner);
      return scope.objects === null
        ? facts
        : { ...facts, objects: await surveyObjects(collector, facts, prefixes, scope.objects) };
    }),
  );
  const done = new Set(logs.map(({ bucket }) => bucket));
  const targets = new Map<string, string | null>();
  for (const { logging, replication, expectedOwner } of logs) {
    const target = logging.state === 'known' ? logging.value.LoggingEnabled?.TargetBucket : undefined;
    if (target) targets.set(target, expectedOwner);
    for (const { Destination } of replication.state === 'known' ? (replication.value.Rules ?? []) : []) {
      const copy = Destination?.Bucket?.split(':::').at(-1);
      if (copy) targets.set(copy, Destination?.Account ?? null);
    }
  }
  const others = [...targets].filter(([bucket]) => !done.has(bucket));
  for (const [bucket] of others) done.add(bucket);
  const [around, states] = await Promise.all([
    Promise.all(others.map(([bucket, owner]) => collectBucket(collector, bucket, owner))),
    Promise.all(
      scope.stateBuckets
        .filter(({ bucket }) => !done.has(bucket))
        .map(({ bucket, owner }) => locateBucket(collector, bucket, owner)),
    ),
  ]);
  return [...logs, ...around, ...states];
}
