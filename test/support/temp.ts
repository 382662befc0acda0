import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A directory of its own for the running test; gone when it ends. Of tests side by side each hands over its own `finished`. */
export function tempDir(finished = onTestFinished): string {
  const directory = mkdtempSync(join(tmpdir(), 'trailseal-test-'));
  finished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}
