import type { ExpectedTrail, LogBucketRequirements, LogBucketScope, PostureScope } from '../posture/scope.ts';
import { DEFAULT_SCOPE } from '../posture/scope.ts';
import { parseDuration } from './duration.ts';
import { DEFAULT_RETENTION, demandOf } from './regimes.ts';
import type { Config, LogBucket } from './schema.ts';
import { regimesOf } from './sense.ts';

const CLOUDTRAIL = /^cloudtrail\.amazonaws\.com(\.cn)?$/;
const HOUR_MS = 3_600_000;

/** What the posture controls see of the config. */
export function postureScope(config: Config): PostureScope {
  const regimes = regimesOf(config);
  const logBuckets = (config.logBuckets ?? []).map((bucket) => logBucketScope(bucket, config));
  const { posture } = config;
  return {
    trails: (config.trails ?? []).map((trail) => expectedTrail(trail, logBuckets)),
    logBuckets,
    logBucketDefaults: requirements({}, config),
    stateBuckets: (config.stateBuckets ?? []).map((bucket) => ({
      bucket: bucket.name,
      owner: bucket.account ?? null,
      keyPrefixes: bucket.prefixes ?? [''],
    })),
    organization: config.organization !== undefined && config.organization !== false,
    readerRole: readerRole(config),
    keyAdmins: config.keyAdmins ?? [],
    keyReaders: [...new Set([...logBuckets.flatMap(({ readers }) => readers), ...(config.keyReaders ?? [])])],
    allowExcludeKms: posture?.allowExcludeKms ?? DEFAULT_SCOPE.allowExcludeKms,
    allowExcludeRdsdata: posture?.allowExcludeRdsdata ?? DEFAULT_SCOPE.allowExcludeRdsdata,
    deliveryMaxAge: hours(posture?.deliveryMaxAge) ?? DEFAULT_SCOPE.deliveryMaxAge,
    digestMaxAge: hours(posture?.digestMaxAge) ?? DEFAULT_SCOPE.digestMaxAge,
    objects:
      posture?.objects === undefined ? null : { sample: posture.objects.sample, seed: posture.objects.seed ?? 0 },
    optIn: posture?.optIn ?? [],
    regime: regimes.length === 0 ? null : regimes.join('+'),
  };
}

function logBucketScope(bucket: LogBucket, config: Config): LogBucketScope {
  return {
    ...requirements(bucket, config),
    bucket: bucket.name,
    prefix: bucket.prefix === undefined ? null : trimmed(bucket.prefix),
  };
}

function requirements(bucket: Partial<LogBucket>, config: Config): LogBucketRequirements {
  const demand = demandOf(regimesOf(config));
  const days = bucket.retention?.days ?? demand.days;
  const reader = readerRole(config);
  return {
    lock: { mode: bucket.retention?.lock ?? DEFAULT_RETENTION.lock, days },
    hotDays: bucket.retention?.hotDays ?? Math.min(demand.hotDays, days),
    keepDays: bucket.retention?.keepDays ?? days,
    writers: (bucket.writers ?? []).filter((writer) => !CLOUDTRAIL.test(writer)),
    readers: [...new Set([...(bucket.readers ?? []), ...(reader === null ? [] : [reader.arn])])],
    admins: bucket.admins ?? [],
    owner: bucket.account ?? null,
    replication:
      bucket.replication === undefined
        ? null
        : {
            otherAccount: bucket.replication.otherAccount ?? false,
            otherRegion: bucket.replication.otherRegion ?? false,
          },
  };
}

/** A trail that does not say where it writes must write to the one log bucket, where there is only one. */
function expectedTrail(
  trail: NonNullable<Config['trails']>[number],
  logBuckets: readonly LogBucketScope[],
): ExpectedTrail {
  const { arn, bucket, prefix } = typeof trail === 'string' ? { arn: trail } : trail;
  const only = logBuckets.length === 1 ? logBuckets[0] : undefined;
  const target = bucket ?? only?.bucket ?? null;
  const named = logBuckets.find((candidate) => candidate.bucket === target);
  return { arn, bucket: target, prefix: prefix === undefined ? (named?.prefix ?? null) : trimmed(prefix) };
}

function readerRole(config: Config): PostureScope['readerRole'] {
  const reader = config.auditReaderRole;
  if (reader === undefined) return null;
  const said = typeof reader === 'string' ? { role: reader } : reader;
  return {
    arn: said.role,
    trustedPrincipals: said.trustedPrincipals ?? [],
    externalId: said.externalId ?? false,
    mfa: said.mfa ?? false,
    iamRead: said.iamRead ?? false,
  };
}

function hours(duration: string | undefined): number | null {
  const ms = duration === undefined ? null : parseDuration(duration);
  return ms === null ? null : ms / HOUR_MS;
}

function trimmed(prefix: string): string {
  return prefix.replace(/^\/+|\/+$/g, '');
}
