import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

export interface ProfileFiles {
  /** `[profile NAME]` and `[default]`. */
  readonly config: string;
  /** `[NAME]`. */
  readonly credentials: string;
}

/** Where the SDK looks for profiles. */
export function profileFiles(env: Readonly<Record<string, string | undefined>>): ProfileFiles {
  const folder = join(homedir(), '.aws');
  return {
    config: env['AWS_CONFIG_FILE'] || join(folder, 'config'),
    credentials: env['AWS_SHARED_CREDENTIALS_FILE'] || join(folder, 'credentials'),
  };
}

/** Names of the profiles in both files, each once; a file that is not there holds none. */
export function profilesIn({ config, credentials }: ProfileFiles): readonly string[] {
  const inConfig = sectionsOf(config).flatMap((section) => {
    if (section === 'default') return ['default'];
    const [, name] = /^profile\s+(.+)$/.exec(section) ?? [];
    return name === undefined ? [] : [name.replace(/^(["'])(.*)\1$/, '$2')];
  });
  return [...new Set([...inConfig, ...sectionsOf(credentials)])];
}

function sectionsOf(file: string): readonly string[] {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    return [];
  }
  return [...text.matchAll(/^\s*\[([^\]\r\n]+)\]/gm)].map(([, section = '']) => section.trim());
}
