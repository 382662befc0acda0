import * as zlib from 'node:zlib';

const POLYNOMIAL = 0xedb88320;

const TABLE = Int32Array.from({ length: 256 }, (_, byte) => {
  let rest = byte;
  for (let bit = 0; bit < 8; bit++) rest = rest & 1 ? (rest >>> 1) ^ POLYNOMIAL : rest >>> 1;
  return rest;
});

/** CRC-32 as gzip has it, continued from `value`; unsigned. For Node versions without `zlib.crc32` (21.x, 22.0, 22.1). */
export function tableCrc32(data: Uint8Array, value = 0): number {
  let crc = ~value;
  for (const byte of data) crc = (crc >>> 8) ^ (TABLE[(crc ^ byte) & 0xff] ?? 0);
  return ~crc >>> 0;
}

const native = (zlib as { crc32?: (data: Uint8Array, value?: number) => number }).crc32;

export const crc32: (data: Uint8Array, value?: number) => number = native ?? tableCrc32;
