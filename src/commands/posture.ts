import type { Argv } from 'yargs';
import { asking } from '../aws/collect/ask.ts';
import { collect } from '../aws/collect/collect.ts';
import { caveats, type RegimeName } from '../config/regimes.ts';
import type { Config } from '../config/schema.ts';
import { waiverLedger } from '../config/waivers.ts';
import type { Enclosure } from '../evidence/bundle.ts';
import { catalogue } from '../posture/catalogue.ts';
import { CONTROLS } from '../posture/controls/index.ts';
import { controlsOf, judge } from '../posture/judge.ts';
import { postureCalls } from '../posture/needs.ts';
import type { PostureScope } from '../posture/scope.ts';
import type { Snapshot } from '../posture/snapshot.ts';
import { SEVERITIES, type Severity } from '../report/finding.ts';
import type { RunHeader } from '../report/report.ts';
import type { Requests } from '../source/source.ts';
import { readSnapshot, SnapshotError, snapshotBytes, writeSnapshot } from '../state/snapshot-file.ts';
import { VERSION } from '../version.ts';
import { type Command, type Io, UsageError } from './command.ts';
import { type EvidenceGiven, evidenceOptions, planEvidence } from './evidence-options.ts';
import { configEnclosed, loadConfig } from './load-config.ts';
import type { OutputOptions } from './outputs.ts';
import { openPostureClients } from './posture-clients.ts';
import { demandOptions, type ScopeOptions, scopeOf } from './posture-scope.ts';
import { type Run, report } from './run.ts';
import { endOf } from './run-end.ts';
import { awsOptions, outputOptions, parseInstant } from './shared-options.ts';

export interface PostureOptions extends ScopeOptions, OutputOptions, EvidenceGiven {
  readonly config?: string | undefined;
  readonly profile?: string | undefined;
  readonly region?: string | undefined;
  readonly endpointUrl?: string | undefined;
  readonly snapshot?: string | undefined;
  readonly saveSnapshot?: string | undefined;
  readonly list?: boolean | undefined;
  readonly failOn?: Severity | undefined;
  readonly quiet?: boolean | undefined;
  readonly now?: string | undefined;
  readonly deadline?: string | undefined;
}

export const postureCommand: Command = { options: postureOptions, run: posture };

function postureOptions(yargs: Argv): Argv {
  return evidenceOptions(demandOptions(outputOptions(awsOptions(yargs))))
    .usage(
      'trailseal posture [options]\n\nJudges the live configuration of trails and log buckets; changes nothing, downloads no logs.',
    )
    .options({
      'trail-arn': {
        type: 'string',
        array: true,
        requiresArg: true,
        describe: 'trails that must exist; all that are found without it',
      },
      's3-bucket': {
        type: 'string',
        array: true,
        requiresArg: true,
        describe: 'log buckets; those the trails write to without it',
      },
      region: { type: 'string', requiresArg: true, describe: 'Region to ask first' },
      snapshot: { type: 'string', requiresArg: true, describe: 'judge this saved snapshot; asks AWS nothing' },
      list: { type: 'boolean', describe: 'print the catalogue of controls and end' },
      'fail-on': {
        choices: SEVERITIES.filter((severity) => severity !== 'info'),
        requiresArg: true,
        describe: 'least severity that fails the run',
      },
      now: { type: 'string', requiresArg: true, describe: 'the time to judge at, ISO 8601' },
      deadline: {
        type: 'string',
        requiresArg: true,
        describe: 'ask AWS for no longer than this; what was not answered is inconclusive',
      },
    })
    .conflicts('snapshot', 'save-snapshot')
    .example('trailseal posture', 'every trail of the account and the buckets they write to')
    .example(
      'trailseal posture --trail-arn arn:aws:cloudtrail:eu-west-1:111122223333:trail/audit --state-bucket tfstate --regime pci',
      'one trail against PCI DSS 10.5.1',
    )
    .example('trailseal posture --snapshot before.json --output jsonl=-', 'judge again, offline');
}

