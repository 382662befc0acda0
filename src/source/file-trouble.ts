import { SourceError, type Trouble } from './source.ts';

const ABSENT = new Set(['ENOENT', 'ENOTDIR']);
const DENIED = new Set(['EACCES', 'EPERM']);

/** What an error of the file system means for the object (or folder) of that name. */
export function fileTrouble(error: unknown, name: string): Trouble {
  if (error instanceof SourceError) return error.trouble;
  const code = (error as NodeJS.ErrnoException).code;
  if (typeof code !== 'string') throw error;
  if (ABSENT.has(code)) return { kind: 'absent', code, message: `${name} does not exist` };
  if (DENIED.has(code)) return { kind: 'denied', code, message: `${name} may not be read: ${code}` };
  return { kind: 'error', code, message: `${name} cannot be read: ${code}` };
}
