import { execFileSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fileStore } from '../../src/state/file-store.ts';
import { MAX_BYTES, StateError } from '../../src/state/store.ts';
import { storeContract } from './store-contract.ts';

let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'trailseal-state-'));
});
afterAll(() => rm(root, { recursive: true }));

describe('a directory', () => {
  storeContract(async () => {
    const directory = await mkdtemp(join(root, 'case-'));
    return () => fileStore(directory);
  });
});

const owner = (pid: number, host = hostname()): string => JSON.stringify({ host, pid, token: 't' });

it('leaves no lock and no half file behind', async () => {
  const directory = await mkdtemp(join(root, 'case-'));
  await fileStore(directory).save('a/b/c.json', Buffer.from('x'), null);
  expect(await readdir(join(directory, 'a', 'b'))).toEqual(['c.json']);
});

it('a lock of a living run is waited for, then told, and stays', async () => {
  const directory = await mkdtemp(join(root, 'case-'));
  const lock = join(directory, 'c.json.lock');
  await writeFile(lock, owner(process.pid));
  const store = fileStore(directory, { patience: 100 });
  await expect(store.save('c.json', Buffer.from('x'), null)).rejects.toThrow('another run holds');
  expect(await readFile(lock, 'utf8')).toBe(owner(process.pid));
  expect(await store.load('c.json')).toBeNull();
});

it('a lock of another machine is never taken over', async () => {
  const directory = await mkdtemp(join(root, 'case-'));
  await writeFile(join(directory, 'c.json.lock'), owner(999_999_999, 'elsewhere'));
  const store = fileStore(directory, { patience: 50 });
  await expect(store.save('c.json', Buffer.from('x'), null)).rejects.toThrow('elsewhere');
});

it('a lock of a run that died here is taken over', async () => {
  const directory = await mkdtemp(join(root, 'case-'));
  await writeFile(join(directory, 'c.json.lock'), owner(999_999_999));
  expect(await fileStore(directory, { patience: 100 }).save('c.json', Buffer.from('x'), null)).toBe(true);
  expect(await readdir(directory)).toEqual(['c.json']);
});

it('what cannot be read is not taken for absent', async () => {
  const directory = await mkdtemp(join(root, 'case-'));
  await mkdir(join(directory, 'c.json'));
  await expect(fileStore(directory).load('c.json')).rejects.toThrow('cannot be read (EISDIR)');
  await writeFile(join(directory, 'large.json'), Buffer.alloc(MAX_BYTES + 1));
  await expect(fileStore(directory).load('large.json')).rejects.toThrow('too large');
});

it.skipIf(process.getuid?.() === 0)('a directory that may not be written is told', async () => {
  const directory = await mkdtemp(join(root, 'case-'));
  await chmod(directory, 0o500);
  await expect(fileStore(directory).save('c.json', Buffer.from('x'), null)).rejects.toThrow('cannot be written');
});

it.each(['a checkpoint', 'a lock'])('a pipe in the place of %s is never waited for', async (what) => {
  const directory = await mkdtemp(join(root, 'case-'));
  const store = fileStore(directory, { patience: 100 });
  const path = join(directory, what === 'a lock' ? 'c.json.lock' : 'c.json');
  execFileSync('mkfifo', [path]);
  const work = what === 'a lock' ? store.save('c.json', Buffer.from('x'), null) : store.load('c.json');
  await expect(work).rejects.toThrow(StateError);
});
