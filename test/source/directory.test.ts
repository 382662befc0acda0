import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { directorySource } from '../../src/source/directory.ts';
import { each } from '../../src/source/pages.ts';
import { readObject } from '../../src/source/reading.ts';
import { type Source, SourceError } from '../../src/source/source.ts';
import { sourceContract } from '../support/source-contract.ts';

async function put(directory: string, key: string, body: Uint8Array | string, lastModified?: number): Promise<void> {
  const path = join(directory, key);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, body);
  if (lastModified !== undefined) await utimes(path, lastModified / 1000, lastModified / 1000);
}

async function keys(source: Source, prefix = ''): Promise<string[]> {
  const found: string[] = [];
  for await (const { key } of each(source.list(prefix))) found.push(key);
  return found;
}

sourceContract('directory', { locks: false, anyKey: false, versions: false }, async (objects) => {
  const directory = await mkdtemp(join(tmpdir(), 'trailseal-'));
  for (const { key, body, lastModified } of objects) await put(directory, key, body, lastModified);
  const lines = objects.map(({ key, metadata }) => JSON.stringify({ key, metadata }));
  await put(directory, '.trailseal/metadata.jsonl', `${lines.join('\n')}\n`);
  return {
    source: await directorySource(directory),
    dispose: () => rm(directory, { recursive: true }),
  };
});

