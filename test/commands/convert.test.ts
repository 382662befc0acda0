import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { formatTime, HOUR } from '../../src/chain/location.ts';
import { trail } from '../../src/demo/trail.ts';
import { writePublicKeys, writeTrail } from '../../src/demo/write-trail.ts';
import { type FormatName, formats } from '../../src/report/formats.ts';
import { hostileFindings, render, yearInRegions } from '../report/sample.ts';
import { runCli } from '../support/run-cli.ts';
import { tempDir } from '../support/temp.ts';

const FORMATS = Object.keys(formats) as FormatName[];

it('makes the very files that the run itself wrote', async () => {
  const directory = tempDir();
  const built = trail().alterLog(3).dropDigest(4).build();
  writeTrail(join(directory, 'bucket'), built);
  writePublicKeys(join(directory, 'keys.json'), built);
  const outputs = (folder: string) =>
    FORMATS.flatMap((name) => ['--output', `${name}=${join(directory, folder, name)}`]);
  const [start, end, now] = [built.range.start, built.range.end, built.range.end + HOUR].map(formatTime);
  const what = ['--directory', join(directory, 'bucket'), '--public-keys', join(directory, 'keys.json')];
  const when = ['--start-time', start ?? '', '--end-time', end ?? '', '--now', now ?? ''];
  expect((await runCli(['verify', ...what, ...when, ...outputs('run'), '--quiet'])).code).toBe(1);

  const converted = await runCli(['convert', join(directory, 'run', 'jsonl'), ...outputs('converted')]);
  expect(converted).toEqual({ code: 0, out: '', err: '' });
  for (const name of FORMATS) {
    expect(readFileSync(join(directory, 'converted', name), 'utf8'), name).toBe(
      readFileSync(join(directory, 'run', name), 'utf8'),
    );
  }
});

it.each(FORMATS)('writes %s to stdout when asked to, and nothing else', async (format) => {
  const file = join(tempDir(), 'run.jsonl');
  const { findings, facts, run } = yearInRegions();
  writeFileSync(file, render('jsonl', findings, { facts, run }));
  const { code, out } = await runCli(['convert', file, '--output', `${format}=-`]);
  expect(code).toBe(0);
  expect(out).toBe(render(format, findings, { facts, run }));
});

it('tells a person what the run found when nothing else is asked', async () => {
  const file = join(tempDir(), 'run.jsonl');
  writeFileSync(file, render('jsonl', hostileFindings()));
  const { code, out } = await runCli(['convert', file]);
  expect(code).toBe(0);
  expect(out).toBe(render('text', hostileFindings()));
});

const LINES = render('jsonl', hostileFindings()).trimEnd().split('\n');

it.each([
  ['without its last line', LINES.slice(0, -1).join('\n'), 'the run was cut off'],
  ['in the middle of a line', LINES.join('\n').slice(0, -20), 'not a JSON object'],
  ['without one finding', [LINES[0], ...LINES.slice(2)].join('\n'), 'the file lists'],
  ['empty', '', 'the run was cut off'],
])('a file %s is refused, and no report made of it', async (_name, content, message) => {
  const directory = tempDir();
  const file = join(directory, 'run.jsonl');
  writeFileSync(file, content);
  const report = join(directory, 'report.xml');
  const { code, out, err } = await runCli(['convert', file, '--output', `junit=${report}`]);
  expect({ code, out }).toEqual({ code: 2, out: '' });
  expect(err).toContain(message);
  expect(existsSync(report)).toBe(false);
  expect(readdirSync(directory)).toEqual(['run.jsonl']);
});

it('a file that is not there is a usage error', async () => {
  const { code, err } = await runCli(['convert', join(tempDir(), 'none.jsonl')]);
  expect(code).toBe(2);
  expect(err).toContain('none.jsonl cannot be read');
});