async function posture(options: PostureOptions, io: Io): Promise<number> {
  if (options.list) {
    io.out(catalogue(CONTROLS));
    return 0;
  }
  const now = options.now === undefined ? io.now() : parseInstant(options.now, 'now');
  const loaded = await loadConfig(options.config, now);
  const config: Config = loaded?.config ?? {};
  const outputs = { ...options, output: options.output ?? config.outputs };
  const bundle = await planEvidence(outputs, io);
  const asking = { ...io, interrupt: endOf(options, io) };
  const prepared = await preparePosture(options, config, { now, io: asking });
  const clock = Date.parse(prepared.snapshot.collectedAt);
  return report(
    {
      header: {
        tool: 'trailseal',
        version: VERSION,
        command: 'posture',
        arguments: given(options),
        window: null,
        clock: new Date(clock).toISOString(),
        identity: prepared.identity,
        inputs: { ...(loaded ? { config: loaded.sha256 } : {}), ...prepared.inputs },
        titles: prepared.titles,
      },
      outputs,
      io,
      waivers: waiverLedger(config.waivers ?? [], clock, (control) => Object.hasOwn(prepared.titles, control)),
      failOn: options.failOn ?? config.failOn,
      evidence: bundle,
      enclosures: () => [...configEnclosed(loaded), ...prepared.enclosures],
    },
    prepared.judge,
  );
}

/** What of a run concerns the configuration: all that AWS says of it, ready to be judged. */
export interface PreparedPosture {
  readonly snapshot: Snapshot;
  /** ARN of the caller. */
  readonly identity: string | null;
  /** SHA-256 (hex) of the files read. */
  readonly inputs: { readonly [name: string]: string };
  /** What was judged, for whoever wants to judge it again. */
  readonly enclosures: readonly Enclosure[];
  /** Of the controls that are judged, by id. */
  readonly titles: { readonly [control: string]: string };
  readonly judge: (run: Run) => Promise<void>;
}

/** Collects the snapshot, or reads it. Throws `UsageError`. */
export async function preparePosture(
  options: PostureOptions,
  config: Config,
  { now, io }: { readonly now: number; readonly io: Io },
): Promise<PreparedPosture> {
  const scope = scopeOf(options, config);
  if (options.quiet !== true) for (const caveat of caveats(regimesIn(scope))) io.err(`note: ${caveat}\n`);
  const { snapshot, requests, inputs } = await evidence(options, config, scope, { now, io }).catch((error) => {
    throw error instanceof SnapshotError ? new UsageError(error.message, { cause: error }) : error;
  });
  return {
    snapshot,
    inputs,
    enclosures: [snapshotEnclosed(options.snapshot, snapshot)],
    identity: snapshot.identity.state === 'known' ? snapshot.identity.value.Arn : null,
    titles: Object.fromEntries(controlsOf(scope).map(({ id, title }) => [id, title])),
    judge: (run) => {
      run.asked(requests);
      if (io.interrupt.aborted) run.cutShort();
      for (const finding of judge(snapshot, scope)) run.finding(finding);
      return Promise.resolve();
    },
  };
}

/** The file that was read, or what would have been saved. */
const snapshotEnclosed = (file: string | undefined, snapshot: Snapshot): Enclosure => ({
  role: 'input',
  name: 'snapshot',
  ...(file === undefined ? { path: 'snapshot.json', content: snapshotBytes(snapshot) } : { path: file }),
});

const regimesIn = ({ regime }: PostureScope): RegimeName[] => (regime?.split('+') ?? []) as RegimeName[];

interface Gathered {
  readonly snapshot: Snapshot;
  readonly requests: Requests;
  /** SHA-256 (hex) of the files read. */
  readonly inputs: { readonly [name: string]: string };
}

/** From the file, or from AWS; saved where that was asked for. */
async function evidence(
  options: PostureOptions,
  config: Config,
  scope: PostureScope,
  { now, io }: { readonly now: number; readonly io: Io },
): Promise<Gathered> {
  if (options.snapshot !== undefined) {
    const { snapshot, sha256 } = await readSnapshot(options.snapshot);
    return { snapshot, requests: { list: 0, get: 0, bytes: 0 }, inputs: { snapshot: sha256 } };
  }
  const clients = await openPostureClients(options, config, scope.trails[0]?.arn, io);
  const ask = asking(postureCalls(scope), io.interrupt);
  try {
    const snapshot = await collect({ clients, ask, scope, now: new Date(now).toISOString() });
    if (options.saveSnapshot !== undefined && !io.interrupt.aborted)
      await writeSnapshot(options.saveSnapshot, snapshot);
    return { snapshot, requests: { ...ask.asked, bytes: 0 }, inputs: {} };
  } finally {
    clients.close();
  }
}

/** The options as typed, for the head of the reports. */
function given(options: PostureOptions): RunHeader['arguments'] {
  const said = Object.entries(options).filter(
    ([name, value]) => NAMED.has(name) && value !== undefined && value !== false,
  );
  return Object.fromEntries(said);
}

const NAMED: ReadonlySet<string> = new Set([
  'config',
  'failOn',
  'objects',
  'regime',
  'region',
  's3Bucket',
  'seed',
  'snapshot',
  'stateBucket',
  'trailArn',
]);
