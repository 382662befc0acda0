import type { Argv } from 'yargs';
import { DURATION } from '../config/duration.ts';
import type { Share } from '../verify/share.ts';
import { type Io, UsageError } from './command.ts';

/** Where CI and batch engines say which of how many parallel jobs this is. */
const ENGINES: readonly { readonly index: string; readonly of: string | null; readonly first: 0 | 1 }[] = [
  { index: 'CI_NODE_INDEX', of: 'CI_NODE_TOTAL', first: 1 },
  { index: 'CIRCLE_NODE_INDEX', of: 'CIRCLE_NODE_TOTAL', first: 0 },
  { index: 'AWS_BATCH_JOB_ARRAY_INDEX', of: 'AWS_BATCH_JOB_ARRAY_SIZE', first: 0 },
  // Kubernetes does not tell how many completions the Job has: --shard auto/N does.
  { index: 'JOB_COMPLETION_INDEX', of: null, first: 0 },
];

const MOST = 10_000;

export function shardOption(yargs: Argv): Argv {
  return yargs.option('shard', {
    type: 'string',
    requiresArg: true,
    describe: 'only a share of the accounts and Regions, I/N or auto/N; trailseal merge joins the reports',
  });
}

export interface ShardGiven {
  readonly shard?: string | undefined;
  readonly checkpoint?: string | undefined;
  readonly endTime?: string | undefined;
  readonly since?: string | undefined;
  readonly now?: string | undefined;
}

/** `I/N` as asked for, or as the engine around this process says it; `null` where the run is whole. Throws `UsageError`. */
export function chooseShard(given: ShardGiven, env: Io['env']): string | null {
  const shard = given.shard === undefined ? fromEngine(env) : asked(given.shard, env);
  if (shard === null || shareOf(shard).of === 1) return null;
  if (given.checkpoint !== undefined) {
    throw new UsageError(`shard ${shard}: only a whole run can go on from a checkpoint; --shard 1/1 makes it one`);
  }
  const fixed = given.now !== undefined || (given.endTime !== undefined && !DURATION.test(given.since ?? ''));
  if (fixed) return shard;
  throw new UsageError(
    `shard ${shard}: all shards must look at the same range, so give --end-time (in GitLab "$CI_PIPELINE_CREATED_AT") and no --since that counts from now, or --now`,
  );
}

/** The options with the shard that was chosen in place of the one that was typed. */
export function withShard<T extends { readonly shard?: string }>(options: T, shard: string | null): T {
  const { shard: _typed, ...rest } = options;
  return (shard === null ? rest : { ...rest, shard }) as T;
}

/** Throws `UsageError`. */
export function shareOf(text: string): Share {
  const [, index, of] = /^(\d{1,5})\/(\d{1,5})$/.exec(text) ?? [];
  const share = { index: Number(index), of: Number(of) };
  if (share.of >= 1 && share.of <= MOST && share.index >= 1 && share.index <= share.of) return share;
  throw new UsageError(`--shard ${text}: expected I/N such as 3/16, counted from 1, or auto/16`);
}

function asked(text: string, env: Io['env']): string {
  const [, of] = /^auto\/(\d+)$/.exec(text) ?? [];
  if (of === undefined) return text;
  for (const engine of ENGINES) {
    const index = env[engine.index];
    if (index) return `${numbered(engine.index, index) - engine.first + 1}/${of}`;
  }
  throw new UsageError(`--shard ${text}: none of ${ENGINES.map(({ index }) => index).join(', ')} is set`);
}

function fromEngine(env: Io['env']): string | null {
  for (const { index, of, first } of ENGINES) {
    const [mine, all] = [env[index], of === null ? undefined : env[of]];
    if (mine && of !== null && all) return `${numbered(index, mine) - first + 1}/${numbered(of, all)}`;
  }
  return null;
}

function numbered(name: string, text: string): number {
  if (/^\d{1,5}$/.test(text)) return Number(text);
  throw new UsageError(`${name} is ${JSON.stringify(text)}, not a number; --shard 1/1 does without it`);
}
