import { createHash, randomBytes, type X509Certificate } from 'node:crypto';
import { parseSignedData, type SignedData } from './cms.ts';
import {
  children,
  DerError,
  derTime,
  encode,
  encodeOid,
  first,
  GENERALIZED_TIME,
  INTEGER,
  NULL,
  OCTETS,
  oidText,
  parseDer,
  SEQUENCE,
} from './der.ts';

const SHA256 = '2.16.840.1.101.3.4.2.1';
const TST_INFO = '1.2.840.113549.1.9.16.1.4';
const TIME_STAMPING = '1.3.6.1.5.5.7.3.8';
const MAX_RESPONSE = 64 * 1024;

export class TimestampError extends Error {
  override readonly name = 'TimestampError';
}

/** A timestamp request (RFC 3161) for the SHA-256 of the content, asking for the authority's certificate. */
function timestampRequest(content: Uint8Array, nonce: Uint8Array): Buffer {
  return encode(
    SEQUENCE,
    encode(INTEGER, Buffer.of(1)),
    encode(
      SEQUENCE,
      encode(SEQUENCE, encodeOid(SHA256), encode(NULL)),
      encode(OCTETS, createHash('sha256').update(content).digest()),
    ),
    encode(INTEGER, nonce),
    encode(0x01, Buffer.of(0xff)),
  );
}

/** Asks an authority for a timestamp, until the signal; the answer is checked before it is given back. Throws `TimestampError`. */
export async function fetchTimestamp(
  url: string,
  content: Uint8Array,
  until?: AbortSignal,
  timeoutMs = 30_000,
): Promise<Buffer> {
  const nonce = randomBytes(8);
  // A positive INTEGER in its shortest form: first bit off, first byte not zero.
  nonce[0] = ((nonce[0] ?? 0) & 0x3f) | 0x40;
  const host = new URL(url).host;
  // Node may collect the timer of `AbortSignal.timeout` inside `AbortSignal.any`, which then never fires.
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(new Error(`no answer in ${timeoutMs / 1000} s`)), timeoutMs);
  const end = () => limit.abort(until?.reason);
  if (until?.aborted) end();
  until?.addEventListener('abort', end, { once: true });
  let body: Buffer;
  try {
    const answer = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/timestamp-query' },
      body: new Uint8Array(timestampRequest(content, nonce)),
      redirect: 'error',
      signal: limit.signal,
    });
    if (!answer.ok) throw new TimestampError(`the timestamp authority ${host} answered HTTP ${answer.status}`);
    body = await bounded(answer);
  } catch (error) {
    if (error instanceof TimestampError) throw error;
    const reason = error instanceof Error ? (error.cause instanceof Error ? error.cause.message : error.message) : '';
    throw new TimestampError(`the timestamp authority ${host} could not be asked: ${reason}`);
  } finally {
    clearTimeout(timer);
    until?.removeEventListener('abort', end);
  }
  const stamp = readTimestamp(body);
  if (!stamp.covers(content))
    throw new TimestampError('the timestamp is for other bytes, or its signature does not verify');
  if (stamp.nonce === null || !stamp.nonce.equals(nonce))
    throw new TimestampError('the timestamp answers another request');
  return body;
}

export interface Timestamp {
  /** Epoch milliseconds. */
  readonly time: number;
  readonly nonce: Buffer | null;
  readonly authority: X509Certificate;
  readonly certificates: readonly X509Certificate[];
  /** Whether it is for this content, signed by the certificate enclosed, which is one for timestamping. */
  covers(content: Uint8Array): boolean;
}

/** Reads a timestamp response as it was stored. Throws `TimestampError`. */
export function readTimestamp(response: Uint8Array): Timestamp {
  try {
    const [status, token] = children(parseDer(response), SEQUENCE);
    const granted = children(status, SEQUENCE)[0]?.content.readUInt8(0);
    if (granted === undefined || granted > 1 || token === undefined) {
      throw new TimestampError(`the timestamp was not granted (status ${granted ?? 'unreadable'})`);
    }
    return readToken(parseSignedData(token.raw));
  } catch (error) {
    if (error instanceof TimestampError) throw error;
    throw new TimestampError(`not a timestamp response: ${error instanceof Error ? error.message : 'unreadable'}`);
  }
}

function readToken(signed: SignedData): Timestamp {
  const { content: info } = signed;
  if (signed.contentType !== TST_INFO || info === null) throw new DerError('no TSTInfo');
  const [, , imprint, , genTime, ...optional] = children(parseDer(info), SEQUENCE);
  const [algorithm, hashed] = children(imprint, SEQUENCE);
  const hash = oidText(first(children(algorithm, SEQUENCE)));
  const time = genTime?.tag === GENERALIZED_TIME ? derTime(genTime) : null;
  if (time === null) throw new DerError('no time');
  return {
    time,
    nonce: optional.find(({ tag }) => tag === INTEGER)?.content ?? null,
    authority: signed.signer,
    certificates: signed.certificates,
    covers: (content) =>
      hash === SHA256 &&
      createHash('sha256')
        .update(content)
        .digest()
        .equals(hashed?.content ?? Buffer.alloc(0)) &&
      signed.signer.keyUsage?.includes(TIME_STAMPING) === true &&
      signed.verifies(info),
  };
}

async function bounded(answer: Response): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of answer.body ?? []) {
    size += part.length;
    if (size > MAX_RESPONSE) throw new TimestampError('the answer of the timestamp authority is too large');
    parts.push(part);
  }
  return Buffer.concat(parts);
}
