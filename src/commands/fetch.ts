import { join } from 'node:path';
import type { Argv } from 'yargs';
import { listPublicKeys } from '../aws/public-keys.ts';
import { formatTime } from '../chain/location.ts';
import { toFinding } from '../chain/meaning.ts';
import { CopyFolder, FolderError } from '../fetch/copy-folder.ts';
import { fetchCopy } from '../fetch/fetch.ts';
import { openMetadataLog } from '../fetch/metadata-log.ts';
import type { FetchRequest } from '../fetch/request.ts';
import { collectKeys, KeyFileError, readKeyRing, type WantedKeys, writeKeyRing } from '../fetch/save-keys.ts';
import { terminal } from '../report/escape.ts';
import { count, number } from '../report/headline.ts';
import { areCredentialsGone } from '../source/credentials-gone.ts';
import { directorySource } from '../source/directory.ts';
import { KEY_FILE, METADATA_FILE } from '../source/tree.ts';
import { awsSettings } from './aws-settings.ts';
import { type Command, type Io, UsageError } from './command.ts';
import { loadConfig } from './load-config.ts';
import { type Measure, startProgress } from './progress.ts';
import { endOf, signalCode, unlessStopped } from './run-end.ts';
import { placeOptions, rangeOptions } from './scope-options.ts';
import { awsOptions, parseInstant } from './shared-options.ts';
import { type VerifyGiven, withConfig } from './verify-config.ts';
import { planVerify, unplanned, type VerifyPlan } from './verify-plan.ts';

interface FetchOptions extends VerifyGiven {
  readonly to: string;
}

export const fetchCommand: Command = { options, run };

/** How long the plan may take once the run is to end. */
const TO_PLAN_MS = 1_000;

/** Problems that are told one by one; of more only the number. */
const MOST_TOLD = 100;

/** What the copy lacks, for people; memory does not grow with it. */
interface Problems {
  readonly told: string[];
  total: number;
}

function complain(problems: Problems, ...more: readonly string[]): void {
  problems.told.push(...more.slice(0, MOST_TOLD - problems.told.length));
  problems.total += more.length;
}

function options(yargs: Argv): Argv {
  return rangeOptions(placeOptions(awsOptions(yargs)))
    .usage(
      'trailseal fetch DIRECTORY [options]\n\nCopies digests, logs, their metadata and the public keys, so that verify --directory proves them offline. What is there already is not read again, so the same command goes on where it was stopped.',
    )
    .positional('to', { type: 'string', describe: 'where to copy to, DIRECTORY/<object key>' })
    .option('relocated-from', {
      type: 'string',
      requiresArg: true,
      describe: 's3://bucket/prefix that the digests name, when this is a copy',
    })
    .option('concurrency', { type: 'number', requiresArg: true, describe: 'objects in flight' })
    .option('deadline', { type: 'string', requiresArg: true, describe: 'end the run after so long' })
    .option('quiet', { type: 'boolean', describe: 'no progress on stderr' })
    .example('$0 fetch ./copy --s3-bucket my-logs --start-time 2026-01-01 --end-time 2026-02-01', 'a month')
    .example('$0 verify --directory ./copy --start-time 2026-01-01 --end-time 2026-02-01', 'then, without a network');
}

async function run(typed: FetchOptions, io: Io): Promise<number> {
  const now = typed.now === undefined ? io.now() : parseInstant(typed.now, 'now');
  const { to, ...given } = { ...withConfig(typed, (await loadConfig(typed.config, now))?.config ?? {}), to: typed.to };
  const signal = endOf(given, io);
  const planning = planVerify(given, now);
  const plan = (await unlessStopped(planning, signal, TO_PLAN_MS)) ?? unplanned(given, now, signal);
  const [request, ...others] = plan.requests;
  if (others.length > 0)
    throw new UsageError('the trails write to several places: fetch each to a directory of its own');
  const problems: Problems = { told: [], total: 0 };
  for (const judged of plan.verdicts)
    complain(problems, `${judged.subject.arn ?? 'nothing is copied'}: ${toFinding(judged).message}`);
  try {
    if (request) await fetchTo(to, { ...request, signal }, given, plan, problems, io);
  } catch (error) {
    if (error instanceof FolderError || error instanceof KeyFileError)
      throw new UsageError(error.message, { cause: error });
    throw error;
  } finally {
    await request?.source.close();
  }
  const { told, total } = problems;
  for (const problem of told) io.err(`trailseal: ${terminal(problem)}\n`);
  if (total > told.length) io.err(`trailseal: … and ${number(total - told.length)} more\n`);
  return signalCode(io) ?? (total > 0 || signal.aborted ? 3 : 0);
}

