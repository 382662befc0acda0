import type { Argv } from 'yargs';
import { formatTime } from '../chain/location.ts';
import type { Verdict } from '../chain/verdict.ts';
import type { RunHeader } from '../report/report.ts';
import type { Source } from '../source/source.ts';
import { type VerifyRequest, type VerifyStep, verify } from '../verify/verify.ts';
import { VERSION } from '../version.ts';
import type { Command, Io } from './command.ts';
import { foldVerify } from './judge-run.ts';
import { openOutputs } from './outputs.ts';
import { awsOptions, outputOptions } from './shared-options.ts';
import { planVerify, type VerifyOptions, type VerifyPlan } from './verify-plan.ts';

function options(yargs: Argv): Argv {
  return outputOptions(awsOptions(yargs))
    .option('trail-arn', {
      type: 'string',
      array: true,
      requiresArg: true,
      describe: 'ARN of a trail, repeatable; CloudTrail says where it writes',
    })
    .option('s3-bucket', { type: 'string', requiresArg: true, describe: 'bucket to prove; every chain found in it' })
    .option('s3-prefix', { type: 'string', requiresArg: true, describe: 'what stands before AWSLogs/ in its keys' })
    .option('directory', { type: 'string', requiresArg: true, describe: 'copy on disk, DIR/<object key>' })
    .option('account-id', { type: 'string', array: true, requiresArg: true, describe: 'only these accounts' })
    .option('region', { type: 'string', array: true, requiresArg: true, describe: 'only these Regions' })
    .option('trail-name', { type: 'string', array: true, requiresArg: true, describe: 'only trails of these names' })
    .option('start-time', {
      type: 'string',
      requiresArg: true,
      describe: 'begin of the range, ISO 8601 (default: the starting digest)',
    })
    .option('end-time', { type: 'string', requiresArg: true, describe: 'end of the range (default: now)' })
    .option('since', { type: 'string', requiresArg: true, describe: '24h, 7d or a date, instead of --start-time' })
    .option('now', { type: 'string', requiresArg: true, describe: 'the instant that counts as now (for tests)' })
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
    .option('concurrency', { type: 'number', requiresArg: true, describe: 'objects in flight' })
    .option('deadline', {
      type: 'string',
      requiresArg: true,
      describe: 'end the run after so long, with a partial report',
    })
    .example('$0 verify --trail-arn arn:aws:cloudtrail:eu-west-1:111122223333:trail/audit --since 30h', 'last night')
    .example(
      '$0 verify --s3-bucket my-logs --start-time 2026-01-01 --output junit=report.xml',
      'a year, for the auditor',
    )
    .example('$0 verify --directory ./copy --public-keys keys.json --end-time 2026-03-31', 'offline');
}

export const verifyCommand: Command = { options, run: runVerify };

async function runVerify(given: VerifyOptions, io: Io): Promise<number> {
  const plan = await planVerify(given, io);
  const outputs = openOutputs(given, io);
  const deadline = given.deadline === undefined ? null : plan.deadline;
  const signal = deadline === null ? io.interrupt : AbortSignal.any([io.interrupt, deadline]);
  try {
    outputs.start(header(given, plan));
    const summary = await foldVerify({
      steps: inTurn(
        plan.verdicts,
        plan.requests.map((request) => ({ ...request, signal })),
      ),
      sources: plan.requests.map(({ source }) => source),
      outputs,
      io,
      verbose: given.verbose ?? false,
      quiet: given.quiet ?? false,
    });
    outputs.end(summary);
    return summary.exitCode;
  } catch (error) {
    outputs.abandon();
    throw error;
  } finally {
    await closeAll(plan.requests.map(({ source }) => source));
  }
}

async function* inTurn(early: readonly Verdict[], requests: readonly VerifyRequest[]): AsyncGenerator<VerifyStep> {
  for (const verdict of early) yield { type: 'verdict', verdict, record: null };
  for (const request of requests) yield* verify(request);
}

async function closeAll(sources: readonly Source[]): Promise<void> {
  await Promise.all(sources.map((source) => source.close()));
}

function header(given: VerifyOptions, { range, now, inputs }: VerifyPlan): RunHeader {
  const { $0: _program, _: _words, ...named } = given as unknown as Record<string, unknown>;
  return {
    tool: 'trailseal',
    version: VERSION,
    command: 'verify',
    arguments: JSON.parse(JSON.stringify(named)),
    window: { start: range.start === null ? 'beginning' : formatTime(range.start), end: formatTime(range.end) },
    clock: formatTime(now),
    identity: null,
    inputs,
  };
}
