import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { formatTime, HOUR } from '../../src/chain/location.ts';
import { signer } from '../../src/demo/signer.ts';
import { type BuiltTrail, type PublicKeyFile, trail } from '../../src/demo/trail.ts';
import { awsAt, LOGS, makeAccount, REGION, STATE } from '../support/audited-account.ts';
import { servedKeys } from '../support/built-on-s3.ts';
import { startFront } from '../support/front.ts';
import { MOTO_ACCOUNT, startMoto } from '../support/moto.ts';
import { motoProxy } from '../support/moto-proxy.ts';
import { type ObjectsByKey, startS3Server } from '../support/s3-server.ts';
import type { DocumentedCommand } from './commands.ts';

const REPOSITORY = fileURLToPath(new URL('../../', import.meta.url));

export interface Ended {
  readonly code: number | null;
  /** What was printed to either stream. */
  readonly printed: string;
}

/** An account with a trail that has delivered for a week and an hour, its newest digest as fresh as it should be. */
export interface World {
  readonly url: string;
  /** The keys of its trails, as `--public-keys` reads them. */
  readonly keys: PublicKeyFile;
  close(): Promise<void>;
}

/** Somebody who reads a document in an empty folder, with the credentials of the account. */
export interface Reader {
  readonly folder: string;
  run(command: DocumentedCommand): Promise<Ended>;
  leave(): void;
}

/** Where the documents speak of months, the reader has a day. */
const END = Math.floor(Date.now() / HOUR) * HOUR;
const START = END - 24 * HOUR;

/** What stands in the documents for the reader's own, and what this account has in its place. */
const OWN: readonly (readonly [RegExp, string])[] = [
  [/111122223333/g, MOTO_ACCOUNT],
  [/eu-west-1/g, REGION],
  [/my-tfstate/g, STATE],
  [/(--start-time) [\d-]+/g, `$1 ${formatTime(START)}`],
  [/(--end-time) [\d-]+/g, `$1 ${formatTime(END)}`],
];

export async function makeWorld(): Promise<World> {
  const moto = await startMoto();
  const proxy = await motoProxy(moto);
  await makeAccount(awsAt(proxy.url));
  const [ours, theirs] = [build(LOGS, 7 * 24 + 1), build('my-logs', 24)];
  const keys = servedKeys(ours)[REGION] ?? [];
  proxy.json.set('ListPublicKeys', () => ({ PublicKeyList: keys }));
  const store = await startS3Server({
    buckets: {
      [LOGS]: { objects: locked(ours) },
      'my-logs': { objects: locked(theirs) },
      'audit-state': {},
    },
  });
  const front = await startFront(store, proxy, LOGS);
  return {
    url: front.url,
    keys: theirs.publicKeys,
    async close() {
      await Promise.all([front.close(), store.close(), proxy.close()]);
      await moto.stop();
    },
  };
}

export function readerIn(world: World): Reader {
  const folder = mkdtempSync(join(tmpdir(), 'trailseal-docs-'));
  const path = stubs(folder);
  let standing = { block: -1, folder };
  return {
    folder,
    async run(command) {
      if (command.block !== standing.block) standing = { block: command.block, folder };
      const place = join(folder, '.standing');
      const text = inPlace(command.text, folder);
      const script = command.where === 'shell' ? `${text}\ncode=$?\npwd > '${place}'\nexit $code` : text;
      const env = { ...environment(command, folder), AWS_ENDPOINT_URL: world.url, PATH: path };
      const ended = await shell(script, command, { cwd: standing.folder, env });
      if (command.where === 'shell') standing = { ...standing, folder: readFileSync(place, 'utf8').trim() };
      return ended;
    },
    leave: () => rmSync(folder, { recursive: true, force: true }),
  };
}

function build(bucket: string, hours: number): BuiltTrail {
  const options = { bucket, account: MOTO_ACCOUNT, region: REGION, signer: signer('docs') };
  return trail({ ...options, start: END - hours * HOUR })
    .hours(hours)
    .logs(1)
    .build();
}

/** A text of the documents with the reader's own names in it. */
export function inPlace(text: string, folder: string): string {
  const own = OWN.reduce((sofar, [theirs, mine]) => sofar.replaceAll(theirs, mine), text);
  return own.replaceAll('/srv/audit', folder);
}

function locked({ objects }: BuiltTrail): ObjectsByKey {
  const lock = { mode: 'COMPLIANCE', retainUntil: END + 400 * 24 * HOUR, legalHold: false } as const;
  return Object.fromEntries([...objects].map(([key, object]) => [key, { ...object, lock }]));
}

/** `npx trailseal` and `trailseal` as if they had been installed, and a mail that only tells what it was given. */
function stubs(folder: string): string {
  const bin = join(folder, '.bin');
  mkdirSync(bin);
  const program = join(REPOSITORY, 'bin', 'trailseal.js');
  const scripts = {
    trailseal: `exec '${process.execPath}' '${program}' "$@"`,
    npx: '[ "$1" = --yes ] && shift\nexec "$@"',
    mail: 'echo "mail $*"\ncat',
  };
  for (const [name, script] of Object.entries(scripts)) {
    writeFileSync(join(bin, name), `#!/bin/sh\n${script}\n`);
    chmodSync(join(bin, name), 0o755);
  }
  return [bin, dirname(process.execPath), process.env['PATH'] ?? ''].join(delimiter);
}

function environment({ where, env }: DocumentedCommand, folder: string): Record<string, string> {
  const credentials = {
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
    AWS_REGION: REGION,
    AWS_DEFAULT_REGION: REGION,
  };
  const everywhere = {
    HOME: folder,
    AWS_EC2_METADATA_DISABLED: 'true',
    AWS_PAGER: '',
  };
  const own = Object.fromEntries(Object.entries(env).map(([name, value]) => [name, inPlace(value, folder)]));
  switch (where) {
    case 'github':
    case 'github-action':
      return {
        ...everywhere,
        ...credentials,
        CI: 'true',
        GITHUB_ACTIONS: 'true',
        GITHUB_ACTION_PATH: REPOSITORY,
        GITHUB_OUTPUT: join(folder, 'github-output'),
        GITHUB_STEP_SUMMARY: join(folder, 'summary.md'),
        ...own,
      };
    case 'gitlab': // The job gets a token and no key.
      return { ...everywhere, CI: 'true', AWS_TOKEN: 'header.payload.signature', ...own };
    default:
      return { ...everywhere, ...credentials, ...own };
  }
}

function shell(script: string, { where }: DocumentedCommand, at: { cwd: string; env: Record<string, string> }) {
  const options = { github: ['-e'], 'github-action': ['-eo', 'pipefail'], gitlab: ['-e'], shell: [], cron: [] }[where];
  return new Promise<Ended>((resolve, reject) => {
    const child = spawn(where === 'cron' ? 'sh' : 'bash', [...options, '-c', script], {
      ...at,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let printed = '';
    const keep = (part: Buffer) => {
      printed += part.toString('utf8');
    };
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, printed }));
  });
}
