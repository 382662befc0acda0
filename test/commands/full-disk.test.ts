import { spawnSync } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, openSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { formatTime } from '../../src/chain/location.ts';
import { type BuiltTrail, trail } from '../../src/demo/trail.ts';
import { writePublicKeys, writeTrail } from '../../src/demo/write-trail.ts';
import { parseJsonl, runCli } from '../support/run-cli.ts';
import { tempDir } from '../support/temp.ts';

/** A device on which every write fails as on a full disk. */
const FULL = '/dev/full';
const BIN = fileURLToPath(new URL('../../bin/trailseal.js', import.meta.url));
const INTACT = trail().hours(2).build();
const ALTERED = trail().hours(2).alterLog(1).build();

function verify(built: BuiltTrail): string[] {
  const directory = tempDir();
  writeTrail(join(directory, 'bucket'), built, { metadata: true });
  writePublicKeys(join(directory, 'keys.json'), built);
  const range = ['--start-time', formatTime(built.range.start), '--end-time', formatTime(built.range.end)];
  const where = ['--directory', join(directory, 'bucket'), '--public-keys', join(directory, 'keys.json')];
  return ['verify', ...where, ...range, '--now', formatTime(built.range.end), '--quiet'];
}

const WHY = 'not all is written that this run was to leave behind';

describe.skipIf(!existsSync(FULL))('a report that cannot be written', () => {
  it.each([
    ['green', INTACT, 3],
    ['red', ALTERED, 1],
  ])('is told in one line, and the run is not green: %s', async (_, built, expected) => {
    const other = join(tempDir(), 'run.jsonl');
    const outputs = ['--output', `junit=${FULL}`, '--output', `jsonl=${other}`];
    const { code, out, err } = await runCli([...verify(built), ...outputs]);
    const lost = `trailseal: --output junit=${FULL} could not be written: no space left on device (ENOSPC)\n`;
    expect(err).toBe(expected === 3 ? `${lost}trailseal: nothing failed, but the exit code is 3: ${WHY}\n` : lost);
    expect(code).toBe(expected);
    expect(out).toContain(`exit code  ${expected}:`);
    const { findings, summary } = parseJsonl(readFileSync(other, 'utf8'));
    expect(summary).toMatchObject({ exitCode: expected, verdicts: { 'run-unrecorded': 1 } });
    expect(findings.at(-1)).toMatchObject({ control: 'run-unrecorded', message: expect.stringContaining(FULL) });
  });

  it.each(['text', 'jsonl', 'junit', 'markdown', 'html', 'sarif', 'ocsf', 'csv'])(
    'is told in the other reports, that stood already, as in one made of them: %s',
    async (format) => {
      const [made, saved] = [join(tempDir(), 'made'), join(tempDir(), 'run.jsonl')];
      const outputs = [`${format}=${made}`, `jsonl=${saved}`, `csv=${FULL}`];
      const { code } = await runCli([...verify(INTACT), ...outputs.flatMap((output) => ['--output', output])]);
      expect(code).toBe(3);
      const { out } = await runCli(['convert', saved, '--output', `${format}=-`]);
      expect(readFileSync(made, 'utf8')).toBe(out);
      expect(out).toContain(format === 'html' ? 'Exit code 3' : 'run-unrecorded');
    },
  );

  it('nor does a merge say two things', async () => {
    const shards = ['1/2', '2/2'].map((shard) => [shard, join(tempDir(), 'shard.jsonl')] as const);
    const argv = verify(INTACT);
    for (const [shard, saved] of shards) await runCli([...argv, '--shard', shard, '--output', `jsonl=${saved}`]);
    const { code, out } = await runCli(['merge', ...shards.map(([, saved]) => saved), '--output', `jsonl=${FULL}`]);
    expect({ code, out }).toEqual({ code: 3, out: expect.stringContaining('exit code  3:') });
  });

  it.each(['text', 'jsonl', 'junit', 'markdown', 'html', 'sarif', 'ocsf', 'csv'])('%s', async (format) => {
    const { code, err } = await runCli([...verify(INTACT), '--output', `${format}=${FULL}`]);
    expect({ code, lines: err.trimEnd().split('\n') }).toEqual({
      code: 3,
      lines: [
        expect.stringContaining(`--output ${format}=${FULL} could not be written`),
        `trailseal: nothing failed, but the exit code is 3: ${WHY}`,
      ],
    });
  });

  it('moves no checkpoint: what was told to nobody is not done', async () => {
    const memory = tempDir();
    const argv = [...verify(INTACT), '--checkpoint', memory, '--init-checkpoint', '--output', `jsonl=${FULL}`];
    const { code, err } = await runCli(argv);
    expect(code).toBe(3);
    expect(err).toContain('the checkpoints are left as they were');
    expect(readdirSync(memory)).toEqual([]);
  });

  it.each([
    [INTACT, 3],
    [ALTERED, 1],
  ])('on stdout neither', (built, expected) => {
    const out = openSync(FULL, 'w');
    try {
      const { status, stderr } = spawnSync(process.execPath, [BIN, ...verify(built)], {
        stdio: ['ignore', out, 'pipe'],
      });
      expect(String(stderr)).toBe('trailseal: stdout could not be written: no space left on device (ENOSPC)\n');
      expect(status).toBe(expected);
    } finally {
      closeSync(out);
    }
  });
});

it('a reader who leaves early changes nothing', () => {
  const [node, ...argv] = [process.execPath, BIN, ...verify(ALTERED), '--verbose'].map((word) => `'${word}'`);
  const { stdout, stderr } = spawnSync('sh', ['-c', `{ ${node} ${argv.join(' ')}; echo "exit $?" >&2; } | true`]);
  expect([String(stdout), String(stderr)]).toEqual(['', 'exit 1\n']);
});

it('directories of a report are made', async () => {
  const path = join(tempDir(), 'not', 'yet', 'run.jsonl');
  expect((await runCli([...verify(INTACT), '--output', `jsonl=${path}`])).code).toBe(0);
  expect(existsSync(path)).toBe(true);
});

it('a place that can hold no report is a usage error, and nothing is left of the others', async () => {
  const directory = tempDir();
  mkdirSync(join(directory, 'reports'));
  writeFileSync(join(directory, 'file'), '');
  const outputs = [
    '--output',
    `jsonl=${join(directory, 'reports', 'a')}`,
    '--output',
    `csv=${join(directory, 'file', 'b')}`,
  ];
  const { code, out, err } = await runCli([...verify(INTACT), ...outputs]);
  expect({ code, out }).toEqual({ code: 2, out: '' });
  expect(err).toMatch(/^trailseal: --output csv=\S+ cannot be written: not a directory \(ENOTDIR\)\n$/);
  expect(readdirSync(join(directory, 'reports'))).toEqual([]);
});
