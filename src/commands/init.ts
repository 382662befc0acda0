import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import type { Argv } from 'yargs';
import { asking } from '../aws/collect/ask.ts';
import { collect } from '../aws/collect/collect.ts';
import { draftConfig, type Found, type FoundBucket } from '../config/draft.ts';
import type { CallName } from '../posture/calls.ts';
import type { Unknown } from '../posture/evidence.ts';
import { DEFAULT_SCOPE } from '../posture/scope.ts';
import type { Snapshot } from '../posture/snapshot.ts';
import { allTrails, type LogBucket, logBuckets } from '../posture/world.ts';
import { type Command, type Io, UsageError } from './command.ts';
import { type ClientOptions, openPostureClients } from './posture-clients.ts';
import { signalCode } from './run-end.ts';

interface InitOptions extends ClientOptions {
  readonly file: string;
  readonly force?: boolean | undefined;
}

/** Enough to name what is there; nothing is judged. */
const CALLS: ReadonlySet<CallName> = new Set<CallName>([
  'GetCallerIdentity',
  'ListRegions',
  'DescribeTrails',
  'HeadBucket',
  'GetBucketLocation',
  'GetObjectLockConfiguration',
]);

export const initCommand: Command = { options, run };

function options(yargs: Argv): Argv {
  return yargs
    .usage(
      'trailseal init [options]\n\nWrites a config from the trails and log buckets that the account has. Changes nothing in AWS.',
    )
    .option('file', {
      type: 'string',
      requiresArg: true,
      default: 'trailseal.yaml',
      describe: 'where to write it; - is stdout',
    })
    .option('force', { type: 'boolean', describe: 'write over a file that is there' })
    .option('profile', { type: 'string', requiresArg: true, describe: 'named profile of the AWS configuration' })
    .option('region', { type: 'string', requiresArg: true, describe: 'Region to ask first' })
    .option('endpoint-url', { type: 'string', requiresArg: true, describe: 'address of a test server' })
    .example('trailseal init', 'writes trailseal.yaml')
    .example('trailseal init --file -', 'prints it');
}

async function run(given: InitOptions, io: Io): Promise<number> {
  const { file, force = false } = given;
  if (file !== '-' && !force && existsSync(file))
    throw new UsageError(`${file} is there already; --force writes over it`);
  const now = new Date(io.now()).toISOString();
  const clients = await openPostureClients(given, {}, undefined, io);
  let snapshot: Snapshot;
  try {
    snapshot = await collect({ clients, ask: asking(CALLS, io.interrupt), scope: DEFAULT_SCOPE, now });
  } finally {
    clients.close();
  }
  const signalled = signalCode(io);
  if (signalled !== null) {
    io.err('trailseal: the run was cut short; nothing is written\n');
    return signalled;
  }
  const found = foundIn(snapshot);
  if (found.trails.length === 0 && found.unseen.length > 0) {
    for (const line of found.unseen) io.err(`trailseal: ${line}\n`);
    io.err('trailseal: no trail could be seen, so there is nothing to write; trailseal doctor says what is missing\n');
    return 3;
  }
  const text = draftConfig(found, now);
  if (file === '-') io.out(text);
  else {
    await writeFile(file, text);
    io.err(`${file}: ${found.trails.length} trails, ${found.logBuckets.length} log buckets; next: trailseal doctor\n`);
  }
  return 0;
}

/** What a snapshot shows, in the words of a config. */
function foundIn(snapshot: Snapshot): Found {
  const world = { snapshot, scope: DEFAULT_SCOPE, now: Date.parse(snapshot.collectedAt) };
  const described = allTrails(world).flatMap(({ arn, description }) =>
    description.state === 'known' ? [{ arn, description: description.value }] : [],
  );
  const refused = snapshot.trailLists.flatMap(({ region, list }) =>
    list.state === 'unknown' ? [`trails in ${region}: ${reason(list)}`] : [],
  );
  return {
    trails: described.map(({ arn, description }) => ({
      arn,
      bucket: description.S3BucketName ?? null,
      prefix: description.S3KeyPrefix ?? '',
    })),
    organization: described.some(({ description }) => description.IsOrganizationTrail === true),
    logBuckets: logBuckets(world).list.map(({ of }) => foundBucket(of)),
    unseen: [
      ...(snapshot.regions.state === 'unknown' ? [`the account's Regions: ${reason(snapshot.regions)}`] : []),
      ...refused,
    ],
  };
}

function foundBucket({ name, facts, prefixes }: LogBucket): FoundBucket {
  const { location, ownedAsExpected, expectedOwner, objectLock } = facts;
  const [prefix, ...others] = prefixes;
  const rule = objectLock.state === 'known' ? objectLock.value.Rule?.DefaultRetention : undefined;
  // Zeroes stand for "not set" in some stores' answers.
  const days = rule?.Days || (rule?.Years ?? 0) * 365;
  return {
    name,
    account: ownedAsExpected.state === 'known' && ownedAsExpected.value ? expectedOwner : null,
    region: location.state === 'known' ? location.value.BucketRegion : null,
    prefix: others.length > 0 ? null : (prefix?.replace(/\/$/, '') ?? null),
    retention: objectLock.state === 'unknown' ? 'unknown' : rule?.Mode ? { mode: rule.Mode, days } : null,
  };
}

function reason({ api, code }: Unknown): string {
  return `${api} answered ${code}`;
}
