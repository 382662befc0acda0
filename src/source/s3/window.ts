const FIRST = 32;
const CUT = 0.7;
const BETWEEN_CUTS_MS = 100;

/**
 * How many requests may be in flight: grows with each answer (at first by one, which doubles it each round trip; after
 * the first refusal by one each round), shrinks when the store says that it is too much. Refusals that come together
 * are one.
 */
export class Window {
  readonly #max: number;
  #size: number;
  #inFlight = 0;
  #cutAt = 0;
  #cautious = false;
  readonly #waiting: (() => void)[] = [];

  constructor(max: number) {
    this.#max = Math.max(1, max);
    this.#size = Math.min(FIRST, this.#max);
  }

  get size(): number {
    return this.#size;
  }

  enter(): Promise<void> | undefined {
    if (this.#inFlight < Math.floor(this.#size)) {
      this.#inFlight++;
      return undefined;
    }
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** `now` in milliseconds of any clock that goes forward. */
  leave(throttled: boolean, now: number): void {
    if (!throttled) {
      this.#size = Math.min(this.#max, this.#size + (this.#cautious ? 1 / this.#size : 1));
    } else if (!this.#cautious || now - this.#cutAt >= BETWEEN_CUTS_MS) {
      this.#size = Math.max(1, this.#size * CUT);
      this.#cutAt = now;
      this.#cautious = true;
    }
    this.#inFlight--;
    while (this.#waiting.length > 0 && this.#inFlight < Math.floor(this.#size)) {
      this.#inFlight++;
      this.#waiting.shift()?.();
    }
  }
}
