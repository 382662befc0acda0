import { statSync } from 'node:fs';

/**
 * Where a file is written until it is whole, to be renamed then. What is no regular file (`/dev/null`, a pipe) is
 * written as it is: renaming would put a file in its place, for the whole machine.
 */
export function asideOf(path: string): string {
  const there = statSync(path, { throwIfNoEntry: false });
  return there === undefined || there.isFile() || there.isDirectory() ? `${path}.${process.pid}.tmp` : path;
}
