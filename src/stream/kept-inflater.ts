import { constants, createInflateRaw, deflateRawSync } from 'node:zlib';

/** What `node:zlib` has inside and does not document; looked at before it is trusted. */
interface Engine {
  readonly _handle: Handle;
  /** Bytes left of output and input after a write. */
  readonly _writeState: Uint32Array;
}

interface Handle {
  onerror: () => void;
  writeSync(
    flush: number,
    input: Uint8Array,
    at: number,
    length: number,
    out: Uint8Array,
    to: number,
    room: number,
  ): void;
  reset(): void;
}

/**
 * Inflates into memory that is kept. `node:zlib` makes an inflater and its buffers anew for each call, which for log
 * files costs as much as inflating, and leaves a garbage of a hundred kilobytes each.
 */
export class KeptInflater {
  readonly #engine: Engine;
  readonly #out: Buffer;
  #failed = false;

  private constructor(engine: Engine, largest: number) {
    this.#engine = engine;
    this.#out = Buffer.allocUnsafeSlow(largest + 1);
    engine._handle.onerror = () => {
      this.#failed = true;
    };
  }

  /** For contents up to `largest` bytes; `null` where this version of Node is made differently inside. */
  static make(largest: number): KeptInflater | null {
    const engine = createInflateRaw() as unknown as Partial<Engine>;
    const { _handle: handle, _writeState: state } = engine;
    if (typeof handle?.writeSync !== 'function' || typeof handle.reset !== 'function') return null;
    if (!(state instanceof Uint32Array) || !('onerror' in handle)) return null;
    const inflater = new KeptInflater(engine as Engine, largest);
    return inflater.#works() ? inflater : null;
  }

  /**
   * The content of a raw deflate stream of exactly `length` bytes that has `after` bytes behind it in `input`, valid
   * until the next call; `null` if it is not that.
   */
  inflate(input: Uint8Array, length: number, after: number): Buffer | null {
    // Beyond its memory the engine would end the process.
    if (length >= this.#out.length) return null;
    const { _handle: handle, _writeState: state } = this.#engine;
    this.#failed = false;
    // With room for one byte more, a stream that does not end where it should is an error, or fills it.
    handle.writeSync(constants.Z_FINISH, input, 0, input.length, this.#out, 0, length + 1);
    const [room, rest] = state;
    handle.reset();
    return this.#failed || room !== 1 || rest !== after ? null : this.#out.subarray(0, length);
  }

  #works(): boolean {
    const text = Buffer.from('one two three two one');
    const stream = deflateRawSync(text);
    const trailed = Buffer.concat([stream, Buffer.alloc(8)]);
    try {
      return (
        this.inflate(stream.subarray(0, -1), text.length, 0) === null &&
        this.inflate(trailed, text.length - 1, 8) === null &&
        this.inflate(Buffer.alloc(8, 0xff), text.length, 0) === null &&
        this.inflate(trailed, text.length, 8)?.equals(text) === true
      );
    } catch {
      return false;
    }
  }
}
