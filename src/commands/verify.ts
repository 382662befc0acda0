import type { Argv } from 'yargs';
import { formatTime } from '../chain/location.ts';
import { meaning } from '../chain/meaning.ts';
import { waiverLedger } from '../config/waivers.ts';
import type { Enclosure } from '../evidence/bundle.ts';
import { SEVERITIES } from '../report/finding.ts';
import type { RunHeader } from '../report/report.ts';
import type { Source } from '../source/source.ts';
import type { Memory } from '../state/memory.ts';
import { VERSION } from '../version.ts';
import type { Command, Io } from './command.ts';
import { evidenceOptions, planEvidence } from './evidence-options.ts';
import { forecast } from './forecast.ts';
import { inTurn } from './in-turn.ts';
import { judgeTrails } from './judge-trails.ts';
import { configEnclosed, loadConfig } from './load-config.ts';
import { memoryOptions, type Remembered, recallFor, refuseEarlierEnd, resweepRequests } from './memory-options.ts';
import { type Run, report } from './run.ts';
import { endOf, unlessStopped } from './run-end.ts';
import { placeOptions, rangeOptions } from './scope-options.ts';
import { chooseShard, shardOption, withShard } from './shard.ts';
import { awsOptions, outputOptions, parseInstant } from './shared-options.ts';
import { type VerifyGiven, withConfig } from './verify-config.ts';
import { planVerify, unplanned, type VerifyPlan } from './verify-plan.ts';

export function verifyOptions(yargs: Argv): Argv {
  return evidenceOptions(memoryOptions(rangeOptions(placeOptions(outputOptions(awsOptions(yargs))))))
    .option('directory', { type: 'string', requiresArg: true, describe: 'copy on disk, DIR/<object key>' })
    .option('public-keys', {
      type: 'string',
      array: true,
      requiresArg: true,
      describe: 'file of public keys instead of asking CloudTrail',
    })
    .option('metadata', {
      type: 'string',
      requiresArg: true,
      describe: 'JSON Lines with the objects’ metadata, for --directory',
    })
    .option('relocated-from', {
      type: 'string',
      requiresArg: true,
      describe: 's3://bucket/prefix that the digests name, when this is a copy',
    })
    .option('grace', { type: 'string', requiresArg: true, describe: 'how late the newest digest may be (default 4h)' })
    .option('inventory', {
      type: 'string',
      choices: ['full', 'digests', 'off'] as const,
      describe: 'look for objects that no digest names (default full)',
    })
    .option('require-lock', {
      type: 'string',
      requiresArg: true,
      describe: 'retention each object must carry, MODE:DAYS such as COMPLIANCE:365',
    })
    .option('max-log-size', {
      type: 'string',
      requiresArg: true,
      describe: 'what a log file may inflate to, such as 4GiB; a larger one counts as malformed (default 1GiB)',
    })
    .option('fail-on', {
      choices: SEVERITIES.filter((severity) => severity !== 'info'),
      requiresArg: true,
      describe: 'least severity of findings about waivers that fails the run; integrity failures always count',
    })
    .option('concurrency', { type: 'number', requiresArg: true, describe: 'objects in flight' })
    .option('deadline', {
      type: 'string',
      requiresArg: true,
      describe: 'end the run after so long, with a partial report',
    });
}

function options(yargs: Argv): Argv {
  return shardOption(verifyOptions(yargs))
    .example('$0 verify --trail-arn arn:aws:cloudtrail:eu-west-1:111122223333:trail/audit --since 30h', 'last night')
    .example(
      '$0 verify --s3-bucket my-logs --start-time 2026-01-01 --output junit=report.xml',
      'a year, for the auditor',
    )
    .example('$0 verify --directory ./copy --public-keys keys.json --end-time 2026-03-31', 'offline');
}

export const verifyCommand: Command = { options, run: runVerify };

