import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';

/** Without O_NONBLOCK a pipe is not even opened before somebody writes to it. */
const READ = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/** What stands there is a pipe, a device or a socket: reading it could wait, or go on, without end. */
export class NotAFile extends Error {
  override readonly name = 'NotAFile';
  readonly code = 'NotAFile';
}

/**
 * Opens a file that somebody else put there under a name of ours. What the user names may well be a pipe and is not
 * opened this way. Throws errors of `node:fs` and `NotAFile`; a folder is EISDIR.
 */
export async function openRegular(path: string): Promise<FileHandle> {
  const file = await open(path, READ);
  try {
    const stats = await file.stat();
    if (stats.isFile()) return file;
    if (stats.isDirectory()) throw Object.assign(new Error(`${path} is a folder`), { code: 'EISDIR' });
    throw new NotAFile(`${path} is no regular file`);
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** The whole file, or `null` where it holds more bytes than that. Throws as `openRegular` does. */
export async function readRegular(path: string, most: number): Promise<Buffer | null> {
  const file = await openRegular(path);
  try {
    if ((await file.stat()).size > most) return null;
    const bytes = await file.readFile();
    return bytes.length > most ? null : bytes;
  } finally {
    await file.close();
  }
}
