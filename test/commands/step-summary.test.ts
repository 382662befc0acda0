import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type FormatName, formats } from '../../src/report/formats.ts';
import { finding, render } from '../report/sample.ts';
import { runCli } from '../support/run-cli.ts';
import { tempDir } from '../support/temp.ts';

/** A run that judges and needs no more than an empty directory and no keys: it finds nothing. */
function emptyRun(): string[] {
  const directory = tempDir();
  writeFileSync(join(directory, 'keys.json'), '{}');
  const place = ['--directory', directory, '--public-keys', join(directory, 'keys.json')];
  return ['verify', ...place, '--now', '2026-03-01', '--since', '1d', '--quiet'];
}

describe('GITHUB_STEP_SUMMARY', () => {
  it('gets the report in Markdown behind what is there', async () => {
    const page = join(tempDir(), 'summary.md');
    writeFileSync(page, 'from an earlier command\n');
    const { code, out } = await runCli(emptyRun(), { env: { GITHUB_STEP_SUMMARY: page } });
    expect(code).toBe(1);
    expect(out).toContain('FAILED');
    const text = readFileSync(page, 'utf8');
    expect(text).toMatch(/^from an earlier command\n## ❌ FAILED\n/);
    expect(text).toContain('<b>coverage-nothing-found</b>');
  });

  it('is left alone when it is full, which is told', async () => {
    const page = join(tempDir(), 'summary.md');
    writeFileSync(page, 'x'.repeat(1024 * 1024 - 1000));
    const { code, err } = await runCli(emptyRun(), { env: { GITHUB_STEP_SUMMARY: page } });
    expect(code).toBe(1);
    expect(err).toContain('summary of the step: it is full');
    expect(statSync(page).size).toBe(1024 * 1024 - 1000);
  });

  it('never grows past what GitHub takes', async () => {
    const page = join(tempDir(), 'summary.md');
    const before = 1024 * 1024 - 5000;
    writeFileSync(page, 'x'.repeat(before));
    await runCli(emptyRun(), { env: { GITHUB_STEP_SUMMARY: page } });
    expect(statSync(page).size).toBeGreaterThan(before);
    expect(statSync(page).size).toBeLessThan(1024 * 1024);
  });

  it('that cannot be written is told, and the run goes on', async () => {
    const { code, err } = await runCli(emptyRun(), { env: { GITHUB_STEP_SUMMARY: join(tempDir(), 'no', 'such') } });
    expect(code).toBe(1);
    expect(err).toContain('nothing is added to the summary of the step');
  });

  it('is not written by convert, which judges nothing', async () => {
    const directory = tempDir();
    writeFileSync(join(directory, 'run.jsonl'), render('jsonl', []));
    const page = join(directory, 'summary.md');
    await runCli(['convert', join(directory, 'run.jsonl')], { env: { GITHUB_STEP_SUMMARY: page } });
    expect(statSync(page, { throwIfNoEntry: false })).toBeUndefined();
  });
});

/** What the runner of GitHub obeys: `::name` at the beginning of a line, spaces before it or not, and `##[name` anywhere. */
const COMMAND = /^\s*::|##\[/;
const COMMANDS = [
  '::error::x',
  '  ::set-output name=a::b',
  '\n::stop-commands::t',
  '##[error]x',
  'a ##[set-env name=b]',
  '\u2028::x',
  '\u0085::x',
];
const cases = (Object.keys(formats) as FormatName[]).flatMap((format) =>
  COMMANDS.map((text) => [format, text] as const),
);

it.each(cases)('%s on stdout holds no command of a CI runner: %j', (format, text) => {
  const subject = { type: 'log', account: text, region: text, trail: text, bucket: text, key: text } as const;
  const findings = (['fail', 'inconclusive', 'pass', 'waived', 'not-applicable'] as const).map((outcome) =>
    finding({
      control: text,
      subject,
      outcome,
      message: text,
      remedy: text,
      references: [text],
      evidence: { [text]: text, list: [text] },
      waiver: outcome === 'waived' ? { id: text, reason: text, acceptedBy: text, owner: text, expires: text } : null,
    }),
  );
  const written = render(format, findings, { options: { verbose: true } });
  expect(written.split(/\r\n|[\n\r]/).filter((line) => COMMAND.test(line))).toEqual([]);
});
