import { createHash, randomUUID } from 'node:crypto';
import { mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname, join, sep } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readRegular } from '../stream/regular-file.ts';
import { type CheckpointStore, MAX_BYTES, StateError, type Stored } from './store.ts';

export interface FileStoreOptions {
  /** How long to wait for another run that is writing at this moment, milliseconds. */
  readonly patience?: number;
}

/** Checkpoints as files below a directory. */
export function fileStore(directory: string, { patience = 5_000 }: FileStoreOptions = {}): CheckpointStore {
  const pathOf = (name: string): string => join(directory, ...name.split('/'));

  async function load(name: string): Promise<Stored | null> {
    const path = pathOf(name);
    try {
      const bytes = await readRegular(path, MAX_BYTES);
      if (bytes === null) throw new StateError(`${path} is too large for a checkpoint`);
      return { bytes, version: createHash('sha256').update(bytes).digest('hex') };
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return null;
      throw error instanceof StateError ? error : new StateError(`${path} cannot be read (${codeOf(error)})`);
    }
  }

  return {
    place: pathOf,
    load,
    async save(name, bytes, expected) {
      const path = pathOf(name);
      try {
        await mkdir(dirname(path), { recursive: true });
        const release = await lock(`${path}.lock`, patience);
        try {
          if (((await load(name))?.version ?? null) !== expected) return false;
          await writeWhole(path, bytes);
          return true;
        } finally {
          await release();
        }
      } catch (error) {
        throw error instanceof StateError ? error : new StateError(`${path} cannot be written (${codeOf(error)})`);
      }
    },
    async names() {
      try {
        const found = await readdir(directory, { recursive: true });
        return found
          .filter((name) => name.endsWith('.json'))
          .map((name) => name.split(sep).join('/'))
          .sort();
      } catch (error) {
        if (codeOf(error) === 'ENOENT') return [];
        throw new StateError(`${directory} cannot be listed (${codeOf(error)})`);
      }
    },
  };
}

/** The file is whole under its name or not there at all, also when the power fails. */
async function writeWhole(path: string, bytes: Uint8Array): Promise<void> {
  const aside = `${path}.${randomUUID()}.tmp`;
  try {
    const file = await open(aside, 'wx', 0o600);
    try {
      await file.writeFile(bytes);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(aside, path);
  } finally {
    await rm(aside, { force: true });
  }
}

/** Gives the function that releases it, which removes this lock and no other. Throws `StateError` when it stays taken. */
async function lock(path: string, patience: number): Promise<() => Promise<void>> {
  const owner = JSON.stringify({ host: hostname(), pid: process.pid, token: randomUUID() });
  for (let waited = 0; ; waited += 50) {
    try {
      const file = await open(path, 'wx', 0o600);
      await file.writeFile(owner);
      await file.close();
      return async () => {
        if ((await readOwner(path)) === owner) await rm(path, { force: true });
      };
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error;
    }
    const other = await readOwner(path);
    if (other !== null && isDead(other)) {
      // Renaming is atomic: of two runs that find the same dead owner, one gets the file and the other finds none.
      const grave = `${path}.${randomUUID()}`;
      await rename(path, grave).catch(() => undefined);
      await rm(grave, { force: true });
      continue;
    }
    if (waited >= patience) {
      throw new StateError(`another run holds ${path} (${other ?? 'unknown owner'}); remove it if that run is gone`);
    }
    await sleep(50);
  }
}

async function readOwner(path: string): Promise<string | null> {
  try {
    return (await readRegular(path, MAX_BYTES))?.toString('utf8') ?? null;
  } catch {
    return null;
  }
}

/** Only of a process on this machine can it be known. */
function isDead(owner: string): boolean {
  try {
    const { host, pid } = JSON.parse(owner) as { readonly host?: unknown; readonly pid?: unknown };
    if (host !== hostname() || typeof pid !== 'number') return false;
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return codeOf(error) === 'ESRCH';
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error);
}
