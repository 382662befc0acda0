import { existsSync } from 'node:fs';
import type { LoadedConfig } from '../config/load.ts';
import type { Enclosure } from '../evidence/bundle.ts';
import { keyPath } from '../report/issue.ts';
import { UsageError } from './command.ts';

const DEFAULT_FILE = 'trailseal.yaml';

/** The config asked for, `trailseal.yaml` where it lies about, `null` without either. Throws `UsageError`. */
export async function loadConfig(file: string | undefined, now: number): Promise<LoadedConfig | null> {
  if (file === undefined && !existsSync(DEFAULT_FILE)) return null;
  const { problemLine, readConfig } = await import('../config/load.ts');
  const loaded = await readConfig(file ?? DEFAULT_FILE, now);
  if (!loaded.ok) throw new UsageError(loaded.problems.map(problemLine).join('\n'));
  const { config, locate } = loaded.loaded;
  if (config.waivers !== undefined) {
    const { waiverProblems } = await import('./waivable.ts');
    const problems = waiverProblems(config.waivers).map(({ path, message }) =>
      problemLine({ file: loaded.loaded.file, ...locate(path), key: keyPath(path), message }),
    );
    if (problems.length > 0) throw new UsageError(problems.join('\n'));
  }
  return loaded.loaded;
}

/** The config as an evidence bundle holds it. */
export const configEnclosed = (loaded: LoadedConfig | null): readonly Enclosure[] =>
  loaded === null ? [] : [{ path: loaded.file, role: 'input', name: 'config' }];
