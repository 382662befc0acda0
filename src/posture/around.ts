import type { Subject } from '../report/finding.ts';
import { lackingOf } from './evidence.ts';
import type { EventDataStoreFacts, KeyFacts, LogGroupFacts } from './snapshot.ts';
import {
  type LogBucket,
  logBuckets,
  notCollected,
  type Target,
  type Targets,
  type Trail,
  trails,
  type World,
} from './world.ts';

/** A KMS key that trails in scope encrypt with. */
export interface TrailKey {
  readonly facts: KeyFacts;
  readonly trails: readonly Trail[];
}

/** A log group that trails in scope deliver to. */
export interface TrailLogGroup {
  readonly facts: LogGroupFacts;
  readonly trails: readonly Trail[];
}

export function trailKeys(world: World): Targets<TrailKey> {
  return named(world, 'KmsKeyId', (id, users) => {
    const facts = world.snapshot.keys.find((key) => key.id === id) ?? {
      id,
      metadata: notCollected('DescribeKey'),
      rotation: notCollected('GetKeyRotationStatus'),
      policy: notCollected('GetKeyPolicy'),
    };
    return { subject: arnSubject('key', id), of: { facts, trails: users } };
  });
}

export function trailLogGroups(world: World): Targets<TrailLogGroup> {
  return named(world, 'CloudWatchLogsLogGroupArn', (arn, users) => {
    const facts = world.snapshot.logGroups.find((group) => group.arn === arn) ?? {
      arn,
      group: notCollected('DescribeLogGroups'),
    };
    return { subject: arnSubject('log-group', arn), of: { facts, trails: users } };
  });
}

export function eventDataStores({ snapshot: { eventDataStores: stores } }: World): Targets<EventDataStoreFacts> {
  const list = stores.state === 'known' ? stores.value : [];
  return {
    list: list.map((facts) => ({ subject: arnSubject('event-data-store', facts.arn), of: facts })),
    unseen: lackingOf([stores]),
  };
}

export const NOT_SURVEYED = 'objects were not asked for';

/** Log buckets whose objects were to be looked at. */
export function surveyedBuckets(world: World): Targets<LogBucket> {
  return world.scope.objects === null ? { list: [], unseen: [] } : logBuckets(world);
}

function named<T>(
  world: World,
  field: 'KmsKeyId' | 'CloudWatchLogsLogGroupArn',
  target: (name: string, users: readonly Trail[]) => Target<T>,
): Targets<T> {
  const inScope = trails(world);
  const users = new Map<string, Trail[]>();
  for (const { of: trail } of inScope.list) {
    const name = trail.description.state === 'known' ? trail.description.value[field] : undefined;
    if (name) users.set(name, [...(users.get(name) ?? []), trail]);
  }
  return {
    list: [...users].map(([name, by]) => target(name, by)),
    unseen: [...inScope.unseen, ...lackingOf(inScope.list.map(({ of }) => of.description))],
  };
}

function arnSubject(type: Subject['type'], arn: string): Subject {
  const [, , , region, account] = arn.split(':');
  return { type, arn, ...(account ? { account } : {}), ...(region ? { region } : {}) };
}
