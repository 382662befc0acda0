import { getSystemErrorMap } from 'node:util';

/** What the operating system refused: a full disk, a file that may not be written, a reader that is gone. */
export function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error && 'code' in error && typeof error.code === 'string';
}

/** `no space left on device (ENOSPC)`. */
export function plainSystemError(error: unknown): string {
  if (!isSystemError(error)) return error instanceof Error ? error.message : String(error);
  const [, words] = getSystemErrorMap().get(error.errno ?? 0) ?? [];
  return words === undefined ? error.message : `${words} (${error.code})`;
}
