import { closeSync, fstatSync, readSync, type Stats, statSync } from 'node:fs';
import { open as openFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Delegation } from './delegation.ts';
import { fileTrouble } from './file-trouble.ts';
import { compareKeys } from './key-order.ts';
import type { MetadataByKey } from './metadata-manifest.ts';
import {
  type ListedObject,
  type Location,
  type Opened,
  type Requests,
  type Source,
  SourceError,
  type StoredObject,
} from './source.ts';
import { OWN_FOLDER, READ, Tree } from './tree.ts';

/** Files up to this size are read at once; the detour over the thread pool costs more than reading them. */
const SMALL = 256 * 1024;
const CHUNK = 1024 * 1024;
const PAGE = 1000;

export interface DirectoryOptions {
  /** User metadata of the objects; by default that in `.trailseal/metadata.jsonl` of the directory, if it is there. */
  readonly metadata?: MetadataByKey;
}

/**
 * A copy of a bucket on disk: `DIR/<object key>`, as `aws s3 sync` writes it. Its own folder `.trailseal` is not part of
 * the copy. Reads nothing outside the directory: a link that leads out of it is listed but refused.
 */
export async function directorySource(directory: string, options: DirectoryOptions = {}): Promise<Source> {
  const metadata = options.metadata ?? (await besideTheCopy(directory));
  return new DirectorySource(directory, metadata);
}

async function besideTheCopy(directory: string): Promise<MetadataByKey | null> {
  const file = join(directory, OWN_FOLDER, 'metadata.jsonl');
  const there = statSync(file, { throwIfNoEntry: false });
  if (!there) return null;
  // The copy may come from a stranger: a pipe would hold up the run.
  if (!there.isFile())
    throw new SourceError({ kind: 'error', code: 'NotAFile', message: `${file} is no regular file` });
  const { readMetadataManifest } = await import('./metadata-manifest.ts');
  return readMetadataManifest(file);
}

interface Entry {
  /** Ends in `/` if it is a folder. */
  readonly key: string;
  readonly isFolder: boolean;
  /** No key leads there. */
  readonly unnameable: boolean;
}

class DirectorySource implements Source {
  readonly bucket = null;
  readonly requests: Requests = { list: 0, get: 0, bytes: 0 };
  readonly #directory: string;
  readonly #tree: Tree;
  readonly #metadata: MetadataByKey | null;

  constructor(directory: string, metadata: MetadataByKey | null) {
    this.#directory = directory;
    this.#tree = new Tree(directory);
    this.#metadata = metadata;
  }

