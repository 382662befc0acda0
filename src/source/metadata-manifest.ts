import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { duplicateKey } from '../json/duplicate-key.ts';
import { SourceError } from './source.ts';

/** User metadata by object key, kept beside a copy that lost it. */
export interface MetadataByKey {
  get(key: string): Readonly<Record<string, string>> | undefined;
  /** Whether it says different things of one object: then none of them is to be believed. */
  contradicts?(key: string): boolean;
}

const Line = z.object({ key: z.string(), metadata: z.record(z.string(), z.string()) });

/**
 * Reads JSON Lines `{"key": "...", "metadata": {"signature": "...", ...}}`; names of metadata come out in lower case.
 * Throws `SourceError` where the file cannot be read or a line is something else.
 */
export async function readMetadataManifest(file: string): Promise<MetadataByKey> {
  const byKey = new Map<string, Record<string, string>>();
  const contradictory = new Set<string>();
  let number = 0;
  try {
    for await (const text of createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY })) {
      number++;
      if (text.trim() === '') continue;
      const value = parseJson(text);
      const line = Line.safeParse(value);
      const twice = line.success ? duplicateKey(text, value) : null;
      // Then nobody knows of which object it speaks.
      if (!line.success || (twice !== null && Object.hasOwn(Line.shape, twice))) throw badLine(file, number);
      const { key } = line.data;
      const metadata = lowerCased(line.data.metadata);
      if (twice !== null) contradictory.add(key);
      // One name in letters of several cases.
      if (Object.keys(metadata).length < Object.keys(line.data.metadata).length) contradictory.add(key);
      const before = byKey.get(key);
      if (before === undefined) byKey.set(key, metadata);
      else if (!isDeepStrictEqual(before, metadata)) contradictory.add(key);
    }
  } catch (error) {
    if (error instanceof SourceError) throw error;
    const code = (error as NodeJS.ErrnoException).code ?? 'Error';
    throw new SourceError(
      { kind: code === 'EACCES' ? 'denied' : 'error', code, message: `cannot read the metadata in ${file}: ${code}` },
      { cause: error },
    );
  }
  return { get: (key) => byKey.get(key), contradicts: (key) => contradictory.has(key) };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function badLine(file: string, number: number): SourceError {
  return new SourceError({
    kind: 'error',
    code: 'BadMetadata',
    message: `line ${number} of ${file} is not {"key": "…", "metadata": {"name": "value"}}`,
  });
}

function lowerCased(metadata: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(metadata).map(([name, value]) => [name.toLowerCase(), value]));
}
