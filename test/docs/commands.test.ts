import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { parseConfig, problemLine } from '../../src/config/load.ts';
import { GOOD_CONFIG } from '../support/audited-account.ts';
import { motoInstalled } from '../support/moto.ts';
import { onPath } from '../support/on-path.ts';
import { tempDir } from '../support/temp.ts';
import { commandsOf, filesOf } from './commands.ts';
import { type Ended, inPlace, makeWorld, type Reader, readerIn, type World } from './world.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const DOCUMENTS = [
  ...readdirSync(ROOT).filter((name) => name.endsWith('.md')),
  ...readdirSync(join(ROOT, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];

/** What is not run here, by how it begins, and why. Whatever a document adds is run, or comes to stand here. */
const NOT_RUN: Readonly<Record<string, string>> = {
  'terraform init': 'fetches the AWS provider; test/commands/iam-policy.test.ts has terraform read what is printed',
  'npm ci': 'installs packages; .ci/run does it on a bare machine, with the demo and the tests that follow it here',
  'npm run build': 'is part of npm ci',
  'npm run check': 'runs this test',
  'npm test': 'runs this test',
  'npm run format': 'writes to the checkout',
  'npm run bench': 'takes minutes',
};

/** Exit codes other than 0, by how the command begins: what the document says comes of it. */
const EXIT_CODES: Readonly<Record<string, { readonly code: number; readonly says: string }>> = {
  'README.md: aws s3 sync': { code: 3, says: 'digest-unsigned' },
  'README.md: npx trailseal posture': { code: 1, says: 'POL-09' },
  'docs/shards.md: trailseal merge': { code: 3, says: 'of 16 is not there' },
  'docs/posture.md: trailseal posture --trail-arn': { code: 1, says: 'POL-09' },
  'docs/posture.md: trailseal posture --snapshot': { code: 1, says: '2190 are required' },
};

/** What a document takes for granted in the reader's folder. */
const GIVEN: Readonly<Record<string, (folder: string, world: World) => void>> = {
  'README.md': (folder, { keys }) => writeFileSync(join(folder, 'keys.json'), JSON.stringify(keys)),
  'docs/auditors.md': (folder) => writeFileSync(join(folder, 'trailseal.yaml'), JSON.stringify(GOOD_CONFIG)),
  'docs/posture.md': (folder) =>
    writeFileSync(join(folder, 'stricter.yaml'), JSON.stringify({ ...GOOD_CONFIG, posture: {}, regime: 'sec17a4' })),
};

/** What a document has its reader do by hand after a command. */
const BY_HAND: Readonly<Record<string, (folder: string) => void>> = {
  'npx trailseal init': (folder) => {
    const file = join(folder, 'trailseal.yaml');
    const written = parse(readFileSync(file, 'utf8'));
    const { logBuckets, keyReaders } = GOOD_CONFIG;
    writeFileSync(file, JSON.stringify({ ...written, logBuckets, keyReaders }));
  },
  // The page goes on with a config to be written.
  'trailseal posture --trail-arn': (folder) => {
    const [config] = filesOf('docs/posture.md');
    writeFileSync(join(folder, 'trailseal.yaml'), inPlace(config?.text ?? '', folder));
  },
};

function entryOf<T>(table: Readonly<Record<string, T>>, text: string): T | undefined {
  return Object.entries(table).find(([begins]) => text.startsWith(begins))?.[1];
}

const COMMANDS = DOCUMENTS.flatMap((document) =>
  commandsOf(document).map((command) => ({ ...command, document, name: `${document}: ${command.text}` })),
);
const run = COMMANDS.filter(({ text }) => entryOf(NOT_RUN, text) === undefined);
const installed = motoInstalled();
if (!installed) console.log('moto_server is not installed (pip install "moto[server]"): the documents are not tried');

describe('the documents', () => {
  it('tell their readers to run something', () => expect(run.length).toBeGreaterThan(30));

  it.each<[string, object, (name: string) => boolean]>([
    ['not run', NOT_RUN, (begins) => COMMANDS.some(({ text }) => text.startsWith(begins))],
    ['exit codes', EXIT_CODES, (begins) => COMMANDS.some(({ name }) => name.startsWith(begins))],
    ['by hand', BY_HAND, (begins) => COMMANDS.some(({ text }) => text.startsWith(begins))],
  ])('%s: every line still speaks of a command', (_, table, isThere) => {
    expect(Object.keys(table).filter((begins) => !isThere(begins))).toEqual([]);
  });

  it.each(DOCUMENTS.flatMap((document) => filesOf(document).map((file) => ({ ...file, document }))))(
    '$document line $line: a $kind without a fault',
    ({ kind, text }) => {
      if (kind === 'config') {
        const parsed = parseConfig(Buffer.from(text), 'trailseal.yaml', Date.parse('2027-01-01T00:00:00Z'));
        expect(parsed.ok ? [] : parsed.problems.map(problemLine)).toEqual([]);
        return;
      }
      if (!onPath('actionlint')) {
        console.log('actionlint is not installed: the workflow is not linted');
        return;
      }
      const file = join(tempDir(), 'workflow.yml');
      writeFileSync(file, text);
      const { status, stdout } = spawnSync('actionlint', ['-no-color', file], { encoding: 'utf8' });
      expect({ status, stdout }).toEqual({ status: 0, stdout: '' });
    },
  );
});

describe.skipIf(!installed)('as written', () => {
  let world: World;
  const readers: Reader[] = [];
  const ended = new Map<string, Promise<Ended>>();

  /** A reader a document, side by side; each does one thing after the other. */
  beforeAll(async () => {
    world = await makeWorld();
    for (const document of new Set(run.map((command) => command.document))) {
      const reader = readerIn(world);
      readers.push(reader);
      GIVEN[document]?.(reader.folder, world);
      let before: Promise<unknown> = Promise.resolve();
      for (const command of run.filter((each) => each.document === document)) {
        const result = before.then(async () => {
          const found = await reader.run(command);
          entryOf(BY_HAND, command.text)?.(reader.folder);
          return found;
        });
        ended.set(command.name, result);
        before = result.catch(() => undefined);
      }
    }
  });
  afterAll(async () => {
    await Promise.allSettled(ended.values());
    for (const reader of readers) reader.leave();
    await world?.close();
  });

  it.each(run)(
    '$document line $line: $text',
    async ({ name, text }) => {
      if (text.startsWith('aws ') && !onPath('aws')) {
        console.log(`the AWS CLI is not installed: ${text} is not tried`);
        return;
      }
      const { code, printed } = (await ended.get(name)) ?? { code: null, printed: 'not run' };
      const expected = entryOf(EXIT_CODES, name) ?? { code: 0, says: '' };
      expect({ code, printed: code === expected.code ? '' : printed.slice(-3000) }).toEqual({
        code: expected.code,
        printed: '',
      });
      expect(printed).toContain(expected.says);
    },
    120_000,
  );
});
