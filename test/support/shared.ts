import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Data and peers that lie beside the checkout and are no part of it; tests that use them skip where they are absent. */
const SHARED = fileURLToPath(new URL('../../../shared/', import.meta.url));

export const hasShared = existsSync(SHARED);

export function sharedPath(path: string): string {
  return `${SHARED}${path}`;
}

if (!hasShared) console.warn('The folder ../shared is absent: tests that read it are skipped.');
