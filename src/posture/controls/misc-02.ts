import { type Answer, every, fail, look, pass } from '../answer.ts';
import { control } from '../control.ts';
import { type LogBucket, logBuckets, type World } from '../world.ts';

export const misc02 = control({
  id: 'MISC-02',
  title: 'the bucket holds nothing but logs',
  severity: 'low',
  remedy: 'give the logs a bucket of their own, in the log-archive account',
  calls: ['ListObjectsV2', 'GetBucketLogging'],
  none: 'there is no log bucket',
  over: logBuckets,
  check: (bucket, { scope }) => every(isNotState(bucket, scope), isNotOwnTarget(bucket), holdsOnlyLogs(bucket)),
});

const isNotState = ({ name }: LogBucket, { stateBuckets }: World['scope']): Answer =>
  stateBuckets.some(({ bucket }) => bucket === name)
    ? fail('the log bucket is a Terraform state bucket as well', { stateBucket: name })
    : pass('the bucket holds nothing but logs');

const isNotOwnTarget = ({ name, facts: { logging } }: LogBucket): Answer =>
  look({ logging }, (seen) => {
    const TargetBucket = seen.logging.LoggingEnabled?.TargetBucket ?? null;
    return TargetBucket === name
      ? fail('the log bucket receives its own access log', { TargetBucket })
      : pass('access logs go elsewhere', { TargetBucket });
  });

function holdsOnlyLogs({ prefixes, facts: { topLevel } }: LogBucket): Answer {
  const allowed = new Set(prefixes.map((prefix) => `${`${prefix}AWSLogs/`.split('/')[0]}/`));
  return look({ topLevel }, (seen) => {
    const foreign = [...seen.topLevel.prefixes.filter((prefix) => !allowed.has(prefix)), ...seen.topLevel.keys];
    const facts = { api: 'ListObjectsV2', foreign: foreign.slice(0, 10), truncated: seen.topLevel.truncated };
    // A page holds a thousand names, far more than there are log prefixes: one that is full holds foreign ones.
    return foreign.length > 0
      ? fail(`the bucket holds other things than logs: ${foreign.slice(0, 3).join(', ')}`, facts)
      : pass('the bucket holds only log prefixes', facts);
  });
}
