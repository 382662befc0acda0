import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { Range } from '../chain/coverage.ts';
import type { Verdict } from '../chain/verdict.ts';
import { type KeySource, savedKeys } from '../keys/key-source.ts';
import { type DirectoryOptions, directorySource } from '../source/directory.ts';
import { type Source, SourceError } from '../source/source.ts';
import { KEY_FILE, OWN_FOLDER } from '../source/tree.ts';
import type { Scope } from '../verify/scope.ts';
import { UsageError } from './command.ts';
import { scopeOf, type VerifyOptions } from './verify-options.ts';

/** A place to prove: one bucket, or one copy on disk. */
export interface Target {
  readonly source: Source;
  /** Another bucket of the same store, for chains that were moved. */
  readonly sourceOf?: (bucket: string) => Source;
  readonly scope: Scope;
  readonly keys: (range: Range) => KeySource;
}

export interface Targets {
  readonly targets: readonly Target[];
  /** About trails whose bucket could not be found out. */
  readonly verdicts: readonly Verdict[];
  /** What could not be found out, one sentence each. */
  readonly notes: readonly string[];
}

/** The keys that `trailseal fetch` left in a copy; `null` where there are none. */
export function keysOfCopy(directory: string | undefined): string | null {
  const file = directory === undefined ? null : join(directory, OWN_FOLDER, KEY_FILE);
  return file !== null && statSync(file, { throwIfNoEntry: false })?.isFile() ? file : null;
}

export async function directoryTarget(given: VerifyOptions, directory: string): Promise<Target> {
  if (!statSync(directory, { throwIfNoEntry: false })?.isDirectory()) {
    throw new UsageError(`--directory ${directory}: there is no such directory`);
  }
  if (given.publicKeys === undefined) {
    throw new UsageError(
      '--directory needs --public-keys, a file as `aws cloudtrail list-public-keys` prints it, or a copy made by trailseal fetch',
    );
  }
  const metadata = given.metadata === undefined ? {} : { metadata: await manifest(given.metadata) };
  return { source: await copy(directory, metadata), scope: scopeOf(given), keys: () => savedKeys([]) };
}

/** The metadata beside a copy are as much given as those of `--metadata`. */
async function copy(directory: string, options: DirectoryOptions): Promise<Source> {
  try {
    return await directorySource(directory, options);
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    throw new UsageError(`--directory ${directory}: ${error.message}`, { cause: error });
  }
}

async function manifest(file: string) {
  const { readMetadataManifest } = await import('../source/metadata-manifest.ts');
  try {
    return await readMetadataManifest(file);
  } catch (error) {
    throw new UsageError(`--metadata ${file}: ${error instanceof Error ? error.message : error}`, { cause: error });
  }
}
