import { execFileSync } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import yargs from 'yargs';
import type { Command } from '../../src/commands/command.ts';
import { COMMANDS, commandLine } from '../../src/main.ts';
import { runCli } from '../support/run-cli.ts';
import { tempDir } from '../support/temp.ts';

const BIN = fileURLToPath(new URL('../../bin/trailseal.js', import.meta.url));

const commands = await Promise.all(
  Object.entries(COMMANDS).map(async ([name, { load }]) => [name, await load()] as const),
);

/** What the help of a command shows as examples. */
function examplesOf({ options }: Command): string[] {
  const examples: string[] = [];
  const argv = yargs([]);
  const recorded = Object.assign(argv, {
    example: (line: string) => {
      examples.push(line.replace('$0', 'trailseal'));
      return argv;
    },
  });
  options(recorded as never);
  return examples;
}

const examples = commands.flatMap(([name, command]) => examplesOf(command).map((line) => [name, line] as const));
const ours = examples.filter(([, line]) => line.startsWith('trailseal '));

it.each(commands.map(([name]) => name))('%s shows how it is called', (name) => {
  expect(ours.some(([of, line]) => of === name && line.startsWith(`trailseal ${name}`))).toBe(true);
});

it.each(ours)('%s: %s', async (_name, line) => {
  const called: string[] = [];
  const stubs = new Map(
    commands.map(([name, { options }]) => [
      name,
      {
        options,
        run: () => {
          called.push(name);
          return Promise.resolve(0);
        },
      },
    ]),
  );
  const [, ...argv] = line.split(' ');
  const io = { out: () => undefined, err: () => undefined, env: {} };
  await commandLine(argv, io as never, stubs, () => undefined).parseAsync();
  expect(called).toEqual([argv[0]]);
  // To be pasted as it is: no placeholder, no word that a shell would take apart.
  expect(line).not.toMatch(/\b[A-Z]{2,}\b(?!=)|[…<>$'"*?]/);
});

it.each(commands.map(([name]) => name))('%s --help says what it does and how it ends', (name) => {
  const help = execFileSync(process.execPath, [BIN, name, '--help'], { encoding: 'utf8' });
  expect(help).toContain(`trailseal ${name}`);
  expect(help).toContain('Examples:');
  expect(help).toContain('Exit codes: 0 proven');
});

describe('completion', () => {
  /** What bash would offer behind these words, by the script that `trailseal completion` prints. */
  function offered(...words: string[]): string[] {
    const directory = tempDir();
    const command = join(directory, 'trailseal');
    writeFileSync(command, `#!/bin/sh\nexec "${process.execPath}" "${BIN}" "$@"\n`);
    chmodSync(command, 0o755);
    const script = [
      'source <(trailseal completion)',
      'compopt() { :; }',
      'COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1))',
      '_trailseal_yargs_completions',
      `printf "%s\\n" "\${COMPREPLY[@]}"`,
    ].join('\n');
    const env = { ...process.env, PATH: `${directory}:${process.env['PATH']}`, SHELL: '/bin/bash' };
    const out = execFileSync('bash', ['-c', script, 'bash', 'trailseal', ...words], { env, encoding: 'utf8' });
    return out.trimEnd().split('\n');
  }

  it.each([
    ['commands', ['ver'], ['verify', 'verify-query-results']],
    ['options of a command that is loaded only when called', ['verify', '--inv'], ['--inventory']],
    ['choices of an option', ['verify', '--inventory', 'di'], ['digests']],
    ['options of every command', ['merge', '--ou'], ['--output']],
  ])('offers %s', (_name, words, expected) => {
    expect(offered(...words)).toEqual(expected);
  });

  it('is printed and nothing else', () => {
    const out = execFileSync(process.execPath, [BIN, 'completion'], { encoding: 'utf8', stdio: 'pipe' });
    expect(out).toMatch(/^#+-begin-trailseal-completions-/);
    expect(out).not.toContain('unknown');
  });
});

it('a mistyped completion is a usage error', async () => {
  expect((await runCli(['complet'])).code).toBe(2);
});
