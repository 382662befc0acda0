import { lstatSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { asideOf } from '../../src/state/aside.ts';
import { runCli } from '../support/run-cli.ts';
import { tempDir } from '../support/temp.ts';

it('a file is written aside, a device as it is', () => {
  const directory = tempDir();
  const file = join(directory, 'a.xml');
  expect(asideOf(file)).not.toBe(file);
  writeFileSync(file, '');
  expect(asideOf(file)).not.toBe(file);
  expect(asideOf('/dev/null')).toBe('/dev/null');
});

it('an output to a device leaves the device where it is', async () => {
  const directory = tempDir();
  // By a link of its own, so that a mistake here could replace the link and not the machine's device.
  const sink = join(directory, 'sink');
  symlinkSync('/dev/null', sink);
  const { code } = await runCli([
    'status',
    '--checkpoint',
    join(directory, 'none'),
    '--output',
    `text=${sink}`,
    '--output',
    'jsonl=-',
  ]);
  expect(code).toBe(3);
  expect(lstatSync(sink).isSymbolicLink()).toBe(true);
  expect(readdirSync(directory)).toEqual(['sink']);
});
