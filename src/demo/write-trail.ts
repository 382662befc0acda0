import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { BuiltTrail } from './trail.ts';
import type { World } from './world.ts';

/**
 * Writes a built bucket as `trailseal fetch` would: `DIR/<object key>`, the metadata of the objects in
 * `DIR/.trailseal/metadata.jsonl`. With `metadata: false` it is what a plain copy leaves.
 */
export function writeTrail(directory: string, world: World, { metadata = true } = {}): void {
  const lines: string[] = [];
  mkdirSync(directory, { recursive: true });
  for (const [key, object] of world.objects) {
    const file = join(directory, key);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, object.body);
    if (Object.keys(object.metadata).length > 0) lines.push(JSON.stringify({ key, metadata: object.metadata }));
  }
  if (!metadata) return;
  mkdirSync(join(directory, '.trailseal'), { recursive: true });
  writeFileSync(join(directory, '.trailseal', 'metadata.jsonl'), `${lines.join('\n')}\n`);
}

/** The file that `--public-keys` reads. */
export function writePublicKeys(file: string, { publicKeys }: Pick<BuiltTrail, 'publicKeys'>): void {
  writeFileSync(file, `${JSON.stringify(publicKeys, null, 1)}\n`);
}
