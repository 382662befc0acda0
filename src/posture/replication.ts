import { type Answer, cannotTell, every, type Facts, fail, look, notApplicable, pass, some } from './answer.ts';
import { namedIn } from './calls.ts';
import { unknown } from './evidence.ts';
import { lockEnabled, lockMode, lockPeriod, versioningEnabled } from './lock.ts';
import type { BucketFacts, ReplicationRule, Snapshot } from './snapshot.ts';
import { bucketFacts, type LogBucket, type World } from './world.ts';

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

/** The copy is held as firmly as the original: a lock in the same mode and for as long, versions, nothing public. */
export function copyIsAsStrong({ facts, demands }: LogBucket, { snapshot }: World): Answer {
  if (demands.replication === null) return notApplicable(UNASKED);
  return look({ replication: facts.replication }, ({ replication }) => {
    const copies = (replication?.Rules ?? [])
      .filter(({ Status }) => Status === 'Enabled')
      .flatMap((rule) => destinationFacts(snapshot, rule) ?? []);
    if (copies.length === 0) return notApplicable('logs are not copied');
    const answers = copies.flatMap((copy) =>
      [
        lockEnabled(copy),
        lockMode(copy, demands),
        lockPeriod(copy, demands),
        versioningEnabled(copy),
        notPublic(copy),
      ].map((answer) => named(copy.bucket, answer)),
    );
    const [first = notApplicable('logs are not copied'), ...rest] = answers;
    const answer = every(first, ...rest);
    return answer.outcome === 'pass' ? { ...answer, message: 'the copy is held as firmly as the original' } : answer;
  });
}

const notPublic = ({ policyStatus }: BucketFacts): Answer =>
  look({ policyStatus }, (seen) =>
    seen.policyStatus?.IsPublic
      ? fail('the policy of the copy is public', { IsPublic: true })
      : pass('the policy of the copy is not public', { IsPublic: false }),
  );

const named = (bucket: string, answer: Answer): Answer =>
  answer.outcome === 'inconclusive'
    ? answer
    : { ...answer, message: `${bucket}: ${answer.message}`, facts: { ...answer.facts, copy: bucket } };
