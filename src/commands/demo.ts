import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Argv } from 'yargs';
import { formatTime, HOUR } from '../chain/location.ts';
import { type TrailBuilder, trail } from '../demo/trail.ts';
import { writePublicKeys, writeTrail } from '../demo/write-trail.ts';
import type { Command, Io } from './command.ts';
import { verifyCommand } from './verify.ts';

const HOURS = 24;

interface Act {
  readonly title: string;
  readonly build: (intact: TrailBuilder) => TrailBuilder;
  /** The exit code that verify must come to. */
  readonly expected: number;
}

const ACTS: readonly Act[] = [
  { title: 'The trail as CloudTrail delivered it', build: (intact) => intact, expected: 0 },
  {
    title: 'Somebody changes one letter in one log file, and removes one digest',
    build: (intact) => intact.alterLog(7, 1).dropDigest(15),
    expected: 1,
  },
];

function options(yargs: Argv): Argv {
  return yargs
    .option('keep', {
      type: 'string',
      requiresArg: true,
      describe: 'leave the trails in this directory, to try further',
    })
    .option('no-color', { type: 'boolean', describe: 'no colours, as NO_COLOR does' })
    .option('color', { type: 'boolean', hidden: true })
    .example(
      '$0 demo --keep ./demo',
      'then: trailseal verify --directory ./demo/1/bucket --public-keys ./demo/1/keys.json …',
    );
}

async function run(given: { readonly keep?: string; readonly color?: boolean }, io: Io): Promise<number> {
  const directory = given.keep ?? mkdtempSync(join(tmpdir(), 'trailseal-demo-'));
  try {
    io.out(
      `A day of ${HOURS} digests and ${HOURS * 4} log files is built and signed like CloudTrail's, in ${directory}\n\n`,
    );
    const intact = trail({ name: 'demo', recordsPerLog: 20 }).hours(HOURS).logs(4);
    let kept = true;
    for (const [index, act] of ACTS.entries()) {
      const code = await play(act, index + 1, act.build(intact), join(directory, String(index + 1)), { ...given, io });
      kept &&= code === act.expected;
    }
    io.out(
      kept
        ? `Both came out as they must. On your own account: trailseal verify --trail-arn ARN --since 30h\n`
        : `The demo did not come out as it must: please report this.\n`,
    );
    return kept ? 0 : 1;
  } finally {
    if (given.keep === undefined) rmSync(directory, { recursive: true, force: true });
  }
}

async function play(
  act: Act,
  number: number,
  builder: TrailBuilder,
  directory: string,
  { color, io }: { readonly color?: boolean; readonly io: Io },
): Promise<number> {
  const built = builder.build();
  const [bucket, keys] = [join(directory, 'bucket'), join(directory, 'keys.json')];
  writeTrail(bucket, built);
  writePublicKeys(keys, built);
  const [startTime, endTime, now] = [built.range.start, built.range.end, built.range.end + HOUR].map(formatTime);
  io.out(`${number}. ${act.title}\n\n`);
  io.out(
    `$ trailseal verify --directory ${bucket} \\\n    --public-keys ${keys} \\\n    --start-time ${startTime} --end-time ${endTime} --now ${now}\n\n`,
  );
  const given = { directory: bucket, publicKeys: [keys], startTime, endTime, now, quiet: true, color };
  const code = await verifyCommand.run(given as never, io);
  io.out('\n');
  return code;
}

export const demoCommand: Command = { options, run };
