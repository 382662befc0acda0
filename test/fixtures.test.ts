import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { parseJsonl, runCli } from './support/run-cli.ts';

const TRAILS = fileURLToPath(new URL('../fixtures/trails/', import.meta.url));

it.each(readdirSync(TRAILS))('%s', async (name) => {
  const expected = JSON.parse(readFileSync(`${TRAILS}${name}/expect.json`, 'utf8'));
  const where = ['--directory', `${TRAILS}${name}/bucket`, '--public-keys', `${TRAILS}${name}/keys.json`];
  const range = ['--start-time', expected.startTime, '--end-time', expected.endTime, '--now', expected.now];
  const { code, out } = await runCli(['verify', ...where, ...range, '--output', 'jsonl=-', '--quiet']);
  expect(parseJsonl(out).summary.verdicts, expected.sentence).toEqual(expected.verdicts);
  expect(code).toBe(expected.exitCode);
});
