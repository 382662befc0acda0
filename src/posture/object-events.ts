import { type Answer, cannotTell, fail, pass } from './answer.ts';
import type { BucketFacts } from './bucket-facts.ts';
import { recorders } from './recorders.ts';
import type { SelectorNote } from './selectors/coverage.ts';
import { bucketCoverage } from './selectors/data.ts';
import type { Operation } from './selectors/shapes.ts';
import type { LogBucket, World } from './world.ts';

/** Whether the logging trails together record these operations on all of these keys of a bucket. */
export function objectEventsRecorded(
  world: World,
  { bucket, location, expectedOwner }: BucketFacts,
  keys: readonly string[],
  operation: Operation,
): Answer {
  if (location.state === 'absent')
    return fail(`there is no bucket ${bucket}`, { api: 'HeadBucket', code: location.code });
  const region = location.state === 'known' ? location.value.BucketRegion : null;
  const { sure, unsure } = recorders(world, { account: expectedOwner, region });
  const coverage = bucketCoverage(sure, { partition: world.snapshot.partition, bucket, keys }, operation);
  const selectors = coverage.kind === 'none' ? [] : coverage.by.map(notes);
  const facts = { api: 'GetEventSelectors', operation, keys, coverage: coverage.kind, selectors };
  if (coverage.kind === 'full') return pass(`${operation} events of ${bucket} are recorded`, facts);
  const lacking = location.state === 'unknown' ? [...unsure, location] : unsure;
  if (lacking.length > 0) return cannotTell(lacking, facts);
  return fail(
    coverage.kind === 'none'
      ? `no trail records ${operation} events of ${bucket}`
      : `${operation} events of ${bucket} are recorded in part: ${coverage.by
          .map(({ reason }) => reason)
          .filter(Boolean)
          .join('; ')}`,
    facts,
  );
}

const notes = ({ owner, form, index, reason }: SelectorNote) => ({ trail: owner, form, index, reason });

/** Writes, and with them deletes, of the logs in a log bucket. */
export function logObjectEventsRecorded({ name, facts, prefixes, trails }: LogBucket, world: World): Answer {
  const keys = prefixes.map((prefix) => `${prefix}AWSLogs/`);
  const answer = objectEventsRecorded(world, facts, keys, 'write');
  // Recorded into the bucket itself, each delivery causes another unless the trail leaves out its own.
  const recursive = trails.flatMap(({ arn, description }) =>
    description.state === 'known' ? [{ trail: arn, RecursiveLogging: description.value.RecursiveLogging ?? true }] : [],
  );
  return { ...answer, facts: { ...answer.facts, bucket: name, writers: recursive } };
}
