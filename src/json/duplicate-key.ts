/**
 * The first key that one object of a JSON text gives twice, or `null`. `JSON.parse` keeps the last of them without a word
 * and other readers the first, so such a text says one thing to a person or a tool and another to us. `value` is what
 * the text was parsed to, for it says cheaply that all is in order.
 */
export function duplicateKey(json: string, value: unknown): string | null {
  const { strings, length } = extentOf(value);
  // A member that the value lacks makes the text longer; so do spaces and escapes, and then its strings are counted.
  return json.length === length || stringsIn(json) === strings ? null : findDuplicate(json);
}

/** How many strings (keys too) a text of the value has at least, and how long it is at least. */
function extentOf(value: unknown): { readonly strings: number; readonly length: number } {
  let strings = 0;
  let length = 0;
  // Not by recursion: strangers nest deeper than the stack is.
  const containers: object[] = [];
  const add = (part: unknown): void => {
    if (typeof part === 'string') {
      strings++;
      length += part.length + 2;
    } else if (typeof part === 'object' && part !== null) containers.push(part);
    else length += part === null || part === true ? 4 : part === false ? 5 : 1;
  };
  add(value);
  for (let container = containers.pop(); container !== undefined; container = containers.pop()) {
    const names = Array.isArray(container) ? [] : Object.keys(container);
    const parts: readonly unknown[] = Object.values(container);
    strings += names.length;
    for (const name of names) length += name.length + 3;
    length += 2 + Math.max(0, parts.length - 1);
    for (const part of parts) add(part);
  }
  return { strings, length };
}

function stringsIn(json: string): number {
  let count = 0;
  for (let at = json.indexOf('"'); at >= 0; at = json.indexOf('"', endOfString(json, at) + 1)) count++;
  return count;
}

/** Where the string that begins there has its closing quote. */
function endOfString(json: string, begin: number): number {
  let end = json.indexOf('"', begin + 1);
  while (end > 0 && isEscaped(json, end)) end = json.indexOf('"', end + 1);
  return end < 0 ? json.length : end;
}

function isEscaped(json: string, at: number): boolean {
  let backslashes = 0;
  while (json[at - 1 - backslashes] === '\\') backslashes++;
  return backslashes % 2 === 1;
}

function findDuplicate(json: string): string | null {
  const open: (Set<string> | null)[] = [];
  for (let at = 0; at < json.length; at++) {
    const sign = json[at];
    if (sign === '{') open.push(new Set());
    else if (sign === '[') open.push(null);
    else if (sign === '}' || sign === ']') open.pop();
    else if (sign === '"') {
      const begin = at;
      at = endOfString(json, begin);
      if (!isKey(json, at)) continue;
      const key = String(JSON.parse(json.slice(begin, at + 1)));
      const keys = open.at(-1);
      if (keys?.has(key)) return key;
      keys?.add(key);
    }
  }
  return null;
}

/** Whether a colon follows the string that ends there. */
function isKey(json: string, end: number): boolean {
  let at = end + 1;
  while (json[at] === ' ' || json[at] === '\n' || json[at] === '\r' || json[at] === '\t') at++;
  return json[at] === ':';
}
