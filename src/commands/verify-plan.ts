import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { parseTrailArn, type TrailArn } from '../aws/trails.ts';
import type { Range } from '../chain/coverage.ts';
import { ACCOUNT_ID, HOUR } from '../chain/location.ts';
import type { LockDemand } from '../chain/lock.ts';
import type { Verdict } from '../chain/verdict.ts';
import { type KeySource, savedKeys } from '../keys/key-source.ts';
import { parseSavedKeys } from '../keys/saved-keys.ts';
import { directorySource } from '../source/directory.ts';
import { readMetadataManifest } from '../source/metadata-manifest.ts';
import type { Source } from '../source/source.ts';
import type { Relocation, Scope, TrailChoice } from '../verify/scope.ts';
import type { VerifyRequest } from '../verify/verify.ts';
import { UsageError } from './command.ts';
import { parseInstant, parseLength, parseSince } from './shared-options.ts';

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
  readonly concurrency?: number;
  readonly deadline?: string;
  readonly profile?: string;
  readonly endpointUrl?: string;
  readonly output?: readonly string[];
  readonly verbose?: boolean;
  readonly quiet?: boolean;
  readonly color?: boolean;
}

export interface VerifyPlan {
  /** Reached before anything is read. */
  readonly verdicts: readonly Verdict[];
  /** One for each bucket or directory. */
  readonly requests: readonly VerifyRequest[];
  readonly range: Range;
  /** Epoch milliseconds. */
  readonly now: number;
  /** Fires when the time is over. */
  readonly deadline: AbortSignal;
  /** SHA-256 of each file that was read, by its name. */
  readonly inputs: Readonly<Record<string, string>>;
}

const DEFAULT_CONCURRENCY = 256;
/** Node's timers hold no longer time. */
const LONGEST_TIMER = 2 ** 31 - 1;

/**
 * Turns options into what `verify` takes. Throws `UsageError` for every mistake in them. `remembered` says, once it is
 * known what will be read, from which instant on it has to be (epoch milliseconds).
 */
export async function planVerify(
  given: VerifyOptions,
  now: number,
  remembered: (targets: readonly Target[]) => Promise<number | null> = () => Promise.resolve(null),
): Promise<VerifyPlan> {
  const said = rangeOf(given, now);
  const inputs: Record<string, string> = {};
  const keys = given.publicKeys === undefined ? null : readKeys(given.publicKeys, inputs);
  const deadline = given.deadline === undefined ? LONGEST_TIMER : parseLength(given.deadline, 'deadline');
  const { targets, verdicts } = await findTargets(given);
  const range = reachingBack(said, await remembered(targets));
  const common = {
    range,
    now,
    grace: given.grace === undefined ? 4 * HOUR : parseLength(given.grace, 'grace'),
    inventory: given.inventory ?? 'full',
    concurrency: concurrencyOf(given),
    ...(given.requireLock === undefined ? {} : { lock: lockOf(given.requireLock) }),
  } as const;
  return {
    range,
    now,
    verdicts,
    requests: targets.map(({ source, sourceOf, scope, keys: listed }) => ({
      ...common,
      source,
      ...(sourceOf === undefined ? {} : { sourceOf }),
      scope,
      keys: keys ?? listed(range),
      relocation: relocationOf(given, source),
    })),
    deadline: AbortSignal.timeout(Math.min(deadline, LONGEST_TIMER)),
    inputs,
  };
}

export interface Target {
  readonly source: Source;
  /** Another bucket of the same store, for chains that were moved. */
  readonly sourceOf?: (bucket: string) => Source;
  readonly scope: Scope;
  readonly keys: (range: Range) => KeySource;
}

export interface Targets {
  readonly targets: readonly Target[];
  /** About trails whose bucket could not be found out. */
  readonly verdicts: readonly Verdict[];
}