interface Copied {
  copied: number;
  bytes: number;
  kept: number;
  absent: number;
}

async function fetchTo(
  directory: string,
  request: Omit<FetchRequest, 'folder' | 'metadata' | 'copy'>,
  given: VerifyGiven,
  { range }: VerifyPlan,
  problems: Problems,
  io: Io,
): Promise<void> {
  const folder = new CopyFolder(directory);
  const keyFile = join(folder.own, KEY_FILE);
  const ring = await readKeyRing(keyFile);
  const metadata = await openMetadataLog(join(folder.own, METADATA_FILE));
  const copy = await directorySource(folder.path, { metadata: new Map() });
  const done: Copied = { copied: 0, bytes: 0, kept: 0, absent: 0 };
  const wanted = new Map<string, WantedKeys>();
  const progress = startProgress(io, given.quiet ?? false, () => progressOf(done, problems.total));
  let lost = false;
  try {
    for await (const step of fetchCopy({ ...request, folder, metadata, copy })) {
      if (step.type === 'copied') {
        done.copied++;
        done.bytes += step.size;
      } else if (step.type === 'kept' || step.type === 'absent') done[step.type]++;
      else if (step.type === 'left' && areCredentialsGone(step.trouble?.code ?? '')) {
        complain(problems, `the credentials are not accepted any more: ${step.reason}`);
        lost = true;
        break;
      } else if (step.type === 'left') complain(problems, `${step.key || 'the bucket'} is not copied: ${step.reason}`);
      else if (step.type === 'digests') wanted.set(step.region, wider(step, wanted.get(step.region)));
      else if (!given.quiet) io.err(`note: ${terminal(step.folder)} is not copied: digests do not speak of it\n`);
    }
  } finally {
    progress.stop();
    await metadata.close();
    folder.close();
  }
  const settings = awsSettings(given);
  const list = (region: string, from: number, to: number) => listPublicKeys(settings, region, from, to);
  const answers = lost || request.signal.aborted ? [] : await collectKeys(ring, wanted.values(), list);
  for (const { region, trouble } of answers)
    if (trouble !== null) complain(problems, `the keys of ${region}: ${trouble}`);
  if (ring.size > 0) await writeKeyRing(keyFile, ring);
  if (done.copied + done.kept === 0 && problems.total === 0 && !request.signal.aborted) {
    complain(problems, 'there is nothing to copy in the scope that was asked for');
  }
  if (lost || request.signal.aborted) complain(problems, 'the run was cut short; the same command goes on from here');
  io.out(summaryOf(done, folder.path));
  if (problems.total === 0) {
    const when = [
      range.start === null ? '' : ` --start-time ${formatTime(range.start)}`,
      ` --end-time ${formatTime(range.end)}`,
    ];
    io.out(`Prove it: trailseal verify --directory ${terminal(directory)}${when.join('')}\n`);
  }
}

function wider(more: WantedKeys, old: WantedKeys = more): WantedKeys {
  return { region: more.region, from: Math.min(old.from, more.from), to: Math.max(old.to, more.to) };
}

function progressOf({ copied, bytes, kept }: Copied, problems: number): Measure {
  const trouble = problems > 0 ? [`${number(problems)} not copied`] : [];
  return { done: copied, also: [`${(bytes / 1e6).toFixed(1)} MB`, `${number(kept)} there already`, ...trouble] };
}

function summaryOf({ copied, bytes, kept, absent }: Copied, directory: string): string {
  const parts = [
    `${count(copied, 'object')} copied to ${terminal(directory)} (${(bytes / 1e6).toFixed(1)} MB)`,
    `${number(kept)} there already`,
    ...(absent > 0 ? [`${number(absent)} that digests name are not in the bucket`] : []),
  ];
  return `${parts.join(', ')}\n`;
}
