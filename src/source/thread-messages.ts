import type { Delegation } from './delegation.ts';
import type { Reading, ReadOptions } from './reading.ts';

/** One read that a thread is asked for. */
export interface Job {
  readonly id: number;
  /** Number of the delegation, sent before. */
  readonly way: number;
  readonly bucket: string;
  readonly key: string;
  readonly options: ReadOptions;
}

export type ToThread =
  | { readonly type: 'way'; readonly way: number; readonly delegation: Delegation }
  | { readonly type: 'read'; readonly jobs: readonly Job[] };

/** What came of a job; one that was not plain is given back and read again by the thread that has everything at hand. */
export type Done = { readonly id: number } & (
  | { readonly reading: PackedReading }
  | { readonly back: 'throttled' | 'not-plain' }
);

/** A reading with its hash as a string of 32 characters: many times cheaper to send than bytes. */
export type PackedReading =
  | Exclude<Reading, { kind: 'content' }>
  | (Omit<Extract<Reading, { kind: 'content' }>, 'sha256' | 'content'> & {
      readonly sha256: string;
      readonly content?: Uint8Array;
    });

export function pack(reading: Reading): PackedReading {
  return reading.kind === 'content' ? { ...reading, sha256: reading.sha256.toString('latin1') } : reading;
}

export function unpack(packed: PackedReading): Reading {
  if (packed.kind !== 'content') return packed;
  const { sha256, content, ...rest } = packed;
  return {
    ...rest,
    sha256: Buffer.from(sha256, 'latin1'),
    ...(content && { content: Buffer.from(content.buffer, content.byteOffset, content.length) }),
  };
}
