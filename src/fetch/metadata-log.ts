import { closeSync, createReadStream, openSync, renameSync, statSync, truncateSync, writeSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { FolderError } from './copy-folder.ts';

/** `metadata.jsonl` of a copy, to which lines are added; `readMetadataManifest` reads it. */
export interface MetadataLog {
  has(key: string): boolean;
  add(key: string, metadata: Readonly<Record<string, string>>): void;
  /** Leaves one line for each object that was copied anew: the last. */
  close(): Promise<void>;
}

/** Opens the file for adding. A last line that an interrupted run left unfinished is cut off. Throws `FolderError`. */
export async function openMetadataLog(file: string): Promise<MetadataLog> {
  const { keys, repeated } = await keysIn(file);
  const log = openSync(file, 'a');
  return {
    has: (key) => keys.has(key),
    add(key, metadata) {
      writeSync(log, `${JSON.stringify({ key, metadata })}\n`);
      if (keys.has(key)) repeated.add(key);
      keys.add(key);
    },
    async close() {
      closeSync(log);
      if (repeated.size > 0) await keepLast(file, repeated);
    },
  };
}

async function keysIn(file: string): Promise<{ keys: Set<string>; repeated: Set<string> }> {
  const found = { keys: new Set<string>(), repeated: new Set<string>() };
  const size = statSync(file, { throwIfNoEntry: false })?.size;
  if (size === undefined) return found;
  let whole = 0;
  for await (const line of linesOf(file)) {
    const end = whole + Buffer.byteLength(line) + 1;
    if (end > size) break;
    whole = end;
    if (line === '') continue;
    const key = keyOf(line, file);
    if (found.keys.has(key)) found.repeated.add(key);
    found.keys.add(key);
  }
  if (whole < size) truncateSync(file, whole);
  return found;
}

/** Whoever reads the file takes two lines that differ for a contradiction. */
async function keepLast(file: string, repeated: ReadonlySet<string>): Promise<void> {
  const last = new Map<string, string>();
  const aside = `${file}.tmp`;
  const out = openSync(aside, 'w');
  try {
    for await (const line of linesOf(file)) {
      const key = line === '' ? null : keyOf(line, file);
      if (key === null) continue;
      if (repeated.has(key)) last.set(key, line);
      else writeSync(out, `${line}\n`);
    }
    for (const line of last.values()) writeSync(out, `${line}\n`);
  } finally {
    closeSync(out);
  }
  renameSync(aside, file);
}

function linesOf(file: string): AsyncIterable<string> {
  return createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY });
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
