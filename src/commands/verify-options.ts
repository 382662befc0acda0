import { parseTrailArn, type TrailArn } from '../aws/trails.ts';
import { ACCOUNT_ID } from '../chain/location.ts';
import type { Scope, TrailChoice } from '../verify/scope.ts';
import { UsageError } from './command.ts';
import { shareOf } from './shard.ts';

/** The options of `verify` as yargs gives them. */
export interface VerifyOptions {
  readonly trailArn?: readonly string[];
  readonly s3Bucket?: string;
  readonly s3Prefix?: string;
  readonly directory?: string;
  readonly accountId?: readonly string[];
  readonly region?: readonly string[];
  readonly trailName?: readonly string[];
  readonly startTime?: string;
  readonly endTime?: string;
  readonly since?: string;
  readonly now?: string;
  readonly publicKeys?: readonly string[];
  readonly metadata?: string;
  readonly relocatedFrom?: string;
  readonly grace?: string;
  readonly inventory?: 'full' | 'digests' | 'off';
  readonly requireLock?: string;
  readonly maxLogSize?: string;
  readonly concurrency?: number;
  readonly deadline?: string;
  /** `I/N`. */
  readonly shard?: string;
  readonly profile?: string;
  readonly endpointUrl?: string;
  readonly output?: readonly string[];
  readonly verbose?: boolean;
  readonly quiet?: boolean;
  readonly color?: boolean;
}

/** Parts of the ARN of a trail. Throws `UsageError`. */
export function trailArnOf(text: string): TrailArn {
  const arn = parseTrailArn(text);
  if (arn) return arn;
  throw new UsageError(`--trail-arn ${text}: expected arn:aws:cloudtrail:REGION:ACCOUNT:trail/NAME`);
}

/** What the options narrow the run to. */
export function scopeOf(given: VerifyOptions): Scope {
  const malformed = given.accountId?.find((account) => !ACCOUNT_ID.test(account));
  if (malformed !== undefined) throw new UsageError(`--account-id ${malformed}: expected 12 digits`);
  const named: TrailChoice[] = (given.trailName ?? []).map((name) => ({ name }));
  const trails = [...(given.trailArn ?? []).map(trailArnOf).map(choiceOf), ...named];
  return {
    prefix: given.s3Prefix === undefined ? null : normalPrefix(given.s3Prefix),
    ...(given.accountId === undefined ? {} : { accounts: new Set(given.accountId) }),
    ...(given.region === undefined ? {} : { regions: new Set(given.region) }),
    ...(trails.length === 0 ? {} : { trails }),
    ...(given.shard === undefined ? {} : { share: shareOf(given.shard) }),
  };
}

export function choiceOf({ name, region, account }: TrailArn): TrailChoice {
  return { name, homeRegion: region, owner: account };
}

/** A user means the same by `p`, `p/` and `/p/`. */
export function normalPrefix(prefix: string): string {
  const bare = prefix.replace(/^\/+|\/+$/g, '');
  return bare === '' ? '' : `${bare}/`;
}
