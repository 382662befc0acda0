import type { Argv } from 'yargs';
import { REGIMES, type RegimeName } from '../config/regimes.ts';
import type { Config } from '../config/schema.ts';
import { postureScope } from '../config/scope.ts';
import type { LogBucketScope, ObjectSurveyScope, PostureScope } from '../posture/scope.ts';
import { UsageError } from './command.ts';

/** What of the scope the command line may say; each wins over the config. */
export interface ScopeOptions {
  readonly trailArn?: readonly string[] | undefined;
  readonly s3Bucket?: readonly string[] | undefined;
  readonly stateBucket?: readonly string[] | undefined;
  readonly regime?: readonly string[] | undefined;
  readonly objects?: string | undefined;
  readonly seed?: number | undefined;
}

/** Options of every command that judges the configuration: what is demanded beyond the config, and what is kept. */
export function demandOptions(yargs: Argv): Argv {
  return yargs.options({
    'state-bucket': {
      type: 'string',
      array: true,
      requiresArg: true,
      describe: 'buckets whose object events must be recorded',
    },
    regime: {
      type: 'string',
      array: true,
      requiresArg: true,
      describe: 'retention preset: pci, hipaa, sox, sec17a4, m2131',
    },
    objects: {
      type: 'string',
      requiresArg: true,
      describe: 'look at the objects: all, or how many of logs and of digests to sample (a sample can only fail)',
    },
    seed: { type: 'number', requiresArg: true, describe: 'chooses the sample; default 0' },
    'save-snapshot': {
      type: 'string',
      requiresArg: true,
      describe: 'keep what AWS answered, to judge it again later',
    },
  });
}

const TRAIL_ARN = /^arn:[\w-]+:cloudtrail:[\w-]+:\d{12}:trail\/[\w.-]+$/;

/** The demands of config and command line together. Throws `UsageError`. */
export function scopeOf(options: ScopeOptions, config: Config): PostureScope {
  const regime = options.regime?.flatMap((names) => names.split(',')).map(regimeNamed);
  const scope = postureScope(regime ? { ...config, regime } : config);
  return {
    ...scope,
    ...(options.trailArn ? { trails: options.trailArn.map((arn) => expected(arn, scope)) } : {}),
    ...(options.s3Bucket ? { logBuckets: options.s3Bucket.map((bucket) => demanded(bucket, scope)) } : {}),
    ...(options.stateBucket
      ? { stateBuckets: options.stateBucket.map((bucket) => stateBucketNamed(bucket, scope)) }
      : {}),
    ...(options.objects === undefined ? {} : { objects: surveyOf(options.objects, options.seed ?? 0) }),
  };
}

function regimeNamed(name: string): RegimeName {
  if (!Object.hasOwn(REGIMES, name)) {
    throw new UsageError(`--regime ${name}: there is none of that name; known: ${Object.keys(REGIMES).join(', ')}`);
  }
  return name as RegimeName;
}

function expected(arn: string, { trails }: PostureScope): PostureScope['trails'][number] {
  if (!TRAIL_ARN.test(arn)) {
    throw new UsageError(`--trail-arn ${arn}: expected arn:aws:cloudtrail:REGION:ACCOUNT:trail/NAME`);
  }
  return trails.find((trail) => trail.arn === arn) ?? { arn, bucket: null, prefix: null };
}

function demanded(bucket: string, { logBuckets, logBucketDefaults }: PostureScope): LogBucketScope {
  return logBuckets.find((named) => named.bucket === bucket) ?? { ...logBucketDefaults, bucket, prefix: null };
}

function stateBucketNamed(bucket: string, { stateBuckets }: PostureScope): PostureScope['stateBuckets'][number] {
  return stateBuckets.find((named) => named.bucket === bucket) ?? { bucket, owner: null, keyPrefixes: [''] };
}

function surveyOf(sample: string, seed: number): ObjectSurveyScope {
  if (sample === 'all') return { sample, seed };
  if (!/^[1-9]\d{0,8}$/.test(sample)) {
    throw new UsageError(`--objects ${sample}: expected all, or how many versions of logs and of digests to look at`);
  }
  return { sample: Number(sample), seed };
}
