import type { Delegation } from './delegation.ts';
import type { Head, Reading, ReadOptions } from './reading.ts';

/** Reads that a thread is asked for. Sending costs by the object, so those that are alike go as one list of keys. */
export interface Jobs {
  /** Of the first; the others count on from it. */
  readonly id: number;
  /** Number of the delegation, sent before. */
  readonly way: number;
  readonly bucket: string;
  readonly keys: readonly string[];
  readonly options: ReadOptions;
}

/** One of them. */
export interface Job {
  readonly id: number;
  readonly bucket: string;
  readonly key: string;
  readonly options: ReadOptions;
}

export type ToThread =
  | { readonly type: 'way'; readonly way: number; readonly delegation: Delegation }
  | ({ readonly type: 'read' } & Jobs);

/** What came of a job; one that was not plain is given back and read again by the thread that has everything at hand. */
export type Done = { readonly id: number } & (
  | { readonly reading: Reading }
  | { readonly back: 'throttled' | 'not-plain' }
);

/** What one delegation lets a thread do. */
export type Way = (job: Job) => Promise<Done>;

export function notPlain({ id }: Job): Done {
  return { id, back: 'not-plain' };
}

/**
 * What came of jobs since the last message. The common case, content of which nothing odd is to be told, as eight values
 * in a row: id, hash as a string of 32 characters, length, length as stored, time of modification, lock and metadata as
 * JSON, and whether the content itself was asked for: then it is the next `length` bytes of `contents`.
 */
export interface FromThread {
  readonly common: readonly (number | string | boolean)[];
  readonly contents: Uint8Array;
  readonly others: readonly Done[];
}

type Common = [
  id: number,
  sha256: string,
  bytes: number,
  storedBytes: number,
  lastModified: number,
  lock: string,
  metadata: string,
  isKept: boolean,
];

const VALUES = 8;

type Contents = Extract<Reading, { kind: 'content' }>;

export function pack(all: readonly Done[]): FromThread {
  const common: (number | string | boolean)[] = [];
  const kept: Buffer[] = [];
  const others: Done[] = [];
  for (const done of all) {
    const reading = 'reading' in done ? done.reading : null;
    if (reading?.kind !== 'content' || !isCommon(reading)) others.push(done);
    else {
      const { sha256, bytes, storedBytes, head, content } = reading;
      common.push(done.id, sha256.toString('latin1'), bytes, storedBytes, head.lastModified);
      common.push(head.lock === null ? '' : JSON.stringify(head.lock));
      common.push(isEmpty(head.metadata) ? '' : JSON.stringify(head.metadata), content !== undefined);
      if (content !== undefined) kept.push(content);
    }
  }
  return { common, contents: joined(kept), others };
}

function isCommon({ encoding, notes }: Contents): boolean {
  return encoding === 'gzip' && notes.length === 0;
}

function isEmpty(metadata: Head['metadata']): boolean {
  return metadata === null || Object.keys(metadata).length === 0;
}

/** In memory of their own, so that it can be handed over without a copy. */
function joined(contents: readonly Buffer[]): Uint8Array {
  const all = new Uint8Array(contents.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const content of contents) {
    all.set(content, at);
    at += content.length;
  }
  return all;
}

export function unpack({ common, contents, others }: FromThread): Done[] {
  const all: Done[] = [];
  let at = 0;
  for (let n = 0; n < common.length; n += VALUES) {
    const [id, sha256, bytes, storedBytes, lastModified, lock, metadata, isKept] = common.slice(
      n,
      n + VALUES,
    ) as Common;
    const head: Head = {
      metadata: metadata === '' ? {} : JSON.parse(metadata),
      lock: lock === '' ? null : JSON.parse(lock),
      lastModified,
    };
    const reading: Contents = {
      kind: 'content',
      sha256: Buffer.from(sha256, 'latin1'),
      bytes,
      storedBytes,
      encoding: 'gzip',
      ...(isKept && { content: bufferOf(contents.subarray(at, at + bytes)) }),
      notes: [],
      head,
    };
    if (isKept) at += bytes;
    all.push({ id, reading });
  }
  for (const done of others) all.push('reading' in done ? { ...done, reading: asSent(done.reading) } : done);
  return all;
}

/** Buffers arrive as plain arrays of bytes. */
function asSent(reading: Reading): Reading {
  if (reading.kind !== 'content') return reading;
  const { sha256, content } = reading;
  return { ...reading, sha256: bufferOf(sha256), ...(content && { content: bufferOf(content) }) };
}

function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
}
