import type { Argv } from 'yargs';
import { listPublicKeys } from '../aws/public-keys.ts';
import { formatTime, REGION_NAME } from '../chain/location.ts';
import { toFinding } from '../chain/meaning.ts';
import { collectKeys, KeyFileError, type KeyRing, readKeyRing, writeKeyRing } from '../fetch/save-keys.ts';
import { terminal } from '../report/escape.ts';
import { discover } from '../verify/discover.ts';
import { awsSettings } from './aws-settings.ts';
import { type Command, type Io, UsageError } from './command.ts';
import { loadConfig } from './load-config.ts';
import { signalCode, unlessStopped } from './run-end.ts';
import { placeOptions, rangeOptions } from './scope-options.ts';
import { awsOptions, parseInstant } from './shared-options.ts';
import { type VerifyGiven, withConfig } from './verify-config.ts';
import { planVerify, rangeOf } from './verify-plan.ts';

interface KeysOptions extends VerifyGiven {
  readonly file: string;
}

export const keysCommand: Command = { options, run };

/** How long what is in flight may take to end after the signal. */
const PATIENCE_MS = 1_000;

const YEAR = 365 * 24 * 3_600_000;

function options(yargs: Argv): Argv {
  return rangeOptions(placeOptions(awsOptions(yargs)), 'a year ago')
    .usage(
      'trailseal keys FILE [options]\n\nSaves the public keys of CloudTrail for offline use, in the form that --public-keys reads, and adds to a file that is there. Keys of the Regions named, or of those that a bucket holds digests of.',
    )
    .positional('file', { type: 'string', describe: 'where to save them, {region: [keys]}' })
    .option('quiet', { type: 'boolean', describe: 'say only what went wrong' })
    .example('$0 keys keys.json --region eu-west-1 --region us-east-1 --since 90d', 'keys of two Regions')
    .example('$0 keys keys.json --s3-bucket my-logs --start-time 2026-01-01', 'of every Region in the bucket');
}

async function run(typed: KeysOptions, io: Io): Promise<number> {
  const now = typed.now === undefined ? io.now() : parseInstant(typed.now, 'now');
  const given = { ...withConfig(typed, (await loadConfig(typed.config, now))?.config ?? {}), file: typed.file };
  const { start, end } = rangeOf(given, now);
  const from = start ?? Math.min(end, now) - YEAR;
  const ring = await ringIn(given.file);
  const found = await unlessStopped(listedIn(ring, given, { from, to: end, now }), io.interrupt, PATIENCE_MS);
  if (found === null) {
    io.err(`trailseal: the run was cut short; ${terminal(given.file)} is left as it was\n`);
    return signalCode(io) ?? 3;
  }
  const { regions, problems, answers } = found;
  if (answers.some(({ listed }) => listed > 0)) await writeKeyRing(given.file, ring);
  for (const { region, listed, trouble } of answers) {
    if (trouble !== null) problems.push(`the keys of ${region}: ${trouble}`);
    else if (!given.quiet) {
      const kept = ring.get(region)?.length ?? 0;
      io.out(`${region}: ${listed} keys of ${formatTime(from)} … ${formatTime(end)}, ${kept} in ${given.file}\n`);
    }
  }
  if (regions.length === 0 && problems.length === 0) problems.push('no Region was found in the bucket');
  for (const problem of problems) io.err(`trailseal: ${terminal(problem)}\n`);
  return signalCode(io) ?? (problems.length === 0 ? 0 : 3);
}

/** Adds to the ring the keys of every Region in question. */
async function listedIn(
  ring: KeyRing,
  given: VerifyGiven,
  { from, to, now }: { readonly from: number; readonly to: number; readonly now: number },
) {
  const { regions, problems } = await regionsOf(given, now);
  const settings = awsSettings(given);
  const wanted = regions.map((region) => ({ region, from, to }));
  const answers = await collectKeys(ring, wanted, (...asked) => listPublicKeys(settings, ...asked));
  return { regions, problems, answers };
}

/** Those named, those of the bucket that are also named, or all of the bucket. */
async function regionsOf(given: VerifyGiven, now: number): Promise<{ regions: string[]; problems: string[] }> {
  const malformed = given.region?.find((region) => !REGION_NAME.test(region));
  if (malformed !== undefined) throw new UsageError(`--region ${malformed}: expected a Region such as eu-west-1`);
  if (given.s3Bucket === undefined && given.trailArn === undefined) {
    if (given.region === undefined) throw new UsageError('say whose keys: --region, --s3-bucket or --trail-arn');
    return { regions: [...new Set(given.region)].sort(), problems: [] };
  }
  const regions = new Set<string>();
  const { requests, verdicts } = await planVerify(given, now);
  const problems = verdicts.map((judged) => `${judged.subject.arn}: ${toFinding(judged).message}`);
  for (const { source, scope } of requests) {
    for await (const found of discover(source, scope)) {
      if (found.type === 'region') regions.add(found.tree.region);
      if (found.type === 'refused') problems.push(`${found.prefix || 'the bucket'}: ${found.trouble.message}`);
    }
    await source.close();
  }
  return { regions: [...regions].sort(), problems };
}

async function ringIn(file: string) {
  try {
    return await readKeyRing(file);
  } catch (error) {
    if (error instanceof KeyFileError) throw new UsageError(error.message, { cause: error });
    throw error;
  }
}
