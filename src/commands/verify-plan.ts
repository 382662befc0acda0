import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Range } from '../chain/coverage.ts';
import { HOUR } from '../chain/location.ts';
import type { LockDemand } from '../chain/lock.ts';
import { type Verdict, verdict } from '../chain/verdict.ts';
import { type KeySource, savedKeys } from '../keys/key-source.ts';
import { parseSavedKeys } from '../keys/saved-keys.ts';
import type { Source } from '../source/source.ts';
import { startThreads } from '../source/thread-reader.ts';
import type { Relocation } from '../verify/scope.ts';
import { interruption, type VerifyRequest } from '../verify/verify.ts';
import { UsageError } from './command.ts';
import { parseInstant, parseLength, parseSince, parseSize } from './shared-options.ts';
import { normalPrefix, type VerifyOptions } from './verify-options.ts';
import { directoryTarget, keysOfCopy, type Target, type Targets } from './verify-target.ts';

export interface VerifyPlan {
  /** Reached before anything is read. */
  readonly verdicts: readonly Verdict[];
  /** One for each bucket or directory. */
  readonly requests: readonly VerifyRequest[];
  readonly range: Range;
  /** Epoch milliseconds. */
  readonly now: number;
  /** SHA-256 of each file that was read, by its name. */
  readonly inputs: Readonly<Record<string, string>>;
  /** What the user should know beforehand, one sentence each. */
  readonly notes: readonly string[];
}

const DEFAULT_CONCURRENCY = 256;

/**
 * Turns options into what `verify` takes. Throws `UsageError` for every mistake in them. `remembered` says, once it is
 * known what will be read, from which instant on it has to be (epoch milliseconds).
 */
export async function planVerify(
  typed: VerifyOptions,
  now: number,
  remembered: (targets: readonly Target[], said: Range) => Promise<number | null> = () => Promise.resolve(null),
): Promise<VerifyPlan> {
  const ownKeys = typed.publicKeys === undefined ? keysOfCopy(typed.directory) : null;
  const given = ownKeys === null ? typed : { ...typed, publicKeys: [ownKeys] };
  const said = rangeOf(given, now);
  const inputs: Record<string, string> = {};
  const keys = given.publicKeys === undefined ? null : readKeys(given.publicKeys, inputs);
  const concurrency = concurrencyOf(given);
  // A copy is read as soon as it is found.
  startThreads(concurrency);
  const { targets, verdicts, notes } = await findTargets(given);
  const range = reachingBack(said, await remembered(targets, said));
  const common = {
    range,
    now,
    grace: given.grace === undefined ? 4 * HOUR : parseLength(given.grace, 'grace'),
    inventory: given.inventory ?? 'full',
    concurrency,
    ...(given.requireLock === undefined ? {} : { lock: lockOf(given.requireLock) }),
    ...(given.maxLogSize === undefined ? {} : { maxLogBytes: parseSize(given.maxLogSize, 'max-log-size') }),
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
    inputs,
    notes: ownKeys === null ? notes : [...notes, `${KEYS_FROM_COPY} ${ownKeys}`],
  };
}

/** What there is to tell where not even the plan was made before the signal. Throws `UsageError`. */
export function unplanned(given: VerifyOptions, now: number, signal: AbortSignal): VerifyPlan {
  const places = given.directory ?? given.s3Bucket ?? given.trailArn ?? [];
  const facts = interruption(null, signal, [places].flat());
  const verdicts = [verdict('run-interrupted', { type: 'run' }, facts)];
  return { range: rangeOf(given, now), now, verdicts, requests: [], inputs: {}, notes: [] };
}

/** Whoever can write the copy can write the keys in it. */
const KEYS_FROM_COPY =
  'the copy is proven by the keys saved in it; where others could have written it, give --public-keys a file of your own (trailseal keys). Keys:';

async function findTargets(given: VerifyOptions): Promise<Targets> {
  if (given.directory !== undefined && given.s3Bucket !== undefined) {
    throw new UsageError('give --directory or --s3-bucket, not both');
  }
  if (given.directory !== undefined) {
    return { targets: [await directoryTarget(given, given.directory)], verdicts: [], notes: [] };
  }
  const { s3Targets } = await import('./verify-s3.ts');
  return s3Targets(given);
}

/** The range that the options name; without a start it begins with the starting digest. Throws `UsageError`. */
export function rangeOf(given: VerifyOptions, now: number): Range {
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
        throw new UsageError(`--public-keys ${file}: ${error instanceof Error ? error.message : error}`, {
          cause: error,
        });
      }
    }),
  );
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
