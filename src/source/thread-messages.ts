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

/**
 * What came of jobs since the last message. The common case, a hashed log of which nothing odd is to be told, as six
 * values in a row: id, hash as a string of 32 characters, length, length as stored, time of modification, lock as JSON.
 */
export interface FromThread {
  readonly common: readonly (number | string)[];
  readonly others: readonly Done[];
}

type Common = [id: number, sha256: string, bytes: number, storedBytes: number, lastModified: number, lock: string];

const VALUES = 6;

export function pack(all: readonly Done[]): FromThread {
  const common: (number | string)[] = [];
  const others: Done[] = [];
  for (const done of all) {
    const reading = 'reading' in done ? done.reading : null;
    if (reading?.kind !== 'content' || !isCommon(reading)) others.push(done);
    else {
      const { sha256, bytes, storedBytes, head } = reading;
      const lock = head.lock === null ? '' : JSON.stringify(head.lock);
      common.push(done.id, sha256.toString('latin1'), bytes, storedBytes, head.lastModified, lock);
    }
  }
  return { common, others };
}

function isCommon({ content, encoding, notes, head }: Extract<Reading, { kind: 'content' }>): boolean {
  return content === undefined && encoding === 'gzip' && notes.length === 0 && isEmpty(head.metadata);
}

function isEmpty(metadata: Head['metadata']): boolean {
  return metadata === null || Object.keys(metadata).length === 0;
}

export function unpack({ common, others }: FromThread): Done[] {
  const all: Done[] = [];
  for (let at = 0; at < common.length; at += VALUES) {
    const [id, sha256, bytes, storedBytes, lastModified, lock] = common.slice(at, at + VALUES) as Common;
    const head: Head = { metadata: {}, lock: lock === '' ? null : JSON.parse(lock), lastModified };
    all.push({
      id,
      reading: {
        kind: 'content',
        sha256: Buffer.from(sha256, 'latin1'),
        bytes,
        storedBytes,
        encoding: 'gzip',
        notes: [],
        head,
      },
    });
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
