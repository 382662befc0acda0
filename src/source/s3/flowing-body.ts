import { LengthError } from './body.ts';

/** What the connection does for a body that flows. */
export interface Flow {
  /** Lets more come. Until then nothing does, but for what was received already. */
  resume(): void;
  /** The reader has what it wants. */
  end(): void;
}

/** A large body as it comes from a connection, a piece at a time: what its reader has not asked for stays in the network. */
export class FlowingBody {
  readonly #length: number;
  readonly #flow: Flow;
  readonly #pieces: Buffer[] = [];
  #error: Error | null = null;
  #wake: (() => void) | null = null;

  constructor(length: number, flow: Flow) {
    this.#length = length;
    this.#flow = flow;
  }

  /** Only then is silence the other side's. */
  get isAwaited(): boolean {
    return this.#wake !== null;
  }

  /** `piece` is the body's own from now on. */
  push(piece: Buffer): void {
    this.#pieces.push(piece);
    this.#wake?.();
  }

  /** Nothing more comes. */
  fail(error: Error): void {
    this.#error ??= error;
    this.#wake?.();
  }

  /** Throws what the connection failed with, and for another length. */
  async *pieces(): AsyncGenerator<Uint8Array, void, undefined> {
    let received = 0;
    try {
      while (received < this.#length) {
        const piece = this.#pieces.shift() ?? (await this.#next());
        received += piece.length;
        if (received > this.#length) throw new LengthError(this.#length, received);
        yield piece;
      }
    } finally {
      this.#flow.end();
    }
  }

  async #next(): Promise<Buffer> {
    while (this.#pieces.length === 0 && this.#error === null) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
        this.#flow.resume();
      });
      this.#wake = null;
    }
    const piece = this.#pieces.shift();
    if (piece) return piece;
    throw this.#error ?? new LengthError(this.#length, 0);
  }
}
