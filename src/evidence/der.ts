/** One element of a DER encoding (X.690): tag, length, content. */
export interface Der {
  readonly tag: number;
  readonly content: Buffer;
  /** Tag and length included: what signatures are made over. */
  readonly raw: Buffer;
}

export const SEQUENCE = 0x30;
export const SET = 0x31;
export const INTEGER = 0x02;
export const OCTETS = 0x04;
export const NULL = 0x05;
const OID = 0x06;
export const GENERALIZED_TIME = 0x18;
const UTC_TIME = 0x17;
/** `[n]`, constructed. */
export const context = (n: number): number => 0xa0 + n;

export class DerError extends Error {
  override readonly name = 'DerError';
}

/** The one element that the bytes are; anything after it is an error. */
export function parseDer(bytes: Uint8Array): Der {
  const [only, ...more] = elements(bytes);
  if (only === undefined || more.length > 0) throw new DerError('not one DER element');
  return only;
}

export function children(node: Der | undefined, tag: number): Der[] {
  if (node?.tag !== tag) throw new DerError(`expected tag ${tag}, found ${node?.tag ?? 'nothing'}`);
  return elements(node.content);
}

export function first(nodes: readonly Der[]): Der {
  const [node] = nodes;
  if (node === undefined) throw new DerError('nothing where something has to be');
  return node;
}

export function elements(bytes: Uint8Array): Der[] {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const found: Der[] = [];
  let at = 0;
  while (at < buffer.length) {
    const tag = buffer[at] ?? 0;
    const first = buffer[at + 1];
    if (first === undefined || (tag & 0x1f) === 0x1f) throw new DerError('cut off, or a tag of several bytes');
    const lengthBytes = first < 0x80 ? 0 : first - 0x80;
    // 0x80 is the indefinite form, which DER forbids; nothing here is larger than four bytes can say.
    if (first === 0x80 || lengthBytes > 4) throw new DerError('length not in definite form');
    const start = at + 2 + lengthBytes;
    if (start > buffer.length) throw new DerError('cut off');
    const length = lengthBytes === 0 ? first : buffer.readUIntBE(at + 2, lengthBytes);
    const end = start + length;
    if (end > buffer.length) throw new DerError('cut off');
    found.push({ tag, content: buffer.subarray(start, end), raw: buffer.subarray(at, end) });
    at = end;
  }
  return found;
}

export function encode(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts);
  if (content.length < 0x80) return Buffer.concat([Buffer.of(tag, content.length), content]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(content.length);
  const significant = length.subarray(length.findIndex((byte) => byte !== 0));
  return Buffer.concat([Buffer.of(tag, 0x80 + significant.length), significant, content]);
}

/** The content of an OBJECT IDENTIFIER in dotted form. */
export function oidText({ tag, content }: Der): string {
  if (tag !== OID) throw new DerError('expected an object identifier');
  const numbers: number[] = [];
  let value = 0;
  for (const byte of content) {
    value = value * 128 + (byte & 0x7f);
    if (byte < 0x80) {
      numbers.push(value);
      value = 0;
    }
  }
  const [head = 0, ...rest] = numbers;
  const first = Math.min(2, Math.floor(head / 40));
  return [first, head - first * 40, ...rest].join('.');
}

export function encodeOid(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  const bytes = [first * 40 + second, ...rest].flatMap((number) => {
    const groups = [number & 0x7f];
    for (let left = Math.floor(number / 128); left > 0; left = Math.floor(left / 128))
      groups.unshift(0x80 + (left & 0x7f));
    return groups;
  });
  return encode(OID, Buffer.from(bytes));
}

/** Epoch milliseconds of a UTCTime or GeneralizedTime; `null` where it is neither or names no instant. */
export function derTime({ tag, content }: Der): number | null {
  const text = content.toString('latin1');
  const full = tag === UTC_TIME ? `${Number(text.slice(0, 2)) < 50 ? '20' : '19'}${text}` : text;
  if (tag !== UTC_TIME && tag !== GENERALIZED_TIME) return null;
  const match = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\.\d+)?Z$/.exec(full);
  if (match === null) return null;
  const [, y, mo, d, h, mi, s, fraction = ''] = match;
  const ms = Date.parse(`${y}-${mo}-${d}T${h}:${mi}:${s}${fraction.slice(0, 4)}Z`);
  return Number.isNaN(ms) ? null : ms;
}