async function findTargets(given: VerifyOptions): Promise<Targets> {
  if (given.directory !== undefined && given.s3Bucket !== undefined) {
    throw new UsageError('give --directory or --s3-bucket, not both');
  }
  if (given.directory !== undefined) {
    return { targets: [await directoryTarget(given, given.directory)], verdicts: [] };
  }
  const { s3Targets } = await import('./verify-s3.ts');
  return s3Targets(given);
}

async function directoryTarget(given: VerifyOptions, directory: string): Promise<Target> {
  if (!statSync(directory, { throwIfNoEntry: false })?.isDirectory()) {
    throw new UsageError(`--directory ${directory}: there is no such directory`);
  }
  if (given.publicKeys === undefined) {
    throw new UsageError('--directory needs --public-keys: a file as `aws cloudtrail list-public-keys` prints it');
  }
  const metadata = given.metadata === undefined ? {} : { metadata: await manifest(given.metadata) };
  return { source: await directorySource(directory, metadata), scope: scopeOf(given), keys: () => savedKeys([]) };
}

async function manifest(file: string) {
  try {
    return await readMetadataManifest(file);
  } catch (error) {
    throw new UsageError(`--metadata ${file}: ${error instanceof Error ? error.message : error}`, { cause: error });
  }
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

function rangeOf(given: VerifyOptions, now: number): Range {
  if (given.startTime !== undefined && given.since !== undefined) {
    throw new UsageError('give --start-time or --since, not both');
  }
  const end = given.endTime === undefined ? now : parseInstant(given.endTime, 'end-time');
  const start =
    given.startTime !== undefined
      ? parseInstant(given.startTime, 'start-time')
      : given.since !== undefined
        ? parseSince(given.since, now)
        : null;
  if (start !== null && start >= end) throw new UsageError('the range is empty: its start must lie before its end');
  return { start, end };
}

/** What is remembered must be read again, whatever range was asked for; without one it is where to begin. */
function reachingBack({ start, end }: Range, remembered: number | null): Range {
  if (remembered === null) return { start, end };
  return { start: start === null ? remembered : Math.min(start, remembered), end };
}

function concurrencyOf({ concurrency }: VerifyOptions): number {
  if (concurrency === undefined) return DEFAULT_CONCURRENCY;
  if (Number.isInteger(concurrency) && concurrency >= 1 && concurrency <= 4096) return concurrency;
  throw new UsageError('--concurrency: expected a whole number from 1 to 4096');
}

function lockOf(text: string): LockDemand {
  const [, mode, days] = /^(COMPLIANCE|GOVERNANCE):(\d{1,5})$/.exec(text) ?? [];
  if (mode === undefined) throw new UsageError(`--require-lock ${text}: expected MODE:DAYS, such as COMPLIANCE:365`);
  return { mode: mode as LockDemand['mode'], days: Number(days) };
}

function readKeys(files: readonly string[], inputs: Record<string, string>): KeySource {
  return savedKeys(
    files.flatMap((file) => {
      try {
        const text = readFileSync(file, 'utf8');
        inputs[file] = createHash('sha256').update(text).digest('hex');
        return parseSavedKeys(text);
      } catch (error) {
        throw new UsageError(`--public-keys ${file}: ${reasonOf(error)}`, { cause: error });
      }
    }),
  );
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const [issue] = (error as { issues?: { path: PropertyKey[]; message: string }[] }).issues ?? [];
  return issue === undefined ? error.message : `${issue.path.map(String).join('.')}: ${issue.message}`;
}

function relocationOf({ relocatedFrom, s3Prefix }: VerifyOptions, source: Source): Relocation | null {
  if (relocatedFrom === undefined) return null;
  const [, bucket, prefix = ''] = /^s3:\/\/([^/]+)(?:\/(.*))?$/.exec(relocatedFrom) ?? [];
  if (bucket === undefined) throw new UsageError(`--relocated-from ${relocatedFrom}: expected s3://bucket/prefix`);
  return {
    original: { bucket, prefix: normalPrefix(prefix) },
    present: { bucket: source.bucket, prefix: normalPrefix(s3Prefix ?? '') },
  };
}
