import type { Argv } from 'yargs';
import { meaning } from '../chain/meaning.ts';
import { waiverLedger } from '../config/waivers.ts';
import type { Snapshot } from '../posture/snapshot.ts';
import type { Command, Io } from './command.ts';
import { planEvidence } from './evidence-options.ts';
import { configEnclosed, loadConfig } from './load-config.ts';
import { type PostureOptions, preparePosture } from './posture.ts';
import { demandOptions } from './posture-scope.ts';
import { report } from './run.ts';
import { endOf } from './run-end.ts';
import { parseInstant } from './shared-options.ts';
import { headerOf, memoryEnclosed, prepareTrails, verifyOptions } from './verify.ts';
import { type VerifyGiven, withConfig } from './verify-config.ts';

interface AuditGiven extends VerifyGiven {
  readonly stateBucket?: readonly string[];
  readonly regime?: readonly string[];
  readonly objects?: string;
  readonly seed?: number;
  readonly saveSnapshot?: string;
}

function options(yargs: Argv): Argv {
  return demandOptions(verifyOptions(yargs))
    .usage(
      'trailseal audit [options]\n\nverify and posture in one run: one report set, one exit code. The nightly job.',
    )
    .describe('fail-on', 'least severity of posture findings that fails the run; integrity failures always count')
    .example('$0 audit', 'what trailseal.yaml says')
    .example(
      '$0 audit --since 30h --output junit=report.xml --output html=report.html',
      'the nightly job, without a config',
    );
}

export const auditCommand: Command = { options, run: audit };

async function audit(typed: AuditGiven, io: Io): Promise<number> {
  const now = typed.now === undefined ? io.now() : parseInstant(typed.now, 'now');
  const loaded = await loadConfig(typed.config, now);
  const config = loaded?.config ?? {};
  const evidence = await planEvidence(withConfig(typed, config), io);
  const signal = endOf(withConfig(typed, config), io);
  const posture = await preparePosture(postureOptionsOf(typed), config, { now, io: { ...io, interrupt: signal } });
  const given = withTrails(withConfig(typed, config), posture.snapshot);
  const trails = await prepareTrails(given, io, now, signal);
  const { memory, save } = trails;
  const header = {
    ...headerOf('audit', typed, trails.plan, { ...(loaded && { config: loaded.sha256 }), ...memory?.inputs }),
    identity: posture.identity,
    titles: posture.titles,
  };
  const covers = (control: string) => Object.hasOwn(meaning, control) || Object.hasOwn(posture.titles, control);
  return report(
    {
      header,
      outputs: given,
      io,
      waivers: waiverLedger(config.waivers ?? [], now, covers),
      failOn: given.failOn,
      evidence,
      enclosures: () => [...configEnclosed(loaded), ...posture.enclosures, ...memoryEnclosed(memory)],
      ...(save && { afterwards: save }),
    },
    async (run) => {
      await trails.judge(run);
      await posture.judge(run);
    },
  );
}

/** A Region narrows which chains are proven; where posture asks first is for the environment to say. */
function postureOptionsOf({ region: _narrows, s3Bucket, ...given }: AuditGiven): PostureOptions {
  return { ...given, ...(s3Bucket === undefined ? {} : { s3Bucket: [s3Bucket] }) };
}

/** Without a word on what to prove, the trails that CloudTrail told posture of. */
function withTrails(given: VerifyGiven, snapshot: Snapshot): VerifyGiven {
  if (given.trailArn !== undefined || given.s3Bucket !== undefined || given.directory !== undefined) return given;
  const arns = snapshot.trails.filter(({ description }) => description.state === 'known').map(({ arn }) => arn);
  return arns.length === 0 ? given : { ...given, trailArn: arns };
}
