import { lstatSync, mkdirSync, realpathSync, rmSync, type Stats } from 'node:fs';
import { open, rename, utimes } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { SourceError, type StoredObject } from '../source/source.ts';
import { OWN_FOLDER } from '../source/tree.ts';
import { unnameable } from './file-name.ts';

/** The directory takes no more files, whichever. */
export class FolderError extends Error {
  override readonly name = 'FolderError';
}

/** Where the file of a key belongs, or why there can be none. */
export type Placed =
  | { readonly ok: true; readonly path: string; readonly there: Stats | null }
  | { readonly ok: false; readonly reason: string };

/** Folders known to be rightly spelled; more are not remembered. */
const REMEMBERED = 4096;
const FATAL = new Set(['ENOSPC', 'EDQUOT', 'EROFS']);

/**
 * A directory that objects are copied to as `DIR/<object key>`. A file is there under its name only when it is whole,
 * and nothing is ever written outside: no key leads out, and no link is followed.
 */
export class CopyFolder {
  readonly path: string;
  readonly own: string;
  readonly #real: (path: string) => string;
  readonly #known = new Set<string>();
  #parts = 0;

  /** `real` tells how the file system spells a path that exists. Throws `FolderError`. */
  constructor(directory: string, real: (path: string) => string = realpathSync.native) {
    try {
      mkdirSync(directory, { recursive: true });
      this.path = realpathSync.native(directory);
      this.own = join(this.path, OWN_FOLDER);
      mkdirSync(join(this.own, 'parts'), { recursive: true });
      if (realpathSync.native(this.own) !== this.own) throw new Error(`${this.own} is a link`);
    } catch (error) {
      throw new FolderError(`${directory} cannot be written: ${(error as Error).message}`, { cause: error });
    }
    this.#real = real;
  }

  /** Makes the folders on the way. Throws `FolderError`. */
  place(key: string): Placed {
    const reason = unnameable(key);
    if (reason !== null) return { ok: false, reason };
    const path = join(this.path, key);
    try {
      if (!this.#enter(dirname(path))) return { ok: false, reason: OTHER_NAME };
      const there = lstatSync(path, { throwIfNoEntry: false }) ?? null;
      if (there !== null && (!there.isFile() || this.#real(path) !== path)) {
        return { ok: false, reason: there.isDirectory() ? 'a folder of other keys lies there' : OTHER_NAME };
      }
      return { ok: true, path, there };
    } catch (error) {
      return { ok: false, reason: this.#fault(error) };
    }
  }

  /** A folder that is in the bucket and may have nothing in it that is copied. `folder` ends in `/`. */
  makeFolder(folder: string): void {
    this.place(`${folder}x`);
  }

  /** `null` when the file is there, else why not. Throws `FolderError`. */
  async write(path: string, { body, lastModified }: StoredObject): Promise<string | null> {
    const part = join(this.own, 'parts', String(this.#parts++));
    try {
      const file = await open(part, 'w');
      try {
        if (body instanceof Uint8Array) await file.writeFile(body);
        else for await (const chunk of body) await file.writeFile(chunk);
      } finally {
        await file.close();
      }
      // When it came to the bucket is what tells a log nobody has spoken of yet from one that nobody will.
      await utimes(part, lastModified / 1000, lastModified / 1000);
      await rename(part, path);
      return null;
    } catch (error) {
      rmSync(part, { force: true });
      return this.#fault(error);
    }
  }

  close(): void {
    rmSync(join(this.own, 'parts'), { recursive: true, force: true });
  }

  /** Whether the folder is there under exactly this name, made if need be. */
  #enter(folder: string): boolean {
    if (folder === this.path || this.#known.has(folder)) return true;
    if (!this.#enter(dirname(folder))) return false;
    const there = lstatSync(folder, { throwIfNoEntry: false });
    if (there === undefined) mkdirSync(folder);
    else if (!there.isDirectory() || this.#real(folder) !== folder) return false;
    if (this.#known.size >= REMEMBERED) this.#known.clear();
    this.#known.add(folder);
    return true;
  }

  #fault(error: unknown): string {
    if (error instanceof SourceError) return error.message;
    const { code, message } = error as NodeJS.ErrnoException;
    if (typeof code !== 'string') throw error;
    if (FATAL.has(code)) throw new FolderError(`${this.path} cannot be written: ${message}`, { cause: error });
    return `it cannot be written: ${code}`;
  }
}

const OTHER_NAME = 'a link, or the file of a key that differs only in how it is spelled, is in its way';