describe('a directory', () => {
  let around: string;
  let directory: string;
  const open = async (key: string) => (await directorySource(directory)).open({ bucket: 'any', key });
  const troubleAt = async (key: string) => {
    const opened = await open(key);
    return opened.ok ? 'opened' : `${opened.trouble.kind} ${opened.trouble.code}`;
  };

  beforeEach(async () => {
    around = await mkdtemp(join(tmpdir(), 'trailseal-'));
    directory = join(around, 'copy');
    await mkdir(directory);
    await writeFile(join(around, 'secret'), 'outside');
  });
  afterEach(async () => {
    await rm(around, { recursive: true });
  });

  test('that is not there is an error, not an empty trail', async () => {
    const source = await directorySource(join(around, 'nowhere'));
    for (const asked of [() => keys(source), () => keys(source, 'AWSLogs/'), () => source.folders('')]) {
      await expect(asked()).rejects.toThrow(SourceError);
    }
  });

  test('keeps metadata null without a manifest, or for what is not in it', async () => {
    await put(directory, 'a', 'x');
    expect(await open('a')).toMatchObject({ ok: true, object: { metadata: null } });
    const source = await directorySource(directory, { metadata: new Map([['b', {}]]) });
    expect(await source.open({ bucket: '', key: 'a' })).toMatchObject({ ok: true, object: { metadata: null } });
  });

  test('does not show its own folder, but a folder of that name deeper down', async () => {
    await put(directory, '.trailseal/metadata.jsonl', '');
    await put(directory, 'deep/.trailseal/x', '');
    const source = await directorySource(directory);
    expect(await keys(source)).toEqual(['deep/.trailseal/x']);
    expect(await keys(source, '.trailseal/')).toEqual([]);
    expect(await troubleAt('.trailseal/metadata.jsonl')).toBe('error ImpossibleKey');
  });

  test('a pipe in the place of the manifest is never waited for', async () => {
    await put(directory, '.trailseal/x', '');
    execFileSync('mkfifo', [join(directory, '.trailseal', 'metadata.jsonl')]);
    await expect(directorySource(directory)).rejects.toThrow(/no regular file/);
  });

  test.each([
    '{"key": 1}',
    'nonsense',
    '{"key": "a", "metadata": {"x": 1}}',
    '{"key": "b", "key": "a", "metadata": {}}',
    '{"key": "a", "metadata": {"signature": "00"}, "metadata": {"signature": "01"}}',
  ])('refuses a manifest with %s', async (line) => {
    await put(directory, '.trailseal/metadata.jsonl', `{"key": "a", "metadata": {}}\n\n${line}\n`);
    await expect(directorySource(directory)).rejects.toThrow(/line 3 of/);
  });

  test('finds each line of a manifest that is read in pieces, whatever ends its lines', async () => {
    const keysOf = Array.from({ length: 3000 }, (_, n) => `é/日本/${n}`);
    const lines = keysOf.map((key, n) => {
      const text = JSON.stringify({ key, metadata: { signature: `${n}`.padStart(40, '0') } });
      return `${text}${n % 3 === 0 ? '\r\n' : n % 7 === 0 ? '\n\n' : '\n'}`;
    });
    await put(directory, '.trailseal/metadata.jsonl', lines.join('').trimEnd());
    const source = await directorySource(directory);
    const found = keysOf.map((key) => source.metadataOf?.(key)?.['signature']);
    expect(found).toEqual(keysOf.map((_, n) => `${n}`.padStart(40, '0')));
    expect(source.metadataOf?.('é/日本/3000')).toBeNull();
    await source.close();
  });

  test('keeps no line of a manifest, and tells when it was changed', async () => {
    await put(directory, 'a', 'x');
    const line = JSON.stringify({ key: 'a', metadata: { signature: '00' } });
    await put(directory, '.trailseal/metadata.jsonl', line);
    const source = await directorySource(directory);
    await writeFile(join(directory, '.trailseal/metadata.jsonl'), line.replace('{', '['));
    const opened = await source.open({ bucket: '', key: 'a' });
    expect(opened).toMatchObject({ ok: false, trouble: { kind: 'error', code: 'BadMetadata' } });
    await source.close();
  });

  describe('a manifest that has several lines for one object', () => {
    const line = (key: string, signature: string) => `${JSON.stringify({ key, metadata: { Signature: signature } })}\n`;

    test('that say the same is as good as one', async () => {
      await put(directory, 'a', 'x');
      await put(directory, '.trailseal/metadata.jsonl', line('a', '00').repeat(2));
      expect(await open('a')).toMatchObject({ ok: true, object: { metadata: { signature: '00' } } });
    });

    test('that differ is believed in neither, and for that object only', async () => {
      await put(directory, 'a', 'x');
      await put(directory, 'b', 'x');
      const lines = [line('a', '00'), line('b', '00'), line('a', '01'), line('a', '00')];
      await put(directory, '.trailseal/metadata.jsonl', lines.join(''));
      expect(await troubleAt('a')).toBe('error ContradictoryMetadata');
      expect(await open('b')).toMatchObject({ ok: true, object: { metadata: { signature: '00' } } });
    });

    test('of a line that gives a name twice believes neither, and the other objects', async () => {
      await put(directory, 'a', 'x');
      await put(directory, 'b', 'x');
      const twice = '{"key":"a","metadata":{"signature":"00","signature":"01"}}\n';
      await put(directory, '.trailseal/metadata.jsonl', twice + line('b', '00'));
      expect(await troubleAt('a')).toBe('error ContradictoryMetadata');
      expect(await open('b')).toMatchObject({ ok: true, object: { metadata: { signature: '00' } } });
    });

    test('of a line that gives a name in letters of two cases believes neither', async () => {
      await put(directory, 'a', 'x');
      const metadata = { signature: '00', Signature: '01' };
      await put(directory, '.trailseal/metadata.jsonl', `${JSON.stringify({ key: 'a', metadata })}\n`);
      expect(await troubleAt('a')).toBe('error ContradictoryMetadata');
    });
  });

  test.each(['../secret', 'a/../../secret', '/etc/hostname', './a', 'a//b', 'a/', 'nul\0byte'])(
    'has no file for the key %j',
    async (key) => {
      await put(directory, 'a/b', 'x');
      expect(await troubleAt(key)).toBe('error ImpossibleKey');
    },
  );

  test.each(['..', '../', '../copy/', '/', 'a//'])('lists nothing under %j', async (prefix) => {
    await put(directory, 'a/b', 'x');
    expect(await keys(await directorySource(directory), prefix)).toEqual([]);
  });

  test('follows links within, refuses links that lead out, and lists both', async () => {
    await put(directory, 'a/file', 'inside');
    await mkdir(join(around, 'other'));
    await put(around, 'other/file', 'outside');
    await symlink('a/file', join(directory, 'good'));
    await symlink('../secret', join(directory, 'bad'));
    await symlink('nowhere', join(directory, 'dangling'));
    const source = await directorySource(directory);
    expect(await keys(source)).toEqual(['a/file', 'bad', 'dangling', 'good']);
    expect(await readObject(source, { bucket: '', key: 'good' }, { keep: true })).toMatchObject({
      kind: 'content',
      content: Buffer.from('inside'),
    });
    expect(await troubleAt('bad')).toBe('denied OutsideDirectory');
    expect(await troubleAt('dangling')).toBe('absent ENOENT');
  });

  test.each([
    ['outside', '../other', /leads out/],
    ['inside', 'a', /in the place of a folder/],
  ])('never leaves out a folder that is a link (%s): listing it is refused', async (_name, target, message) => {
    await put(directory, 'a/file', 'inside');
    await mkdir(join(around, 'other'));
    await put(around, 'other/file', 'outside');
    await symlink(target, join(directory, 'folder'));
    const source = await directorySource(directory);
    expect((await source.folders('')).folders).toEqual(['a/', 'folder/']);
    await expect(source.folders('folder/')).rejects.toThrow(message);
    await expect(keys(source)).rejects.toThrow(message);
  });

  test.skipIf(process.platform !== 'linux')('lists what has no key, and opens none of it', async () => {
    const path = (name: string) => Buffer.concat([Buffer.from(`${directory}/`), Buffer.from(name, 'latin1')]);
    await put(directory, 'a/\ufffd', 'so named');
    await put(directory, 'z', 'x');
    await writeFile(path('a/\xff'), 'not UTF-8');
    await mkdir(path('b\xff'));
    await writeFile(path('b\xff/x'), 'x');
    const source = await directorySource(directory);
    expect(await keys(source)).toEqual(['a/\ufffd', 'a/\ufffd', 'b\ufffd', 'z']);
    expect((await source.folders('')).folders).toEqual(['a/', 'b\ufffd/']);
    await expect(source.folders('b\ufffd/')).rejects.toMatchObject({ trouble: { kind: 'error', code: 'NameNotUtf8' } });
    expect(await troubleAt('a/\ufffd')).toBe('opened');
    expect(await troubleAt('b\ufffd/x')).toBe('absent ENOENT');
  });

  test('says of a file that it has gone since it was listed', async () => {
    await put(directory, 'a', '');
    await put(directory, 'b', '');
    const pages = (await directorySource(directory)).list('');
    const { value = [] } = await pages[Symbol.asyncIterator]().next();
    await rm(join(directory, 'a'));
    expect(value).toMatchObject([
      { key: 'a', isGone: true, size: 0 },
      { key: 'b', isGone: false, size: 0 },
    ]);
  });

  test('may itself be reached by a link', async () => {
    await put(directory, 'a/file', 'x');
    await symlink('copy', join(around, 'link'));
    expect(await keys(await directorySource(join(around, 'link')), 'a/')).toEqual(['a/file']);
  });

  test.skipIf(process.getuid?.() === 0)('tells a refusal from an absence', async () => {
    await put(directory, 'closed/file', 'x');
    await put(directory, 'unreadable', 'x');
    await chmod(join(directory, 'unreadable'), 0);
    await chmod(join(directory, 'closed'), 0);
    expect(await troubleAt('unreadable')).toBe('denied EACCES');
    expect(await troubleAt('closed/file')).toBe('denied EACCES');
    await expect(keys(await directorySource(directory), 'closed/')).rejects.toMatchObject({
      trouble: { kind: 'denied' },
    });
    await chmod(join(directory, 'closed'), 0o700);
  });

  test('lists a folder of thousands in pages, with what lies around it', async () => {
    const names = Array.from({ length: 2500 }, (_, n) => `logs/${n + 1e6}`);
    await put(directory, 'logs/1', '');
    for (const key of names) await writeFile(join(directory, key), '');
    await put(directory, 'logs/1001500-/x', '');
    const all = ['logs/1', ...names.slice(0, 1501), 'logs/1001500-/x', ...names.slice(1501)];
    const source = await directorySource(directory);
    const pages: string[][] = [];
    for await (const page of source.list('logs/')) pages.push(page.map(({ key }) => key));
    expect(pages.flat()).toEqual(all);
    expect(pages.map(({ length }) => length)).toEqual([1000, 502, 1, 999]);
    const behind: string[] = [];
    for await (const { key } of each(source.list('logs/', names[1200]))) behind.push(key);
    expect(behind).toEqual(all.slice(1202));
  });

  test('lists what comes before a folder that is refused', async () => {
    await put(directory, 'a', '');
    await symlink('.', join(directory, 'b'));
    const source = await directorySource(directory);
    const found: string[] = [];
    const list = async () => {
      for await (const { key } of each(source.list(''))) found.push(key);
    };
    await expect(list()).rejects.toThrow(/in the place of a folder/);
    expect(found).toEqual(['a']);
  });

  // A file system in memory keeps any time; those of disks mostly do not.
  test.skipIf(!existsSync('/dev/shm'))('takes a time that no calendar has for none', async () => {
    const folder = await mkdtemp('/dev/shm/trailseal-');
    try {
      await put(folder, 'a', 'x');
      await utimes(join(folder, 'a'), 1e14, 1e14);
      const source = await directorySource(folder);
      for await (const { lastModified } of each(source.list(''))) expect(lastModified).toBe(0);
      expect(await source.open({ bucket: '', key: 'a' })).toMatchObject({ object: { lastModified: 0 } });
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  test('reads only the folders that a prefix needs', async () => {
    for (const day of ['01', '02', '03']) await put(directory, `logs/${day}/x`, 'x');
    const source = await directorySource(directory);
    expect(await keys(source, 'logs/02/')).toEqual(['logs/02/x']);
    expect(source.requests.list).toBe(1);
  });
});
