import type { Subject } from '../report/finding.ts';
import { type Answer, cannotTell, every, type Facts, fail, look, notApplicable, pass, some } from './answer.ts';
import type { BucketFacts, ReplicationRule } from './bucket-facts.ts';
import { namedIn } from './calls.ts';
import { unknown } from './evidence.ts';
import { DELETING, type Forbidden, READING, WEAKENING, WRITING } from './forbidden.ts';
import { lockEnabled, lockMode, lockPeriod, versioningEnabled } from './lock.ts';
import { judgeNobodyBut, readersOf } from './log-policy.ts';
import { publicAccessBlocked } from './public-access.ts';
import type { Snapshot } from './snapshot.ts';
import { bucketFacts, type LogBucket, ownerFacts, type World } from './world.ts';

const api = 'GetBucketReplication';
const UNASKED = 'the config demands no copy';

/** A rule copies all logs under every prefix to where the config wants a copy. */
export function copiedElsewhere({ facts, demands, prefixes: before }: LogBucket, { snapshot }: World): Answer {
  if (demands.replication === null) return notApplicable(UNASKED);
  return look({ replication: facts.replication }, ({ replication }) => {
    const rules = replication?.Rules ?? [];
    const logPrefixes = before.map((prefix) => `${prefix}AWSLogs/`);
    const none = fail('logs are not copied to another bucket', { api, rules: rules.length });
    const [prefix = none, ...prefixes] = logPrefixes.map((logs) => {
      const [rule = none, ...others] = rules.map((one, index) => copies(one, index, logs, snapshot, facts, demands));
      return some(rule, ...others);
    });
    return every(prefix, ...prefixes);
  });
}

function copies(
  rule: ReplicationRule,
  index: number,
  logs: string,
  snapshot: Snapshot,
  source: BucketFacts,
  { replication }: LogBucket['demands'],
): Answer {
  const told: Facts = { api, rule: rule.ID ?? `#${index + 1}`, Destination: rule.Destination?.Bucket ?? null };
  if (rule.Status !== 'Enabled') return fail('the replication rule is disabled', told);
  if (!coversLogs(rule, logs)) return fail(`the replication rule does not take in all of ${logs}`, told);
  if (rule.DeleteMarkerReplication?.Status === 'Enabled')
    return fail('delete markers are copied as well: hiding a log hides its copy', told, { severity: 'medium' });
  const copy = destinationFacts(snapshot, rule);
  if (copy === null) return fail('the replication rule has no destination', told);
  return every(
    replication?.otherAccount ? inOtherAccount(rule, source, copy, told) : pass('logs are copied', told),
    replication?.otherRegion ? inOtherRegion(source, copy, told) : pass('logs are copied', told),
  );
}

/** A filter by tag takes in no log: CloudTrail sets none. */
function coversLogs({ Filter, Prefix }: ReplicationRule, logs: string): boolean {
  const tagged = Filter?.Tag !== undefined || (Filter?.And?.Tags?.length ?? 0) > 0;
  return !tagged && logs.startsWith(Filter?.And?.Prefix ?? Filter?.Prefix ?? Prefix ?? '');
}

function destinationFacts(snapshot: Snapshot, { Destination }: ReplicationRule): BucketFacts | null {
  const name = Destination?.Bucket?.split(':::').at(-1);
  return name ? bucketFacts(snapshot, name) : null;
}

function inOtherAccount(rule: ReplicationRule, source: BucketFacts, copy: BucketFacts, told: Facts): Answer {
  const from = source.expectedOwner;
  // A rule names the account of the copy only where it hands over ownership.
  const to = rule.Destination?.Account ?? (copy.ownedAsExpected.state === 'known' ? copy.expectedOwner : null);
  const facts = { ...told, sourceAccount: from, destinationAccount: to };
  if (from === null || to === null)
    return cannotTell([unknown('cross-account', namedIn('HeadBucket'), 'OwnerUnknown')], facts);
  return from === to
    ? fail(`the copy is in the same account, ${to}`, facts)
    : pass(`logs are copied to account ${to}`, facts);
}

function inOtherRegion(source: BucketFacts, copy: BucketFacts, told: Facts): Answer {
  return look({ from: source.location, to: copy.location }, ({ from, to }) => {
    const facts = {
      ...told,
      sourceRegion: from?.BucketRegion ?? null,
      destinationRegion: to?.BucketRegion ?? null,
    };
    if (to === null) return fail('the bucket of the copy does not exist', facts);
    return from?.BucketRegion === to.BucketRegion
      ? fail(`the copy is in the same Region, ${to.BucketRegion}`, facts)
      : pass(`logs are copied to ${to.BucketRegion}`, facts);
  });
}

/**
 * The copy is held as firmly as the original: a lock in the same mode and for as long, versions, nothing public, and a
 * policy that lets in those listed for the original and the role that copies.
 */
export function copyIsAsStrong({ facts, demands, prefixes }: LogBucket, world: World): Answer {
  if (demands.replication === null) return notApplicable(UNASKED);
  return look({ replication: facts.replication }, ({ replication }) => {
    const none = notApplicable('logs are not copied');
    const copiers = replication?.Role ? [replication.Role] : [];
    const [first = none, ...rest] = (replication?.Rules ?? [])
      .filter(({ Status }) => Status === 'Enabled')
      .flatMap((rule) => destinationFacts(world.snapshot, rule) ?? [])
      .map((copy) => {
        const { expectedOwner: owner, bucket } = copy;
        return holdsAsFirmly(
          { name: bucket, demands: { ...demands, bucket, owner }, facts: copy, trails: [], prefixes },
          copiers,
          world,
        );
      });
    return every(first, ...rest);
  });
}

function holdsAsFirmly(copy: LogBucket, copiers: readonly string[], world: World): Answer {
  const { name, facts, demands } = copy;
  const subject: Subject = { type: 'bucket', arn: `arn:${world.snapshot.partition}:s3:::${name}`, bucket: name };
  const nobodyBut = (acts: Forbidden, listed: readonly string[]) =>
    judgeNobodyBut(acts, [...listed, ...copiers], { bucket: copy, world, subject });
  const answer = every(
    lockEnabled(facts),
    lockMode(facts, demands),
    lockPeriod(facts, demands),
    versioningEnabled(facts),
    publicAccessBlocked(facts, ownerFacts(world.snapshot, facts)),
    nobodyBut(DELETING, demands.admins),
    nobodyBut(WEAKENING, demands.admins),
    nobodyBut(WRITING, demands.writers),
    nobodyBut(READING, readersOf(copy, world)),
  );
  if (answer.outcome === 'inconclusive') return answer;
  const message = answer.outcome === 'pass' ? 'is held as firmly as the original' : answer.message;
  return { ...answer, message: `the copy ${name}: ${message}`, facts: { ...answer.facts, copy: name } };
}