  async *list(prefix: string, after = ''): AsyncGenerator<readonly ListedObject[]> {
    let page: ListedObject[] = [];
    for (const entry of this.#entries(prefix)) {
      const isOpen = entry.isFolder && !entry.unnameable;
      const isAround = isOpen && after.startsWith(entry.key);
      if (!isAround && compareKeys(entry.key, after) <= 0) continue;
      if (!isOpen) page.push(this.#listed(entry));
      if (page.length < PAGE && !isOpen) continue;
      if (page.length > 0) yield page;
      page = [];
      if (isOpen) yield* this.list(entry.key, isAround ? after : '');
    }
    if (page.length > 0) yield page;
  }

  // biome-ignore lint/suspicious/useAwait: the port is asynchronous, and so are its errors
  async folders(prefix: string): Promise<{ folders: string[]; objects: ListedObject[] }> {
    const entries = this.#entries(prefix);
    return {
      folders: entries.filter((entry) => entry.isFolder).map((entry) => entry.key),
      objects: entries.filter((entry) => !entry.isFolder).map((entry) => this.#listed(entry)),
    };
  }

  versions(): null {
    return null;
  }

  open({ key }: Location): Promise<Opened> {
    this.requests.get++;
    try {
      return Promise.resolve({ ok: true, object: this.#object(key) });
    } catch (error) {
      return Promise.resolve({ ok: false, trouble: fileTrouble(error, key) });
    }
  }

  delegate(): Promise<Delegation> {
    return Promise.resolve({ type: 'directory', directory: this.#directory });
  }

  metadataOf(key: string): Readonly<Record<string, string>> | null {
    if (this.#metadata?.contradicts?.(key)) {
      const message = 'the metadata file says different things of this object; keep the line that is right';
      throw new SourceError({ kind: 'error', code: 'ContradictoryMetadata', message });
    }
    return this.#metadata?.get(key) ?? null;
  }

  close(): Promise<void> {
    this.#metadata?.close?.();
    return Promise.resolve();
  }

  /** What lies in the one folder that holds everything that begins with the prefix, in the order of a listing. */
  #entries(prefix: string): Entry[] {
    const folder = prefix.slice(0, prefix.lastIndexOf('/') + 1);
    this.requests.list++;
    try {
      return this.#tree
        .read(folder)
        .map(({ name, isFolder, unnameable }) => {
          return { key: `${folder}${name}${isFolder ? '/' : ''}`, isFolder, unnameable };
        })
        .filter((entry) => entry.key.startsWith(prefix) && entry.key !== `${OWN_FOLDER}/`)
        .sort((a, b) => compareKeys(a.key, b.key));
    } catch (error) {
      throw new SourceError(fileTrouble(error, folder === '' ? 'the directory' : folder), { cause: error });
    }
  }

  /** What has no key is listed all the same, so that it is told. */
  #listed({ key, unnameable }: Entry): ListedObject {
    // Without the slash, which would make it a marker.
    return unnameable ? { key: key.replace(/\/$/, ''), size: 0, lastModified: 0 } : new ListedFile(key, this.#tree);
  }

  #object(key: string): StoredObject {
    const { file, path } = this.#tree.open(key);
    try {
      const { size, mtimeMs } = statsOfFile(file);
      this.requests.bytes += size;
      return {
        body: size <= SMALL ? readWhole(file, size) : readPieces(path, size),
        size,
        metadata: this.metadataOf(key),
        lock: null,
        lastModified: timeOf(mtimeMs),
      };
    } finally {
      closeSync(file);
    }
  }
}

/** Most files are listed for their names, so the rest is asked for when it is wanted. Throws `SourceError` then. */
class ListedFile implements ListedObject {
  readonly key: string;
  readonly #tree: Tree;
  #stats: Stats | null | undefined;

  constructor(key: string, tree: Tree) {
    this.key = key;
    this.#tree = tree;
  }

  get size(): number {
    return this.#look()?.size ?? 0;
  }

  get lastModified(): number {
    return timeOf(this.#look()?.mtimeMs ?? 0);
  }

  get isGone(): boolean {
    return this.#look() === null;
  }

  #look(): Stats | null {
    try {
      if (this.#stats === undefined) this.#stats = this.#tree.stat(this.key) ?? null;
      return this.#stats;
    } catch (error) {
      throw new SourceError(fileTrouble(error, this.key), { cause: error });
    }
  }
}

const YEAR_10000 = Date.UTC(10_000, 0);

/** Some file systems keep times that no calendar has, and a copy may come from a stranger: those tell nothing. */
function timeOf(mtimeMs: number): number {
  return mtimeMs >= 0 && mtimeMs < YEAR_10000 ? Math.trunc(mtimeMs) : 0;
}

function statsOfFile(file: number): Stats {
  const stats = fstatSync(file);
  if (stats.isDirectory()) throw new SourceError({ kind: 'absent', code: 'EISDIR', message: 'this is a folder' });
  if (!stats.isFile())
    throw new SourceError({ kind: 'error', code: 'NotAFile', message: 'this is not a regular file' });
  return stats;
}

function readWhole(file: number, size: number): Uint8Array {
  const body = Buffer.allocUnsafe(size);
  for (let at = 0; at < size; ) {
    const read = readSync(file, body, at, size - at, null);
    if (read === 0) throw shorter(size, at);
    at += read;
  }
  return body;
}

async function* readPieces(path: string, size: number): AsyncGenerator<Uint8Array> {
  const file = await openFile(path, READ);
  try {
    for (let at = 0; at < size; ) {
      const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(CHUNK), 0, Math.min(CHUNK, size - at), null);
      if (bytesRead === 0) throw shorter(size, at);
      at += bytesRead;
      yield buffer.subarray(0, bytesRead);
    }
  } catch (error) {
    throw error instanceof SourceError ? error : new SourceError(fileTrouble(error, path), { cause: error });
  } finally {
    await file.close();
  }
}

function shorter(size: number, read: number): SourceError {
  return new SourceError({
    kind: 'error',
    code: 'Truncated',
    message: `the file ended after ${read} of ${size} bytes`,
  });
}
