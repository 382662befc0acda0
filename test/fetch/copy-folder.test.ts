import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CopyFolder } from '../../src/fetch/copy-folder.ts';
import { unnameable } from '../../src/fetch/file-name.ts';
import { tempDir } from '../support/temp.ts';

describe('unnameable', () => {
  it.each([
    ['AWSLogs/123/x.json.gz', false],
    ['a b/ü/日志', false],
    ['..a/b..', false],
    ['x'.repeat(255), false],
    ['', true],
    ['/a', true],
    ['a/', true],
    ['a//b', true],
    ['../a', true],
    ['a/../../b', true],
    ['a/.', true],
    ['a\0b', true],
    ['a\nb', true],
    ['a\u007fb', true],
    ['a\u0085b', true],
    ['a\ud800b', true],
    ['x'.repeat(256), true],
    ['é'.repeat(128), true],
    ['.trailseal/metadata.jsonl', true],
    ['.TrailSeal/keys.json', true],
  ])('%j: %s', (key, expected) => {
    expect(unnameable(key, false) !== null).toBe(expected);
  });

  it.each(['a\\b', 'a:b', 'a/b.', 'a /b', 'a?'])('%j on Windows only', (key) => {
    expect(unnameable(key, true)).not.toBeNull();
    expect(unnameable(key, false)).toBeNull();
  });
});

const object = (text: string) => ({
  body: Buffer.from(text),
  size: text.length,
  metadata: null,
  lock: null,
  lastModified: 0,
});

/** A file system that takes `AWSLogs` and `awslogs` for the same: what is there keeps the name it was made with. */
function folding(directory: string): CopyFolder {
  const spelled = (path: string): string => {
    const folder = dirname(path) === directory ? directory : spelled(dirname(path));
    return join(folder, basename(path) === 'awslogs' ? 'AWSLogs' : basename(path) === 'LOG' ? 'log' : basename(path));
  };
  return new CopyFolder(directory, spelled);
}

it.each([
  ['a folder', 'awslogs/log', 'awslogs'],
  ['a file', 'AWSLogs/LOG', 'AWSLogs/LOG'],
])('%s that differs only in case is not written over', async (_name, key, there) => {
  const directory = tempDir();
  const folder = folding(directory);
  const first = folder.place('AWSLogs/log');
  if (!first.ok) throw new Error(first.reason);
  await folder.write(first.path, object('first'));
  // Where the test runs the two are different; make the other one be there as well.
  if (there === 'awslogs') mkdirSync(join(directory, there));
  else writeFileSync(join(directory, there), '');
  expect(folder.place(key)).toMatchObject({ ok: false, reason: expect.stringContaining('differs only') });
  expect(readFileSync(join(directory, 'AWSLogs/log'), 'utf8')).toBe('first');
});

it('a key that is a folder of other keys is told, and the other way round', async () => {
  const directory = tempDir();
  const folder = new CopyFolder(directory);
  const file = folder.place('a/b');
  if (!file.ok) throw new Error(file.reason);
  await folder.write(file.path, object('x'));
  expect(folder.place('a')).toMatchObject({ ok: false });
  expect(folder.place('a/b/c')).toMatchObject({ ok: false });
});

it('a body that breaks off leaves nothing', async () => {
  const directory = tempDir();
  const folder = new CopyFolder(directory);
  async function* broken(): AsyncGenerator<Uint8Array> {
    yield await Promise.resolve(Buffer.from('half'));
    throw Object.assign(new Error('reset'), { code: 'ECONNRESET' });
  }
  const placed = folder.place('a');
  if (!placed.ok) throw new Error(placed.reason);
  expect(await folder.write(placed.path, { ...object(''), body: broken() })).toContain('ECONNRESET');
  folder.close();
  expect(existsSync(placed.path)).toBe(false);
  expect(existsSync(join(directory, '.trailseal', 'parts'))).toBe(false);
});
