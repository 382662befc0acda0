import { type InflateRaw, inflateRawSync, type ZlibOptions } from 'node:zlib';
import pLimit from 'p-limit';
import { crc32 } from './crc32.ts';
import { readGzipHeader, readTrailer, startsGzip, TRAILER_LENGTH } from './gzip-header.ts';
import { KeptInflater } from './kept-inflater.ts';
import { ContentSink, MemberFlow } from './member-flow.ts';
import { sha256 } from './sha256.ts';

const KiB = 1024;
const MiB = 1024 * KiB;
/** Bodies up to this size are held whole; larger ones flow. */
const SMALL_STORED = 256 * KiB;
/** More than this is never inflated in one blocking call, whatever the trailer says. */
const SMALL_INFLATED = 4 * MiB;
/** Output buffers above 128 KiB make the allocator map and unmap memory for each file. */
const SMALL_CHUNK = 120 * KiB;
const SLICE = 1 * MiB;
/** Contents up to this size are inflated into the same memory again and again. */
const KEPT_OUTPUT = 1 * MiB;

/** Bounds in bytes. What exceeds them is malformed, not an error: these are bytes that CloudTrail does not write. */
export interface InflateLimits {
  readonly stored: number;
  readonly inflated: number;
}

/** Ten times the largest log that anybody has told of, and a second or two of work. */
const HASHED: InflateLimits = { stored: 512 * MiB, inflated: 1 * KiB * MiB };
/** A digest that names 100,000 log files has about 45 MB. */
const KEPT: InflateLimits = { stored: 64 * MiB, inflated: 128 * MiB };

export interface Content {
  readonly kind: 'content';
  /** Of the content, that is of the inflated bytes where the body is gzip. */
  readonly sha256: Buffer;
  /** Length of the content. */
  readonly bytes: number;
  readonly storedBytes: number;
  /** `identity`: stored, or served, without compression. */
  readonly encoding: 'gzip' | 'identity';
  /** Present if it was asked to be kept. */
  readonly content?: Buffer;
  /** Oddities that do not touch the content, such as a comment in the gzip header; hold nothing of the bytes themselves. */
  readonly notes: readonly string[];
}

export interface Malformed {
  readonly kind: 'malformed';
  /** One phrase for people; holds nothing of the bytes themselves. */
  readonly reason: string;
  /** As far as it was read. */
  readonly storedBytes: number;
}

export interface InflateOptions {
  /** Whether the content itself is wanted, not only its hash. */
  readonly keep: boolean;
  readonly limits?: Partial<InflateLimits>;
}

/**
 * Content and hash of a body as stored. A body that starts like gzip must be exactly one clean member (RFC 1952): its
 * checksum and length right, and nothing after it, not even zeros; everything else is hashed as it is. Errors of reading
 * the body are thrown as they come; a fault in the bytes is a value. Bodies that flow are read a few at a time. What
 * comes of it holds nothing of the memory of the body.
 */
export async function inflate(
  body: Uint8Array | AsyncIterable<Uint8Array>,
  options: InflateOptions,
): Promise<Content | Malformed> {
  const limits = { ...(options.keep ? KEPT : HASHED), ...options.limits };
  if (body instanceof Uint8Array) {
    return body.length <= SMALL_STORED
      ? inflateHeld(body, options.keep, limits)
      : flow(slices(body), options.keep, limits);
  }
  return await flowing(() => inflateFlow(body, options.keep, limits));
}

/** Each leaves megabytes of garbage while it flows; what waits for its turn is left in the hands of the network. */
const flowing = pLimit(2);

async function inflateFlow(
  body: AsyncIterable<Uint8Array>,
  keep: boolean,
  limits: InflateLimits,
): Promise<Content | Malformed> {
  const chunks = startHeld(body);
  try {
    const start = await chunks.next();
    if (start.done) return inflateHeld(new Uint8Array(0), keep, limits);
    if (start.value.length <= SMALL_STORED) return inflateHeld(start.value, keep, limits);
    return await flow(prepend(start.value, chunks), keep, limits);
  } finally {
    await chunks.return();
  }
}

/** The body with its first pieces joined to one that is longer than `SMALL_STORED`, or that is all of it. */
async function* startHeld(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
  let held: Uint8Array[] | null = [];
  let length = 0;
  for await (const chunk of body) {
    if (held === null) {
      yield chunk;
      continue;
    }
    held.push(chunk);
    length += chunk.length;
    if (length <= SMALL_STORED) continue;
    yield Buffer.concat(held);
    held = null;
  }
  if (held !== null) yield Buffer.concat(held);
}

async function* prepend(start: Uint8Array, rest: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield start;
  yield* rest;
}

