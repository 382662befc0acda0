import type { Argv } from 'yargs';
import { s3Client } from '../aws/clients.ts';
import type { Checkpoint, NamedChain } from '../chain/checkpoint.ts';
import { formatTime, HOUR } from '../chain/location.ts';
import { type Verdict, verdict } from '../chain/verdict.ts';
import type { Memory } from '../state/memory.ts';
import { openStore } from '../state/place.ts';
import { sampleOldDays } from '../state/resweep.ts';
import { StateError } from '../state/store.ts';
import { type Scope, type TrailChoice, wants, wantsChain } from '../verify/scope.ts';
import type { VerifyRequest } from '../verify/verify.ts';
import { awsSettings } from './aws-settings.ts';
import { UsageError } from './command.ts';
import type { Target } from './verify-target.ts';

export interface MemoryGiven {
  readonly checkpoint?: string | undefined;
  readonly initCheckpoint?: boolean | undefined;
  readonly relocatedFrom?: string | undefined;
  readonly profile?: string | undefined;
  readonly endpointUrl?: string | undefined;
}

export function memoryOptions(yargs: Argv): Argv {
  return yargs
    .option('checkpoint', {
      type: 'string',
      requiresArg: true,
      describe:
        'where to remember what was proven: a directory, or s3://bucket/prefix; the next run goes on from there',
    })
    .option('init-checkpoint', {
      type: 'boolean',
      describe: 'begin to remember chains of which nothing is remembered yet: for the first run only',
    })
    .option('resweep', {
      type: 'string',
      requiresArg: true,
      describe: 'with --checkpoint: share of the days before it to verify again, chosen at random: 1%, 100%',
    })
    .implies('init-checkpoint', 'checkpoint')
    .implies('resweep', 'checkpoint');
}

/**
 * A range that ends before what is remembered does not come to the digest that must be found unchanged, and its absence
 * would look like a truncated trail. Throws `UsageError`.
 */
export function refuseEarlierEnd({ checkpoints }: Memory, end: number, given: string | undefined): void {
  // A digest that begins with the range's last instant is still read.
  const ahead = checkpoints.find(({ digest }) => Date.parse(digest.endTime) > end + HOUR);
  if (ahead === undefined) return;
  const { trail, account, region, digest } = ahead;
  const remembered = `--checkpoint remembers trail ${trail} of ${account} in ${region} up to ${digest.endTime}`;
  const [what, remedy] =
    given === undefined
      ? [`it is only ${formatTime(end)}`, 'compare the clocks, or find out who wrote the checkpoint']
      : [
          `--end-time ${given} lies before that`,
          'end the range later, or leave out --checkpoint to prove a part of the past',
        ];
  throw new UsageError(`${remembered}, and ${what}; ${remedy}`);
}

/** Days that were verified before, each as a run over that chain alone. Throws `UsageError`. */
export function resweepRequests(
  share: string | undefined,
  memory: Memory | null,
  requests: readonly VerifyRequest[],
): VerifyRequest[] {
  if (share === undefined || memory === null) return [];
  const [, percent] = /^(\d{1,3}(?:\.\d+)?)%$/.exec(share) ?? [];
  if (percent === undefined || Number(percent) > 100) {
    throw new UsageError(`--resweep ${share}: expected a percentage such as 1%`);
  }
  // Not from a seed: whoever alters an old log must not know which days are looked at.
  return sampleOldDays(memory.checkpoints, Number(percent) / 100, Math.random).flatMap(({ checkpoint, start, end }) => {
    const { account, region, trail, homeRegion } = checkpoint;
    const request = requests.find((candidate) => wantsChain(candidate.scope, { ...checkpoint, backfill: false }));
    if (request === undefined) return [];
    const scope: Scope = {
      ...request.scope,
      accounts: new Set([account]),
      regions: new Set([region]),
      trails: [{ name: trail, homeRegion }],
    };
    return [{ ...request, scope, range: { start, end } }];
  });
}

export type Remembered =
  | { readonly memory: Memory; readonly trouble: null }
  | { readonly memory: null; readonly trouble: Verdict | null };

/** What is remembered of the chains that the run looks at. A place that cannot be read is told, and never a first run. */
export async function recallFor(given: MemoryGiven, targets: readonly Target[], now: number): Promise<Remembered> {
  const { checkpoint: place, initCheckpoint: init = false } = given;
  if (place === undefined) return { memory: null, trouble: null };
  try {
    const store = await openStore(place, () => s3Client(awsSettings(given)));
    const inScope = (checkpoint: Checkpoint) => targets.some((target) => isIn(target, checkpoint));
    const expected = (checkpoint: Checkpoint) =>
      targets.some((target) => isIn(target, checkpoint) && isThere(target, checkpoint, given.relocatedFrom));
    const mayFind = (chain: NamedChain) => targets.some((target) => mayHold(target, chain));
    const { recall } = await import('../state/memory.ts');
    return { memory: await recall({ store, init, now, inScope, expected, mayFind }), trouble: null };
  } catch (error) {
    if (!(error instanceof StateError)) throw error;
    const facts = { place, code: 'StateError', detail: error.message };
    return { memory: null, trouble: verdict('checkpoint-unreadable', { type: 'run' }, facts) };
  }
}

function isIn({ scope }: Target, checkpoint: Checkpoint): boolean {
  const samePrefix = scope.prefix === null || checkpoint.root.startsWith(`${scope.prefix}AWSLogs/`);
  return samePrefix && wantsChain(scope, { ...checkpoint, backfill: false });
}

/** Of a name it is not known in which bucket and under which prefix the chain lay. */
function mayHold({ scope: { accounts, regions, trails } }: Target, chain: NamedChain): boolean {
  const isNamed = ({ name, homeRegion = chain.homeRegion }: TrailChoice) =>
    name === chain.trail && homeRegion === chain.homeRegion;
  return wants(accounts, chain.account) && wants(regions, chain.region) && (trails?.some(isNamed) ?? true);
}

/** Two buckets may share one place for their checkpoints; a run over one of them does not miss the chains of the other. */
function isThere({ source }: Target, { digest }: Checkpoint, relocatedFrom: string | undefined): boolean {
  return (
    relocatedFrom !== undefined || source.bucket === null || digest.bucket === null || digest.bucket === source.bucket
  );
}
