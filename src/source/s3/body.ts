import type { Readable } from 'node:stream';

/** Bodies up to this size are received whole before an answer counts, so that whatever breaks one off is retried unseen. */
export const SMALL_BODY = 256 * 1024;

/** The other side went silent. */
export class StalledError extends Error {
  readonly code = 'ETIMEDOUT';
  constructor() {
    super('no data came for too long');
    this.name = 'StalledError';
  }
}

/** The body ended before, or went on after, what `Content-Length` said. */
export class LengthError extends Error {
  readonly code = 'BodyLengthMismatch';
  constructor(expected: number, received: number) {
    super(`the body has ${received} bytes instead of ${expected}`);
    this.name = 'LengthError';
  }
}

/** All of a small body. Throws what the network throws, and for another length. */
export function collect(body: Readable, length: number, idleTimeoutMs: number): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    let bytes: Buffer | null = null;
    let at = 0;
    let isWhole = false;
    const patience = setTimeout(() => body.destroy(new StalledError()), idleTimeoutMs);
    body.on('data', (chunk: Buffer) => {
      if (at === 0 && chunk.length === length) {
        bytes = chunk;
      } else if (at + chunk.length <= length) {
        bytes ??= Buffer.allocUnsafe(length);
        chunk.copy(bytes, at);
      }
      at += chunk.length;
      patience.refresh();
    });
    body.on('error', (error) => {
      clearTimeout(patience);
      reject(error);
    });
    body.on('end', () => {
      isWhole = at === length;
      if (isWhole) resolve(bytes ?? Buffer.alloc(0));
    });
    body.on('close', () => {
      clearTimeout(patience);
      if (!isWhole) reject(new LengthError(length, at));
    });
  });
}

/** A large body as it comes; the time that the reader takes is not counted. Throws what the network throws, and for another length. */
export async function* flow(body: Readable, length: number, idleTimeoutMs: number): AsyncGenerator<Uint8Array> {
  let received = 0;
  const stall = (): void => {
    body.destroy(new StalledError());
  };
  let patience = setTimeout(stall, idleTimeoutMs);
  try {
    for await (const chunk of body as AsyncIterable<Uint8Array>) {
      received += chunk.length;
      if (received > length) break;
      clearTimeout(patience);
      yield chunk;
      patience = setTimeout(stall, idleTimeoutMs);
    }
  } finally {
    clearTimeout(patience);
  }
  if (received !== length && length !== Number.POSITIVE_INFINITY) throw new LengthError(length, received);
}

/** All of a body whose end is marked in the stream instead of its length being told. */
export async function collectChunked(body: Readable, limit: number, idleTimeoutMs: number): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of flow(body, Number.POSITIVE_INFINITY, idleTimeoutMs)) {
    length += chunk.length;
    if (length > limit) throw new LengthError(limit, length);
    parts.push(chunk);
  }
  return Buffer.concat(parts);
}
