import { type CheckpointStore, StateError } from './store.ts';

/** The file that names the checkpoints of a place, one a line: a checkpoint that is gone leaves no trace of itself. */
export const ROLL = 'chains.txt';

/** Other runs may add to it at the same time. */
const TRIES = 5;

/** `null` where there is none. Throws `StateError`. */
export async function readRoll(store: CheckpointStore): Promise<string[] | null> {
  const stored = await store.load(ROLL);
  return stored === null ? null : linesOf(stored.bytes);
}

/** Adds names; takes none away. Returns why it could not, or `null`. */
export async function enroll(store: CheckpointStore, names: readonly string[]): Promise<string | null> {
  try {
    for (let n = 0; n < TRIES; n++) {
      const stored = await store.load(ROLL);
      const known = stored === null ? [] : linesOf(stored.bytes);
      const all = [...new Set([...known, ...names])].sort();
      if (stored !== null && all.length === known.length) return null;
      if (await store.save(ROLL, Buffer.from(`${all.join('\n')}\n`), stored?.version ?? null)) return null;
    }
    return `${store.place(ROLL)}: other runs keep writing it; a checkpoint that goes missing may not be missed`;
  } catch (error) {
    if (error instanceof StateError) return error.message;
    throw error;
  }
}

function linesOf(bytes: Buffer): string[] {
  return [...new Set(bytes.toString('utf8').split(/\r?\n/))].filter((line) => line !== '');
}
