/** Shorter ones share the slabs of Node's own pool, and cost next to nothing. */
const SHORT = 4 * 1024;
const LEAST = 16 * 1024;
/** Bytes that are kept for the next bodies. */
const KEPT = 8 * 1024 * 1024;

/**
 * Memory for bodies that are held whole, lent again and again. A body that was allocated for one log file lies outside
 * V8's heap: some grow old with what holds them, and V8 hears too late how much they are.
 */
export class BodyMemory {
  readonly #spare: ArrayBuffer[] = [];
  readonly #lent = new WeakSet<ArrayBufferLike>();
  #kept = 0;

  /** For one body of that length, with whatever was in it before. */
  take(length: number): Buffer {
    if (length < SHORT) return Buffer.allocUnsafe(length);
    const spare = this.#spare.pop();
    if (spare) this.#kept -= spare.byteLength;
    const memory = spare && spare.byteLength >= length ? spare : new ArrayBuffer(roomFor(length));
    this.#lent.add(memory);
    return Buffer.from(memory, 0, length);
  }

  /** Nobody looks at that body any more. One that is never given back is garbage, like any other. */
  give({ buffer }: Uint8Array): void {
    if (!this.#lent.delete(buffer) || this.#kept + buffer.byteLength > KEPT) return;
    this.#kept += buffer.byteLength;
    this.#spare.push(buffer as ArrayBuffer);
  }
}

/** A power of two: bodies of one trail differ in length, and the next may be a little longer. */
function roomFor(length: number): number {
  let room = LEAST;
  while (room < length) room *= 2;
  return room;
}
