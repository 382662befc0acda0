import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { ListKeys, ServedKey } from '../keys/key-source.ts';
import { formatSavedKeys, parseSavedKeys, SavedKeysError } from '../keys/saved-keys.ts';
import { SourceError } from '../source/source.ts';
import { asideOf } from '../state/aside.ts';

/** Keys by Region. */
export type KeyRing = Map<string, ServedKey[]>;

/** The file that is there holds something else than keys by Region. */
export class KeyFileError extends Error {
  override readonly name = 'KeyFileError';
}

/** The keys of a Region that sign digests in that stretch (epoch milliseconds). */
export interface WantedKeys {
  readonly region: string;
  readonly from: number;
  readonly to: number;
}

export interface KeysAnswer {
  readonly region: string;
  /** Keys that CloudTrail listed. */
  readonly listed: number;
  /** Why there are none; `null` where there are some. */
  readonly trouble: string | null;
}

/** Keys live 30 days and their windows overlap: this much to each side finds the key of a digest at the edge. */
const MARGIN = 35 * 24 * 3_600_000;

/** Asks for keys, Region by Region, and adds them to the ring. Never throws for a trouble of the world. */
export async function collectKeys(ring: KeyRing, wanted: Iterable<WantedKeys>, list: ListKeys): Promise<KeysAnswer[]> {
  const answers: KeysAnswer[] = [];
  for (const { region, from, to } of wanted) {
    try {
      const keys = await list(region, from - MARGIN, to + MARGIN);
      ring.set(region, union(ring.get(region) ?? [], keys));
      answers.push({ region, listed: keys.length, trouble: keys.length > 0 ? null : 'CloudTrail lists none' });
    } catch (error) {
      if (!(error instanceof SourceError)) throw error;
      answers.push({ region, listed: 0, trouble: error.message });
    }
  }
  return answers;
}

/** Two keys that agree in fingerprint and bytes are one; whichever lie first stay. */
function union(old: readonly ServedKey[], more: readonly ServedKey[]): ServedKey[] {
  const all = [...old];
  for (const key of more) {
    const known = all.some(({ fingerprint, value }) => fingerprint === key.fingerprint && value.equals(key.value));
    if (!known) all.push(key);
  }
  return all;
}

/** What the file holds; nothing where there is none. Throws `KeyFileError`. */
export async function readKeyRing(file: string): Promise<KeyRing> {
  const ring: KeyRing = new Map();
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return ring;
    throw new KeyFileError(`${file} cannot be read: ${(error as Error).message}`, { cause: error });
  }
  let saved: ReturnType<typeof parseSavedKeys>;
  try {
    saved = parseSavedKeys(text);
  } catch (error) {
    if (!(error instanceof SavedKeysError)) throw error;
    throw new KeyFileError(`${file} is there and is no file of public keys to add to (${error.message})`, {
      cause: error,
    });
  }
  for (const { region, key } of saved) {
    if (region === null) throw new KeyFileError(`${file} holds keys without their Region, which cannot be added to`);
    ring.set(region, [...(ring.get(region) ?? []), key]);
  }
  return ring;
}

/** Under its name only when it is whole. Throws what the file system throws. */
export async function writeKeyRing(file: string, ring: KeyRing): Promise<void> {
  const aside = asideOf(file);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(aside, formatSavedKeys(ring));
  if (aside !== file) await rename(aside, file);
}
