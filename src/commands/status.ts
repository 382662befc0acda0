import type { Argv } from 'yargs';
import { s3Client } from '../aws/clients.ts';
import type { Finding } from '../report/finding.ts';
import { freshness, judgeFreshness } from '../state/freshness.ts';
import { openStore } from '../state/place.ts';
import { parseCheckpoint } from '../state/record.ts';
import { ROLL, readRoll } from '../state/roll.ts';
import { type CheckpointStore, StateError } from '../state/store.ts';
import { awsSettings } from './aws-settings.ts';
import { type Command, type Io, UsageError } from './command.ts';
import { loadConfig } from './load-config.ts';
import type { OutputOptions } from './outputs.ts';
import { reportFindings } from './report-findings.ts';
import { awsOptions, outputOptions, parseInstant, parseLength } from './shared-options.ts';

interface StatusOptions extends OutputOptions {
  readonly checkpoint?: string | undefined;
  readonly maxAge: string;
  readonly config?: string | undefined;
  readonly profile?: string | undefined;
  readonly endpointUrl?: string | undefined;
  readonly now?: string | undefined;
}

export const statusCommand: Command = { options, run };

function options(yargs: Argv): Argv {
  return outputOptions(awsOptions(yargs))
    .usage(
      'trailseal status [options]\n\nWhether the nightly run is alive: how long ago each chain was last proven. Run it from somewhere else than the nightly run.',
    )
    .option('checkpoint', {
      type: 'string',
      requiresArg: true,
      describe: 'where the nightly run keeps its checkpoints: a directory, or s3://bucket/prefix',
    })
    .option('max-age', {
      type: 'string',
      requiresArg: true,
      default: '26h',
      describe: 'how long ago the last good run may be',
    })
    .option('now', { type: 'string', requiresArg: true, describe: 'the instant that counts as now (for tests)' })
    .example(
      'trailseal status --checkpoint s3://audit-state/trailseal --max-age 26h',
      'exit 1 when a night was missed',
    );
}

async function run(given: StatusOptions, io: Io): Promise<number> {
  const now = given.now === undefined ? io.now() : parseInstant(given.now, 'now');
  const maxAge = parseLength(given.maxAge, 'max-age');
  const loaded = await loadConfig(given.config, now);
  const place = given.checkpoint ?? loaded?.config.checkpoint;
  if (place === undefined) throw new UsageError('give --checkpoint, or checkpoint: in the config');
  const { profile, endpointUrl, region } = loaded?.config ?? {};
  const settings = {
    ...awsSettings({ profile: given.profile ?? profile, endpointUrl: given.endpointUrl ?? endpointUrl }),
    ...(region === undefined ? {} : { region }),
  };
  const store = await openStore(place, () => s3Client(settings));
  return reportFindings({
    findings: look(store, place, now, maxAge),
    header: {
      command: 'status',
      arguments: { checkpoint: place, maxAge: given.maxAge },
      inputs: loaded === null ? {} : { config: loaded.sha256 },
    },
    now,
    outputs: { ...given, output: given.output ?? loaded?.config.outputs },
    io,
  });
}

async function* look(store: CheckpointStore, place: string, now: number, maxAge: number): AsyncGenerator<Finding> {
  try {
    const names = await store.names();
    if (names.length === 0) yield freshness('state-absent', { type: 'run' }, `there is no checkpoint at ${place}`);
    for (const name of names) yield await lookAt(store, name, now, maxAge);
    if (names.length > 0) yield* missing(await readRoll(store), names, store);
  } catch (error) {
    if (!(error instanceof StateError)) throw error;
    yield freshness('state-unreadable', { type: 'run' }, error.message);
  }
}

/** A checkpoint that is gone is missed only because its name was written down elsewhere. */
function* missing(
  roll: readonly string[] | null,
  names: readonly string[],
  store: CheckpointStore,
): Generator<Finding> {
  const about = (name: string) => ({ type: 'object', key: store.place(name) }) as const;
  if (roll === null) {
    yield freshness('state-absent', about(ROLL), 'is not there, so a checkpoint that is gone would not be missed');
  }
  const there = new Set(names);
  for (const name of roll ?? []) {
    if (!there.has(name)) yield freshness('state-absent', about(name), `is gone; ${ROLL} names it`);
  }
}

async function lookAt(store: CheckpointStore, name: string, now: number, maxAge: number): Promise<Finding> {
  const subject = { type: 'object', key: store.place(name) } as const;
  try {
    const stored = await store.load(name);
    const checkpoint = stored === null ? null : parseCheckpoint(stored.bytes);
    if (checkpoint === null) return freshness('state-unreadable', subject, 'is not a checkpoint');
    return judgeFreshness(checkpoint, now, maxAge);
  } catch (error) {
    if (!(error instanceof StateError)) throw error;
    return freshness('state-unreadable', subject, error.message);
  }
}
