import { readFileSync } from 'node:fs';

/** The version of this package; `src` and `dist` lie equally deep. */
export const VERSION: string = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).version;
