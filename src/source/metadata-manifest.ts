import { closeSync, createReadStream, openSync, readSync, statSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { duplicateKey } from '../json/duplicate-key.ts';
import { isFields } from '../json/fields.ts';
import { SourceError } from './source.ts';

type Metadata = Readonly<Record<string, string>>;

/** User metadata by object key, kept beside a copy that lost it. */
export interface MetadataByKey {
  get(key: string): Metadata | undefined;
  /** Whether it says different things of one object: then none of them is to be believed. */
  contradicts?(key: string): boolean;
  close?(): void;
}

interface Line {
  readonly key: string;
  readonly metadata: Metadata;
}

/** Further members are let be. */
function isLine(value: unknown): value is Line {
  if (!isFields(value) || typeof value['key'] !== 'string' || !isFields(value['metadata'])) return false;
  return Object.values(value['metadata']).every((text) => typeof text === 'string');
}

/** Where a line lies in the file, bytes. */
interface Place {
  readonly at: number;
  readonly length: number;
}

/** A line, or where it is to be had. */
type Kept = Place | Said;

/**
 * Reads JSON Lines `{"key": "...", "metadata": {"signature": "...", ...}}`; names of metadata come out in lower case.
 * All lines are checked now, and only where each lies is kept: a copy of years has too many of them. `get` and
 * `contradicts` read the line anew. Throws `SourceError` where the file cannot be read or a line is something else.
 */
export async function readMetadataManifest(file: string): Promise<MetadataByKey> {
  const places = new Map<number, Kept | Kept[]>();
  let number = 0;
  try {
    // A pipe cannot be read anew.
    const isFile = statSync(file).isFile();
    for await (const { text, ...place } of linesOf(file)) {
      number++;
      if (text.trim() === '') continue;
      const line = parseLine(text);
      if (line === null) throw badLine(file, `line ${number}`);
      const hash = hashOf(line.key);
      const before = places.get(hash);
      const kept = isFile && !line.isAmbiguous ? place : line;
      places.set(hash, before === undefined ? kept : [before, kept].flat());
    }
    return new Manifest(file, isFile ? openSync(file, 'r') : null, places);
  } catch (error) {
    throw asSourceError(error, file);
  }
}

class Manifest implements MetadataByKey {
  readonly #file: string;
  #open: number | null;
  readonly #places: ReadonlyMap<number, Kept | Kept[]>;
  /** Two questions are asked of each object. */
  #last: { readonly key: string; readonly said: readonly Said[] } | null = null;

  constructor(file: string, open: number | null, places: ReadonlyMap<number, Kept | Kept[]>) {
    this.#file = file;
    this.#open = open;
    this.#places = places;
  }

  get(key: string): Metadata | undefined {
    return this.#said(key)[0]?.metadata;
  }

  contradicts(key: string): boolean {
    const [first, ...others] = this.#said(key);
    const differs = others.some(({ metadata }) => !isDeepStrictEqual(metadata, first?.metadata));
    return differs || [first, ...others].some((said) => said?.isAmbiguous);
  }

  close(): void {
    if (this.#open !== null) closeSync(this.#open);
    this.#open = null;
  }

  #said(key: string): readonly Said[] {
    if (this.#last?.key === key) return this.#last.said;
    // Different keys may have one hash.
    const said = [this.#places.get(hashOf(key)) ?? []]
      .flat()
      .map((kept) => ('key' in kept ? kept : this.#read(kept)))
      .filter((line) => line.key === key);
    this.#last = { key, said };
    return said;
  }

  #read({ at, length }: Place): Said {
    const bytes = Buffer.alloc(length);
    try {
      if (this.#open !== null) readSync(this.#open, bytes, 0, length, at);
    } catch (error) {
      throw asSourceError(error, this.#file);
    }
    const line = parseJson(bytes.toString('utf8'));
    if (!isLine(line)) throw badLine(this.#file, `what was a line at byte ${at}`);
    return { key: line.key, metadata: lowerCased(line.metadata), isAmbiguous: false };
  }
}

interface Said extends Line {
  /** It gives one name twice, or in letters of several cases. */
  readonly isAmbiguous: boolean;
}

/** `null` where it is no line of a manifest, or nobody knows of which object it speaks. */
function parseLine(text: string): Said | null {
  const line = parseJson(text);
  if (!isLine(line)) return null;
  const twice = duplicateKey(text, line);
  if (twice === 'key' || twice === 'metadata') return null;
  const { key, metadata: given } = line;
  const metadata = lowerCased(given);
  const isAmbiguous = twice !== null || Object.keys(metadata).length < Object.keys(given).length;
  return { key, metadata, isAmbiguous };
}

const NEWLINE = 0x0a;

/** Ends of lines are not part of them. */
async function* linesOf(file: string): AsyncGenerator<Place & { readonly text: string }> {
  let at = 0;
  let parts: Buffer[] = [];
  const line = () => {
    const bytes = Buffer.concat(parts);
    parts = [];
    const found = { at, length: bytes.length, text: bytes.toString('utf8') };
    at += bytes.length + 1;
    return found;
  };
  for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) {
    let begin = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, begin)) {
      parts.push(chunk.subarray(begin, end));
      yield line();
      begin = end + 1;
    }
    parts.push(chunk.subarray(begin));
  }
  if (parts.some(({ length }) => length > 0)) yield line();
}

/** 52 bits; not against anybody, since the key is compared as well. */
function hashOf(key: string): number {
  let [a, b] = [0x811c9dc5, 0x1b873593];
  for (let n = 0; n < key.length; n++) {
    const unit = key.charCodeAt(n);
    a = Math.imul(a ^ unit, 0x01000193);
    b = Math.imul(b ^ unit, 0x85ebca6b) + n;
  }
  return (a >>> 0) * 0x100000 + ((b >>> 12) & 0xfffff);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function badLine(file: string, what: string): SourceError {
  return new SourceError({
    kind: 'error',
    code: 'BadMetadata',
    message: `${what} of ${file} is not {"key": "…", "metadata": {"name": "value"}}`,
  });
}

function asSourceError(error: unknown, file: string): SourceError {
  if (error instanceof SourceError) return error;
  const code = (error as NodeJS.ErrnoException).code ?? 'Error';
  const message = `cannot read the metadata in ${file}: ${code}`;
  return new SourceError({ kind: code === 'EACCES' ? 'denied' : 'error', code, message }, { cause: error });
}

function lowerCased(metadata: Metadata): Record<string, string> {
  return Object.fromEntries(Object.entries(metadata).map(([name, value]) => [name.toLowerCase(), value]));
}
