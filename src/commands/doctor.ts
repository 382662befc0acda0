import type { Argv } from 'yargs';
import { asking } from '../aws/collect/ask.ts';
import type { PostureClients } from '../aws/collect/clients.ts';
import { collect } from '../aws/collect/collect.ts';
import { recording } from '../aws/collect/recording.ts';
import { probeVerify, type VerifyPlace } from '../aws/probe-verify.ts';
import { controlsOf } from '../posture/judge.ts';
import { callsOf, type JudgingCommand } from '../posture/needs.ts';
import { judgeIdentity, judgePermissions } from '../posture/permissions.ts';
import type { PostureScope } from '../posture/scope.ts';
import { allTrails, logBuckets } from '../posture/world.ts';
import type { Finding } from '../report/finding.ts';
import type { Command, Io } from './command.ts';
import { loadConfig } from './load-config.ts';
import type { OutputOptions } from './outputs.ts';
import { openPostureClients } from './posture-clients.ts';
import { type ScopeOptions, scopeOf } from './posture-scope.ts';
import { reportFindings } from './report-findings.ts';
import { awsOptions, outputOptions } from './shared-options.ts';

interface DoctorOptions extends ScopeOptions, OutputOptions {
  readonly for?: JudgingCommand | undefined;
  readonly config?: string | undefined;
  readonly profile?: string | undefined;
  readonly region?: string | undefined;
  readonly endpointUrl?: string | undefined;
}

export const doctorCommand: Command = { options, run };

function options(yargs: Argv): Argv {
  return outputOptions(awsOptions(yargs))
    .usage(
      'trailseal doctor [options]\n\nMakes each call that a run will make, once, and says which are refused and what that costs. Changes nothing.',
    )
    .option('for', {
      choices: ['verify', 'posture', 'audit'] as const,
      requiresArg: true,
      describe: 'the command that is to be run; default audit',
    })
    .option('trail-arn', { type: 'string', array: true, requiresArg: true, describe: 'trails that will be looked at' })
    .option('s3-bucket', {
      type: 'string',
      array: true,
      requiresArg: true,
      describe: 'log buckets, besides those of the trails',
    })
    .option('region', { type: 'string', requiresArg: true, describe: 'Region to ask first' })
    .example('trailseal doctor', 'before the first night')
    .example('trailseal doctor --for verify --s3-bucket my-logs', 'what verify needs');
}

async function run(given: DoctorOptions, io: Io): Promise<number> {
  const now = io.now();
  const loaded = await loadConfig(given.config, now);
  const config = loaded?.config ?? {};
  const scope = scopeOf(given, config);
  const clients = await openPostureClients(given, config, scope.trails[0]?.arn, io);
  return reportFindings({
    findings: examine(given.for ?? 'audit', scope, clients, now, io.interrupt),
    header: {
      command: 'doctor',
      arguments: { for: given.for ?? 'audit' },
      inputs: loaded === null ? {} : { config: loaded.sha256 },
    },
    now,
    outputs: { ...given, output: given.output },
    io,
  });
}

async function* examine(
  command: JudgingCommand,
  scope: PostureScope,
  clients: PostureClients,
  now: number,
  interrupt: AbortSignal,
): AsyncGenerator<Finding, void, undefined> {
  const needed = callsOf(command, scope);
  // Finding trails and buckets takes the discovery of posture, whatever the command.
  const ask = recording(
    asking(new Set([...needed, ...callsOf('posture', scope).filter((name) => DISCOVERY.has(name))]), interrupt),
  );
  try {
    const snapshot = await collect({ clients, ask, scope, now: new Date(now).toISOString() });
    yield judgeIdentity(snapshot.identity);
    const world = { snapshot, scope, now };
    if (command !== 'posture') {
      const places = logBuckets(world).list.flatMap(({ of: { name, facts, prefixes } }): VerifyPlace[] => {
        const region = facts.location.state === 'known' ? facts.location.value.BucketRegion : clients.region;
        return prefixes.slice(0, 1).map((prefix) => ({ bucket: name, prefix, region }));
      });
      const homes = new Set(allTrails(world).map(({ homeRegion }) => homeRegion));
      await probeVerify(ask, clients, places, homes.size > 0 ? [...homes] : [clients.region]);
    }
    const account = snapshot.identity.state === 'known' ? snapshot.identity.value.Account : null;
    yield* judgePermissions(needed, ask.record, command === 'verify' ? [] : controlsOf(scope), account);
  } finally {
    clients.close();
  }
}

const DISCOVERY: ReadonlySet<string> = new Set(['ListRegions', 'DescribeTrails', 'HeadBucket', 'GetBucketLocation']);
