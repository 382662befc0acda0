import type { Argv } from 'yargs';
import { toFinding } from '../chain/meaning.ts';
import { verdict } from '../chain/verdict.ts';
import type { Finding } from '../report/finding.ts';
import { ELSEWHERE, JoinError, type JoinedShards, joining, joinShards, type SavedShard } from '../report/join.ts';
import { SavedRunError } from '../report/parse.ts';
import { type Command, type Io, UsageError } from './command.ts';
import { endRun } from './ending.ts';
import { type OutputOptions, openOutputs } from './outputs.ts';
import { readSavedRun } from './saved-run-file.ts';
import { outputOptions } from './shared-options.ts';

interface MergeOptions extends OutputOptions {
  readonly files: readonly string[];
}

export const mergeCommand: Command = { options, run };

function options(yargs: Argv): Argv {
  return outputOptions(yargs)
    .usage(
      'trailseal merge SHARD.jsonl… [options]\n\nJoins the saved runs of all shards of one verify into one report and one exit code. A shard that is not there, or whose file was cut off, leaves the run inconclusive; files of different runs are refused.',
    )
    .positional('files', { type: 'string', array: true, describe: 'what --output jsonl=… wrote, of every shard' })
    .example(
      '$0 verify --s3-bucket my-logs --end-time 2026-03-01 --shard 3/16 --output jsonl=shard-3.jsonl',
      'one of 16 jobs',
    )
    .example('$0 merge shard-1.jsonl shard-2.jsonl --output junit=report.xml', 'then, all of them');
}

interface ShardFile extends SavedShard {
  /** Ids of waivers that covered nothing in this shard. */
  readonly unused: readonly string[];
}

async function run(given: MergeOptions, io: Io): Promise<number> {
  const { whole, broken } = await readAll(given.files);
  const joined = together(whole);
  if (broken.length > 0 && joined.missing.length === 0) {
    throw new UsageError(['all shards are there, and files that are none', ...broken].join('\n'));
  }
  const outputs = await openOutputs(given, io);
  try {
    const { run: head, shards } = joined;
    const joint = joining(joined, commonTo(shards.map(({ unused }) => unused)));
    const list = (finding: Finding): void => {
      joint.add(finding);
      outputs.step(finding);
    };
    outputs.start(head);
    for (const shard of shards) {
      for await (const entry of readSavedRun(shard.name)) {
        if (entry.type === 'finding' && joint.keeps(shard, entry.finding)) outputs.step(entry.finding);
      }
    }
    for (const finding of ofTheWhole(joined, broken)) list(finding);
    return await endRun({ outputs, list, summary: joint.summary }, io);
  } catch (error) {
    outputs.abandon();
    throw error;
  }
}

interface Read {
  readonly whole: readonly ShardFile[];
  /** What is wrong with the other files. */
  readonly broken: readonly string[];
}

/** Reads every file to its end, so that nothing is reported of one that was cut off. */
async function readAll(files: readonly string[]): Promise<Read> {
  const whole: ShardFile[] = [];
  const broken: string[] = [];
  for (const name of files) {
    try {
      whole.push(await readShard(name));
    } catch (error) {
      if (!(error instanceof SavedRunError)) throw error;
      broken.push(`${name}: ${error.message}`);
    }
  }
  if (whole.length === 0) throw new UsageError(['no file is a whole saved run', ...broken].join('\n'));
  return { whole, broken };
}

async function readShard(name: string): Promise<ShardFile> {
  const parts: { run?: SavedShard['run']; summary?: SavedShard['summary'] } = {};
  const unused: string[] = [];
  for await (const entry of readSavedRun(name)) {
    if (entry.type === 'run') parts.run = entry.run;
    else if (entry.type === 'summary') parts.summary = entry.summary;
    else if (entry.finding.control === 'waiver-unused') unused.push(entry.finding.id);
  }
  const { run: head, summary } = parts;
  if (head === undefined || summary === undefined) throw new SavedRunError(1, 'not a saved run');
  return { name, run: head, summary, unused };
}

function together(files: readonly ShardFile[]): JoinedShards<ShardFile> {
  try {
    return joinShards(files);
  } catch (error) {
    if (error instanceof JoinError) throw new UsageError(error.message, { cause: error });
    throw error;
  }
}

function commonTo(lists: readonly (readonly string[])[]): Set<string> {
  const [first = [], ...others] = lists;
  return new Set(first.filter((id) => others.every((list) => list.includes(id))));
}

/** What can only be said of all shards together. */
function ofTheWhole({ run: head, shards, missing, of }: JoinedShards<ShardFile>, broken: readonly string[]): Finding[] {
  const findings: Finding[] = [];
  if (missing.length > 0) {
    const reason = [`shard ${missing.join(', ')} of ${of} is not there`, ...broken].join('; ');
    findings.push(toFinding(verdict('run-interrupted', { type: 'run' }, { reason })));
  }
  // As in verify: a refusal says why there is no chain.
  const explained = shards.some(({ summary }) => Object.keys(summary.verdicts).some(isAboutChains));
  if (missing.length === 0 && !explained && shards.every(({ summary }) => summary.chains.length === 0)) {
    const { start = 'beginning', end = '' } = head.window ?? {};
    const facts = { from: start === 'beginning' ? null : start, to: end, reason: 'no shard found a chain to verify' };
    findings.push(toFinding(verdict('coverage-nothing-found', { type: 'run' }, facts)));
  }
  return findings;
}

function isAboutChains(kind: string): boolean {
  return /^(?:digest|coverage)-/.test(kind) && kind !== ELSEWHERE;
}