async function runVerify(typed: VerifyGiven, io: Io): Promise<number> {
  const now = typed.now === undefined ? io.now() : parseInstant(typed.now, 'now');
  const loaded = await loadConfig(typed.config, now);
  const whole = withConfig(typed, loaded?.config ?? {});
  const shard = chooseShard(whole, io.env);
  const given = withShard(whole, shard);
  const trails = await prepareTrails(given, io, now, endOf(given, io));
  const { memory, save } = trails;
  const evidence = await planEvidence(given, io);
  const header = headerOf('verify', withShard(typed, shard), trails.plan, {
    ...(loaded && { config: loaded.sha256 }),
    ...memory?.inputs,
  });
  return report(
    {
      header,
      outputs: given,
      io,
      waivers: waiverLedger(loaded?.config.waivers ?? [], now, (control) => Object.hasOwn(meaning, control)),
      failOn: given.failOn,
      evidence,
      enclosures: () => [...configEnclosed(loaded), ...memoryEnclosed(memory)],
      ...(save && { afterwards: save }),
    },
    trails.judge,
  );
}

/** What of a run concerns its trails, ready to be judged. */
export interface PreparedTrails {
  readonly plan: VerifyPlan;
  readonly memory: Memory | null;
  readonly judge: (run: Run) => Promise<void>;
  /** Keeps what is to be remembered, if anything is. Resolves to what was not kept, one line each. */
  readonly save: (() => Promise<readonly string[]>) | null;
}

/** How long a plan may take to be ready, and checkpoints to be kept, once the run is to end: either may hang on the world. */
const TO_PLAN_MS = 1_000;
const TO_SAVE_MS = 5_000;

/** Finds out what is to be read and what is remembered of it, until the signal. Throws `UsageError`. */
export async function prepareTrails(
  given: VerifyGiven,
  io: Io,
  now: number,
  signal: AbortSignal,
): Promise<PreparedTrails> {
  let remembered: Remembered = { memory: null, trouble: null };
  const planning = planVerify(given, now, async (targets, said) => {
    const recalled = await recallFor(given, targets, now);
    if (recalled.memory !== null) refuseEarlierEnd(recalled.memory, said.end, given.endTime);
    remembered = recalled;
    return recalled.memory?.start ?? null;
  });
  const plan = (await unlessStopped(planning, signal, TO_PLAN_MS)) ?? unplanned(given, now, signal);
  if (given.quiet !== true) for (const note of plan.notes) io.err(`note: ${note}\n`);
  const { memory, trouble } = remembered as Remembered;
  const sources = plan.requests.map(({ source }) => source);
  // Chains lead into other buckets, of which only now is known that they are read too.
  const noted = (sourceOf: (bucket: string) => Source) => (bucket: string) => {
    const source = sourceOf(bucket);
    sources.push(source);
    return source;
  };
  const requests = plan.requests.map(({ sourceOf, ...request }) => ({
    ...request,
    ...(sourceOf && { sourceOf: noted(sourceOf) }),
    signal,
  }));
  const ahead = forecast(requests.length, plan.range);
  const steps = inTurn({
    early: trouble === null ? plan.verdicts : [...plan.verdicts, trouble],
    requests: requests.map((request) => (memory === null ? request : { ...request, watch: memory.read })),
    again: resweepRequests(given.resweep, memory, requests),
    ahead,
  });
  return {
    plan,
    memory,
    judge: async (run) => {
      try {
        await judgeTrails(run, { steps, sources, memory, io, quiet: given.quiet ?? false, ...ahead });
      } finally {
        await closeAll(sources);
      }
    },
    save:
      memory &&
      (async () => {
        const problems = await unlessStopped(memory.save(), signal, TO_SAVE_MS);
        return problems ?? ['the checkpoints may not have been written: their place did not answer'];
      }),
  };
}

/** The checkpoints as they are about to be remembered. */
export const memoryEnclosed = (memory: Memory | null): readonly Enclosure[] =>
  (memory?.pending() ?? []).map(({ name, bytes }) => ({
    path: name.replaceAll('/', '_'),
    content: bytes,
    role: 'output',
    name: `checkpoint ${name}`,
  }));

async function closeAll(sources: readonly Source[]): Promise<void> {
  await Promise.all(sources.map((source) => source.close()));
}

export function headerOf(
  command: string,
  given: VerifyGiven,
  { range, now, inputs }: VerifyPlan,
  more: RunHeader['inputs'],
): RunHeader {
  const { $0: _program, _: _words, ...named } = given as unknown as Record<string, unknown>;
  return {
    tool: 'trailseal',
    version: VERSION,
    command,
    arguments: JSON.parse(JSON.stringify(named)),
    window: { start: range.start === null ? 'beginning' : formatTime(range.start), end: formatTime(range.end) },
    clock: formatTime(now),
    identity: null,
    inputs: { ...inputs, ...more },
  };
}
