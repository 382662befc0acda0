import { closeSync, createReadStream, openSync, statSync, truncateSync, writeSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { FolderError } from './copy-folder.ts';

/** `metadata.jsonl` of a copy, to which lines are added; `readMetadataManifest` reads it. */
export interface MetadataLog {
  has(key: string): boolean;
  add(key: string, metadata: Readonly<Record<string, string>>): void;
  close(): void;
}

/** Opens the file for adding. A last line that an interrupted run left unfinished is cut off. Throws `FolderError`. */
export async function openMetadataLog(file: string): Promise<MetadataLog> {
  const keys = await keysIn(file);
  const log = openSync(file, 'a');
  return {
    has: (key) => keys.has(key),
    add(key, metadata) {
      writeSync(log, `${JSON.stringify({ key, metadata })}\n`);
      keys.add(key);
    },
    close: () => closeSync(log),
  };
}

async function keysIn(file: string): Promise<Set<string>> {
  const keys = new Set<string>();
  const size = statSync(file, { throwIfNoEntry: false })?.size;
  if (size === undefined) return keys;
  let whole = 0;
  for await (const line of createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY })) {
    const end = whole + Buffer.byteLength(line) + 1;
    if (end > size) break;
    whole = end;
    if (line !== '') keys.add(keyOf(line, file));
  }
  if (whole < size) truncateSync(file, whole);
  return keys;
}

function keyOf(line: string, file: string): string {
  try {
    const { key } = JSON.parse(line) as { key: unknown };
    if (typeof key === 'string') return key;
  } catch {
    // told below
  }
  throw new FolderError(`${file} is there and holds something else than metadata`);
}
