import { crc32 } from './crc32.ts';

const FHCRC = 0x02;
const FEXTRA = 0x04;
const FNAME = 0x08;
const FCOMMENT = 0x10;
const RESERVED = 0xe0;
const FIXED_LENGTH = 10;

export const TRAILER_LENGTH = 8;

export type GzipHeader =
  | { readonly ok: true; readonly length: number; readonly notes: readonly string[] }
  | { readonly ok: false; readonly reason: string };

export function startsGzip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b;
}

const truncated: GzipHeader = { ok: false, reason: 'the gzip header is cut off or too long' };

/** Reads the header of a gzip member (RFC 1952) that lies wholly in `bytes`. Payload in it is no fault, but noted. */
export function readGzipHeader(bytes: Uint8Array): GzipHeader {
  const flags = bytes[3] ?? 0;
  if (bytes.length < FIXED_LENGTH) return truncated;
  if (bytes[2] !== 8) return { ok: false, reason: `gzip method ${bytes[2]} is unknown` };
  if (flags & RESERVED) return { ok: false, reason: 'reserved gzip flags are set' };
  const notes: string[] = [];
  let at = FIXED_LENGTH;
  if (flags & FEXTRA) {
    const length = (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8);
    at += 2 + length;
    notes.push(`the gzip header carries an extra field of ${length} bytes`);
  }
  for (const [flag, what] of [
    [FNAME, 'a file name'],
    [FCOMMENT, 'a comment'],
  ] as const) {
    if (!(flags & flag)) continue;
    const end = bytes.indexOf(0, at);
    if (end < 0) return truncated;
    notes.push(`the gzip header carries ${what} of ${end - at} bytes`);
    at = end + 1;
  }
  if (flags & FHCRC) {
    if (at + 2 > bytes.length) return truncated;
    const stated = (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8);
    if (stated !== (crc32(bytes.subarray(0, at)) & 0xffff)) {
      return { ok: false, reason: 'the checksum of the gzip header is wrong' };
    }
    at += 2;
  }
  return at > bytes.length ? truncated : { ok: true, length: at, notes };
}

/** CRC-32 of the content, and its length modulo 2^32, from the eight bytes that end a member. */
export function readTrailer(bytes: Uint8Array): { readonly crc: number; readonly length: number } {
  const view = new DataView(bytes.buffer, bytes.byteOffset, TRAILER_LENGTH);
  return { crc: view.getUint32(0, true), length: view.getUint32(4, true) };
}
