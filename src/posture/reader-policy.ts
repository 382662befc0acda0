import { CALLS, type Call, type CallName, type Scoping } from './calls.ts';
import type { PostureScope } from './scope.ts';

export interface Statement {
  readonly Sid: string;
  readonly Effect: 'Allow';
  readonly Principal?: { readonly [kind in 'AWS' | 'Federated']?: readonly string[] };
  readonly Action: readonly string[];
  readonly Resource?: readonly string[];
  readonly Condition?: { readonly [operator: string]: { readonly [key: string]: string | readonly string[] } };
}

export interface PolicyDocument {
  readonly Version: '2012-10-17';
  readonly Statement: readonly Statement[];
}

export interface Place {
  readonly partition: string;
  /** `null`: any account. */
  readonly account: string | null;
}

const SIDS: { readonly [scoping in Scoping]: string } = {
  '*': 'TrailsAndAccount',
  bucket: 'Buckets',
  object: 'Objects',
  'access-point': 'AccessPoints',
  key: 'Keys',
  role: 'ReaderRole',
  'event-data-store': 'EventDataStores',
};

/** Calls that are made of state buckets too, which nobody needs to read. */
const LOCATING: ReadonlySet<CallName> = new Set<CallName>(['HeadBucket', 'GetBucketLocation']);

/** The least that lets these calls succeed: one statement for each kind of thing a permission can be narrowed to. */
export function readerPolicy(calls: readonly CallName[], scope: PostureScope, place: Place): PolicyDocument {
  const statements = (Object.keys(SIDS) as Scoping[]).flatMap((scoping) => {
    const actions = actionsOf(calls.filter((name) => CALLS[name].scoping === scoping && name !== 'Decrypt'));
    const Resource = resources(scoping, scope, place);
    return actions.length > 0 && Resource.length > 0 ? [allow(SIDS[scoping], actions, Resource)] : [];
  });
  const states = scope.stateBuckets.map(({ bucket }) => `arn:${place.partition}:s3:::${bucket}`);
  const locating = actionsOf(calls.filter((name) => LOCATING.has(name)));
  if (states.length > 0 && scope.logBuckets.length > 0 && locating.length > 0) {
    statements.push(allow('StateBucketsWhere', locating, states));
  }
  if (calls.includes('Decrypt')) statements.push(decrypt(scope, place));
  return { Version: '2012-10-17', Statement: statements };
}

const allow = (Sid: string, Action: readonly string[], Resource: readonly string[]): Statement => ({
  Sid,
  Effect: 'Allow',
  Action,
  Resource,
});

function actionsOf(calls: readonly CallName[]): readonly string[] {
  return [...new Set(calls.flatMap((name): Call['iamActions'][number][] => [...CALLS[name].iamActions]))].sort();
}

function resources(scoping: Scoping, scope: PostureScope, { partition, account }: Place): readonly string[] {
  const owner = account ?? '*';
  switch (scoping) {
    case '*':
      return ['*'];
    case 'bucket':
      return bucketArns(scope, partition);
    case 'object':
      return objectArns(scope, partition);
    case 'access-point':
      return [`arn:${partition}:s3:*:${owner}:accesspoint/*`];
    case 'key':
      return [`arn:${partition}:kms:*:${owner}:key/*`];
    case 'role':
      return scope.readerRole ? [scope.readerRole.arn] : [];
    case 'event-data-store':
      return [`arn:${partition}:cloudtrail:*:${owner}:eventdatastore/*`];
  }
}

/** The log buckets of the config; every bucket where it names none, for then the trails say which. */
function bucketArns({ logBuckets }: PostureScope, partition: string): readonly string[] {
  return logBuckets.length > 0 ? logBuckets.map(({ bucket }) => `arn:${partition}:s3:::${bucket}`) : ['*'];
}

function objectArns({ logBuckets }: PostureScope, partition: string): readonly string[] {
  return logBuckets.length > 0
    ? logBuckets.map(({ bucket, prefix }) => `arn:${partition}:s3:::${bucket}/${prefix ? `${prefix}/` : ''}AWSLogs/*`)
    : [`arn:${partition}:s3:::*/AWSLogs/*`];
}

/**
 * What the memory of nightly runs needs. Without the right to list, S3 calls an object refused that is not there; it asks
 * for that right with no `s3:prefix` in the request, hence `IfExists`.
 */
export function checkpointStatements(bucket: string, prefix: string, { partition }: Place): readonly Statement[] {
  const arn = `arn:${partition}:s3:::${bucket}`;
  const folder = prefix === '' || prefix.endsWith('/') ? prefix : `${prefix}/`;
  return [
    allow('Checkpoints', ['s3:GetObject', 's3:PutObject'], [`${arn}/${folder}*`]),
    {
      ...allow('CheckpointsThere', ['s3:ListBucket'], [arn]),
      ...(folder === '' ? {} : { Condition: { StringLikeIfExists: { 's3:prefix': `${folder}*` } } }),
    },
  ];
}

/** Only what S3 decrypts on the way out, and only what CloudTrail encrypted. */
function decrypt(scope: PostureScope, place: Place): Statement {
  const suffix = place.partition === 'aws-cn' ? 'amazonaws.com.cn' : 'amazonaws.com';
  return {
    ...allow('DecryptLogs', ['kms:Decrypt'], resources('key', scope, place)),
    Condition: { StringLike: { 'kms:ViaService': `s3.*.${suffix}` } },
  };
}
