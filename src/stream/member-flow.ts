import { createHash } from 'node:crypto';
import { createInflateRaw, type InflateRaw } from 'node:zlib';
import { crc32 } from './crc32.ts';
import { readTrailer, TRAILER_LENGTH } from './gzip-header.ts';

const CHUNK = 256 * 1024;

/** Hash and, if kept, bytes of a content that arrives in pieces. */
export class ContentSink {
  bytes = 0;
  readonly #hash = createHash('sha256');
  readonly #kept: Uint8Array[] | null;

  constructor(keep: boolean) {
    this.#kept = keep ? [] : null;
  }

  take(chunk: Uint8Array): void {
    this.bytes += chunk.length;
    this.#hash.update(chunk);
    this.#kept?.push(chunk);
  }

  finish(): { sha256: Buffer; bytes: number; content?: Buffer } {
    const content = this.#kept && { content: Buffer.concat(this.#kept) };
    return { sha256: this.#hash.digest(), bytes: this.bytes, ...content };
  }
}

/**
 * One gzip member after its header, arriving in pieces. `node:zlib`'s own gunzip joins members and skips zeros, so it is
 * the raw deflate stream that is inflated: where that ends is known exactly, and the trailer is checked here.
 */
export class MemberFlow {
  /** Why this is not one clean member; `null` as long as nothing speaks against it. */
  fault: string | null = null;
  readonly #sink: ContentSink;
  readonly #limit: number;
  readonly #inflater: InflateRaw = createInflateRaw({ chunkSize: CHUNK });
  #crc = 0;
  #fed = 0;
  #tail: Uint8Array = new Uint8Array(0);
  #ended = false;
  /** Called when the inflater will not come back to the write that waits for it: it has ended, or failed. */
  #release: () => void = () => undefined;

  constructor(sink: ContentSink, limit: number) {
    this.#sink = sink;
    this.#limit = limit;
    this.#inflater.on('data', (chunk: Buffer) => this.#inflated(chunk));
    this.#inflater.on('end', () => {
      this.#ended = true;
      this.#release();
    });
    this.#inflater.on('error', (error: NodeJS.ErrnoException) => {
      this.#fail(error.code === 'Z_BUF_ERROR' ? 'the gzip member is cut off' : 'the deflate stream is corrupt');
    });
  }

  async push(chunk: Uint8Array): Promise<void> {
    this.#fed += chunk.length;
    this.#tail =
      chunk.length >= TRAILER_LENGTH
        ? chunk.subarray(-TRAILER_LENGTH)
        : Buffer.concat([this.#tail, chunk]).subarray(-TRAILER_LENGTH);
    if (!this.#ended) await this.#wait((done) => this.#inflater.write(chunk, done));
    if (this.#ended && this.#afterStream() > TRAILER_LENGTH) this.#fail('there are bytes after the gzip member');
  }

  async finish(): Promise<void> {
    if (this.fault === null && !this.#ended) {
      await this.#wait(() => this.#inflater.end());
    }
    if (this.fault !== null) return;
    const after = this.#afterStream();
    if (after > TRAILER_LENGTH) return this.#fail('there are bytes after the gzip member');
    if (after < TRAILER_LENGTH) return this.#fail('the gzip trailer is cut off');
    const trailer = readTrailer(this.#tail);
    if (trailer.crc !== this.#crc) return this.#fail('the checksum in the gzip trailer is wrong');
    if (trailer.length !== this.#sink.bytes % 2 ** 32) return this.#fail('the length in the gzip trailer is wrong');
  }

  close(): void {
    this.#inflater.destroy();
  }

  #inflated(chunk: Buffer): void {
    if (this.fault !== null) return;
    this.#sink.take(chunk);
    this.#crc = crc32(chunk, this.#crc);
    if (this.#sink.bytes > this.#limit) this.#fail(`inflates to more than ${this.#limit} bytes`);
  }

  #fail(reason: string): void {
    this.fault ??= reason;
    this.#inflater.destroy();
    this.#release();
  }

  #wait(act: (done: () => void) => void): Promise<void> {
    if (this.fault !== null) return Promise.resolve();
    return new Promise((resolve) => {
      this.#release = resolve;
      act(resolve);
    });
  }

  /** Bytes fed that the deflate stream did not need. */
  #afterStream(): number {
    return this.#fed - this.#inflater.bytesWritten;
  }
}