function* slices(body: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < body.length; at += SLICE) yield body.subarray(at, at + SLICE);
}

function inflateHeld(stored: Uint8Array, keep: boolean, limits: InflateLimits): Content | Promise<Content | Malformed> {
  return inflateSmall(stored, keep, limits) ?? flow([stored], keep, limits);
}

/** The fast way for the common case. `null` for whatever is not small, clean and within the limits: the flow says why. */
function inflateSmall(stored: Uint8Array, keep: boolean, limits: InflateLimits): Content | null {
  if (stored.length > limits.stored) return null;
  if (!startsGzip(stored)) return stored.length > limits.inflated ? null : identity(stored, keep);
  const header = readGzipHeader(stored);
  if (!header.ok || stored.length < header.length + TRAILER_LENGTH) return null;
  const trailer = readTrailer(stored.subarray(stored.length - TRAILER_LENGTH));
  if (trailer.length > Math.min(SMALL_INFLATED, limits.inflated)) return null;
  const content = inflateRaw(stored.subarray(header.length), trailer.length, keep);
  if (content === null || crc32(content) !== trailer.crc) return null;
  return {
    kind: 'content',
    sha256: sha256(content),
    bytes: content.length,
    storedBytes: stored.length,
    encoding: 'gzip',
    ...(keep && { content }),
    notes: header.notes,
  };
}

/**
 * The content of a raw deflate stream of that length with a trailer behind it; `null` if it is not that. Unless it is to
 * be kept it may be overwritten by the next call.
 */
function inflateRaw(deflated: Uint8Array, length: number, keep: boolean): Buffer | null {
  kept ??= { inflater: KeptInflater.make(KEPT_OUTPUT) };
  if (kept.inflater !== null && length <= KEPT_OUTPUT) {
    const content = kept.inflater.inflate(deflated, length, TRAILER_LENGTH);
    return keep && content !== null ? Buffer.from(content) : content;
  }
  try {
    const { buffer, engine } = inflateRawWithInfo(deflated, {
      chunkSize: Math.max(64, Math.min(length + 1, SMALL_CHUNK)),
      maxOutputLength: Math.max(1, length),
    });
    const isClean = engine.bytesWritten === deflated.length - TRAILER_LENGTH && buffer.length === length;
    return isClean ? buffer : null;
  } catch {
    return null;
  }
}

/** Made when first needed. */
let kept: { readonly inflater: KeptInflater | null } | null = null;

/** `info: true` tells how far the deflate stream reached, which the typings do not know. */
function inflateRawWithInfo(data: Uint8Array, options: ZlibOptions): { buffer: Buffer; engine: InflateRaw } {
  return inflateRawSync(data, { ...options, info: true }) as unknown as { buffer: Buffer; engine: InflateRaw };
}

function identity(stored: Uint8Array, keep: boolean): Content {
  return {
    kind: 'content',
    sha256: sha256(stored),
    bytes: stored.length,
    storedBytes: stored.length,
    encoding: 'identity',
    ...(keep && { content: Buffer.from(stored) }),
    notes: [],
  };
}

/** The way for whatever is large or not clean. The first piece holds the gzip header, if there is one. */
async function flow(
  pieces: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  keep: boolean,
  limits: InflateLimits,
): Promise<Content | Malformed> {
  const sink = new ContentSink(keep);
  let member: MemberFlow | null = null;
  let notes: readonly string[] = [];
  let storedBytes = 0;
  const malformed = (reason: string): Malformed => ({ kind: 'malformed', reason, storedBytes });
  try {
    for await (const piece of pieces) {
      const isFirst = storedBytes === 0;
      storedBytes += piece.length;
      if (storedBytes > limits.stored) return malformed(`larger than ${limits.stored} bytes as stored`);
      let rest = piece;
      if (isFirst && startsGzip(piece)) {
        const header = readGzipHeader(piece);
        if (!header.ok) return malformed(header.reason);
        notes = header.notes;
        member = new MemberFlow(sink, limits.inflated);
        rest = piece.subarray(header.length);
      }
      if (member === null) sink.take(rest);
      else await member.push(rest);
      const fault = member === null ? overLimit(sink, limits) : member.fault;
      if (fault !== null) return malformed(fault);
    }
    await member?.finish();
    if (member !== null && member.fault !== null) return malformed(member.fault);
    return { kind: 'content', ...sink.finish(), storedBytes, encoding: member === null ? 'identity' : 'gzip', notes };
  } finally {
    member?.close();
  }
}

function overLimit(sink: ContentSink, limits: InflateLimits): string | null {
  return sink.bytes > limits.inflated ? `larger than ${limits.inflated} bytes` : null;
}
