/**
 * The first key that one object of a valid JSON text gives twice, or `null`. `JSON.parse` silently keeps the last,
 * so that a document could show one policy to a reader and another to us.
 */
export function duplicateKey(json: string): string | null {
  const open: (Set<string> | null)[] = [];
  const colon = /\s*:/y;
  const token = /"(?:[^"\\]|\\.)*"|[{}[\]]/g;
  for (let found = token.exec(json); found !== null; found = token.exec(json)) {
    const text = found[0];
    if (text === '{') open.push(new Set());
    else if (text === '[') open.push(null);
    else if (text === '}' || text === ']') open.pop();
    else {
      colon.lastIndex = token.lastIndex;
      if (!colon.test(json)) continue;
      const key = String(JSON.parse(text));
      const keys = open.at(-1);
      if (keys?.has(key)) return key;
      keys?.add(key);
    }
  }
  return null;
}
