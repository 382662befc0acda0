import { isUtf8 } from 'node:buffer';
import { constants, type Dirent, lstatSync, openSync, readdirSync, realpathSync, type Stats, statSync } from 'node:fs';
import { dirname, join, resolve, sep } from 'node:path';
import { SourceError } from './source.ts';

/** Where trailseal keeps what it knows of the copy; not part of it. */
export const OWN_FOLDER = '.trailseal';
/** In that folder: user metadata of the objects, and public keys by Region. */
export const METADATA_FILE = 'metadata.jsonl';
export const KEY_FILE = 'keys.json';
const REMEMBERED = 4096;
/** Lacking on Windows. */
const NO_FOLLOW: number | undefined = constants.O_NOFOLLOW;
/** Never follow a link that came after the look at the path, never hang on a pipe. */
export const READ = constants.O_RDONLY | (NO_FOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** Followed, a link could show one folder twice or without end; left out, it would hide what lies there. */
const LINKED_FOLDER = {
  kind: 'denied',
  code: 'LinkedFolder',
  message: 'a symbolic link stands in the place of a folder and is not followed',
} as const;

const UNNAMEABLE = {
  kind: 'error',
  code: 'NameNotUtf8',
  message: 'a folder whose name is not UTF-8 cannot be read by a key',
} as const;

/** What stands in a text for bytes that are no UTF-8. */
const REPLACEMENT = '\ufffd';

export interface Entry {
  readonly name: string;
  readonly isFolder: boolean;
  /** The name is not UTF-8, so it is not told as it is, and no key leads there. */
  readonly unnameable: boolean;
}

/** A directory of which keys name the files, and which no key and no link leads out of. Throws errors of `node:fs` and `SourceError`. */
export class Tree {
  readonly #path: string;
  #realPath: string | null = null;
  /** Folders known to lie in the tree, so that not every file costs a `realpath`. */
  readonly #inside = new Set<string>();
  /** As they are told. */
  readonly #unnameable = new Set<string>();

  constructor(directory: string) {
    this.#path = resolve(directory);
  }

  /** What is in a folder (`''` or ending in `/`); nothing where it is not there. */
  read(folder: string): Entry[] {
    if (this.#unnameable.has(folder)) throw new SourceError(UNNAMEABLE);
    const path = this.#pathOf(folder.replace(/\/$/, ''));
    this.#root();
    if (path === null) return [];
    try {
      this.#checkFolder(path);
      if (path !== this.#path && lstatSync(path).isSymbolicLink()) throw new SourceError(LINKED_FOLDER);
      return this.#entries(path, folder);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'ENOENT' || code === 'ENOTDIR') return [];
      throw error;
    }
  }

  #entries(path: string, folder: string): Entry[] {
    const isFolder = (entry: Dirent | Dirent<Buffer>, name: string) =>
      entry.isDirectory() || (entry.isSymbolicLink() && this.#isLinkedFolder(folder + name));
    const entries = readdirSync(path, { withFileTypes: true });
    if (!entries.some(({ name }) => name.includes(REPLACEMENT))) {
      return entries.map((entry) => ({ name: entry.name, isFolder: isFolder(entry, entry.name), unnameable: false }));
    }
    return readdirSync(path, { withFileTypes: true, encoding: 'buffer' }).map((entry) => {
      const name = entry.name.toString();
      const found = { name, isFolder: isFolder(entry, name), unnameable: !isUtf8(entry.name) };
      if (found.unnameable && found.isFolder) this.#unnameable.add(`${folder}${name}/`);
      return found;
    });
  }

  /** Whether a link stands in the place of a folder. */
  #isLinkedFolder(key: string): boolean {
    try {
      return statSync(join(this.#path, key)).isDirectory();
    } catch {
      return false; // it leads nowhere, or nobody may see where
    }
  }

  /** The file itself for a link that stays in the tree, the link for one that does not. */
  stat(key: string): Stats | undefined {
    const path = join(this.#path, key);
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (!stats?.isSymbolicLink()) return stats;
    try {
      return statSync(this.locate(key));
    } catch {
      return stats;
    }
  }

  /** Opens the file of a key, and says where it really is. */
  open(key: string): { readonly file: number; readonly path: string } {
    const path = NO_FOLLOW === undefined ? this.locate(key) : this.#place(key);
    try {
      return { file: openSync(path, READ), path };
    } catch (error) {
      // A link stands there: the system says so by itself, so that nobody has to look at each file first.
      if ((error as NodeJS.ErrnoException).code !== 'ELOOP') throw error;
      const target = this.locate(key);
      return { file: openSync(target, READ), path: target };
    }
  }

  /** Where the file of a key really is. */
  locate(key: string): string {
    const path = this.#place(key);
    if (!lstatSync(path).isSymbolicLink()) return path;
    const target = realpathSync(path);
    this.#checkFolder(dirname(target));
    return target;
  }

  /** Where the file of a key is, or a link in its place. */
  #place(key: string): string {
    const path = this.#pathOf(key);
    if (path === null) {
      throw new SourceError({
        kind: 'error',
        code: 'ImpossibleKey',
        message: 'no file of a directory can have this key',
      });
    }
    this.#checkFolder(dirname(path));
    return path;
  }

  /** `null` for keys that no file of the copy can have: a directory has no empty names, no `.` and no `..`. */
  #pathOf(key: string): string | null {
    if (key === '') return this.#path;
    const names = key.split('/');
    const impossible = names[0] === OWN_FOLDER || names.some((name) => name === '' || name === '.' || name === '..');
    return impossible || key.includes('\0') || (sep !== '/' && key.includes(sep)) ? null : join(this.#path, ...names);
  }

  #root(): string {
    this.#realPath ??= realpathSync(this.#path);
    return this.#realPath;
  }

  #checkFolder(path: string): void {
    if (this.#inside.has(path)) return;
    const real = realpathSync(path);
    const root = this.#root();
    if (real !== root && !real.startsWith(root.endsWith(sep) ? root : root + sep)) {
      throw new SourceError({
        kind: 'denied',
        code: 'OutsideDirectory',
        message: 'a symbolic link leads out of the directory and is not followed',
      });
    }
    if (this.#inside.size >= REMEMBERED) this.#inside.clear();
    this.#inside.add(path);
  }
}
