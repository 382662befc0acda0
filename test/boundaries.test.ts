import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const SRC = fileURLToPath(new URL('../src', import.meta.url));

/** Folders that judge: they see values, never the world. */
const PURE = ['json', 'chain', 'lake', 'posture', 'events', 'report'];
/** Libraries that only compute. */
const COMPUTING = ['node:crypto', 'xmlbuilder2', 'picocolors', 'zod'];
/** What reaches outside without an import. */
const OUTSIDE = /\bprocess\.|\bDate\.now\(|\bnew Date\(\)|\bMath\.random\(|\bfetch\(|\bsetTimeout\(|\bimport\((?!')/;

interface Source {
  readonly path: string;
  readonly folder: string;
  readonly code: string;
  /** Packages by name, files of ours by their path below `src`. */
  readonly imports: readonly string[];
}

function sources(): Source[] {
  return readdirSync(SRC, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .map((path) => {
      const text = readFileSync(join(SRC, path), 'utf8');
      const code = text.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
      const named = [...code.matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].map(([, name = '']) => name);
      const imports = named.map((name) => (name.startsWith('.') ? normalize(join(dirname(path), name)) : name));
      return { path, folder: path.split('/')[0] ?? '', code, imports };
    });
}

const all = sources();

describe.each(PURE)('src/%s is pure', (folder) => {
  const files = all.filter((file) => file.folder === folder);

  it.each(files)('$path', ({ code, imports }) => {
    const foreign = imports.filter((name) => !COMPUTING.includes(name) && !PURE.includes(name.split('/')[0] ?? ''));
    expect(foreign).toEqual([]);
    expect(code).not.toMatch(OUTSIDE);
  });
});

/** A folder may use what stands before it in its own line of this table, and itself. */
const MAY_USE: Readonly<Record<string, readonly string[]>> = {
  report: [],
  json: [],
  chain: ['json', 'report'],
  lake: ['chain', 'json', 'report'],
  stream: [],
  source: ['json', 'stream', 'aws'],
  keys: ['chain', 'report'],
  events: [],
  verify: ['json', 'chain', 'events', 'lake', 'keys', 'source', 'stream', 'report'],
  demo: ['chain'],
  fetch: ['json', 'chain', 'keys', 'source', 'state', 'stream', 'verify'],
};

it.each(Object.entries(MAY_USE))('src/%s uses only %j', (folder, allowed) => {
  const used = all
    .filter((file) => file.folder === folder)
    .flatMap(({ imports }) => imports.filter((name) => name.endsWith('.ts')).map((name) => name.split('/')[0] ?? ''));
  expect([...new Set(used)].filter((name) => name !== folder && !allowed.includes(name))).toEqual([]);
});

it('nothing but main uses the commands', () => {
  const users = all.filter(
    ({ folder, imports }) => folder !== 'commands' && imports.some((name) => name.startsWith('commands/')),
  );
  expect(users.map(({ path }) => relative('.', path))).toEqual(['main.ts']);
});
