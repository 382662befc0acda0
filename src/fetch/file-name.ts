import { sep } from 'node:path';
import { OWN_FOLDER } from '../source/tree.ts';

/** What file systems everywhere take for one name, bytes of UTF-8. */
const LONGEST_NAME = 255;
const CONTROL = /\p{Cc}/u;
const LONE_SURROGATE = /\p{Cs}/u;
/** Windows gives these a meaning of its own, and drops dots and spaces at the end. */
const NOT_ON_WINDOWS = /[<>:"|?*\\]|[. ]$/;

/** Why no file of a copy can have this key as its path, for people; `null` where one can. */
export function unnameable(key: string, windows: boolean = sep === '\\'): string | null {
  const names = key.split('/');
  if (names.some((name) => name === '' || name === '.' || name === '..')) return 'it has an empty name, . or .. in it';
  if (CONTROL.test(key)) return 'it has control characters in it';
  if (LONE_SURROGATE.test(key)) return 'it is not Unicode';
  if (names.some((name) => Buffer.byteLength(name) > LONGEST_NAME)) {
    return `a name in it is longer than ${LONGEST_NAME} bytes`;
  }
  if (names[0]?.toLowerCase() === OWN_FOLDER) return `${OWN_FOLDER} is where trailseal keeps its own files`;
  if (windows && names.some((name) => NOT_ON_WINDOWS.test(name))) return 'Windows takes no such name';
  return null;
}
