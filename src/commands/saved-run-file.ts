import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { meaning } from '../chain/meaning.ts';
import { lakeMeaning } from '../lake/meaning.ts';
import type { Outcome } from '../report/finding.ts';
import { type SavedEntry, SavedRunError, savedRun } from '../report/parse.ts';
import { UsageError } from './command.ts';

const MEANINGS: Readonly<Record<string, { readonly outcome: Outcome }>> = { ...meaning, ...lakeMeaning };

/** Of posture's controls all are listed. */
const mayPass = (kind: string): boolean => !Object.hasOwn(MEANINGS, kind) || MEANINGS[kind]?.outcome === 'pass';

/**
 * The lines of a file that `--output jsonl=…` wrote, one by one; after the last, throws `SavedRunError` where the run was
 * cut off. Throws `UsageError` where the file cannot be read.
 */
export async function* readSavedRun(file: string): AsyncGenerator<SavedEntry> {
  const reader = savedRun(mayPass);
  try {
    for await (const line of createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY })) {
      yield reader.read(line);
    }
  } catch (error) {
    if (error instanceof SavedRunError || typeof (error as NodeJS.ErrnoException).code !== 'string') throw error;
    throw new UsageError(`${file} cannot be read: ${(error as Error).message}`, { cause: error });
  }
  reader.end();
}
