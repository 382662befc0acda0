const FIRST_IN_FLIGHT = 32;
/** Of the rate that the store was seen to bear, what is asked of it after it refused. */
const CUT = 0.95;
/** Never less than this share of the rate before: what was accepted lately is too little where we were idle. */
const DEEPEST_CUT = 0.8;
/** Refusals that come together are one. */
const BETWEEN_CUTS_MS = 150;
/** The first guess is made from few answers, or none; one too high is put right in a moment, one too low takes longer. */
const LEAST_GUESS = 1000;
/** Growth of the rate a second: after the first guess, back to just below where it was refused, from there, and long after. */
const SEARCHING = 2;
const RECOVERING = 0.5;
const PROBING = 0.05;
const FORGETTING = 0.3;
const JUST_BELOW = 0.96;
const FORGOTTEN_AFTER_MS = 4_000;
/** Requests that a late timer may catch up on, in time. */
const BURST_MS = 50;
const SLOT_MS = 50;
const SLOTS = 10;

/**
 * When a request may go: a number in flight that doubles each round trip up to its maximum, and once the store has said
 * that it is too much, a rate as well. A number alone cannot hold back enough: one at a time with a fast store is still
 * a thousand a second. The rate follows what the store was seen to accept, so it settles just below what it allows.
 */
export class Pacer {
  readonly #max: number;
  #allowed: number;
  #inFlight = 0;
  readonly #waiting: (() => void)[] = [];
  /** Requests a second; infinite until the first refusal. */
  #rate = Number.POSITIVE_INFINITY;
  /** The rate that was refused last. */
  #refusedAt: number | null = null;
  #tokens = 0;
  #filledAt = 0;
  #grownAt = 0;
  #cutAt = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | null = null;
  readonly #accepted = new Recent();

  constructor(maxInFlight: number) {
    this.#max = Math.max(1, maxInFlight);
    this.#allowed = Math.min(FIRST_IN_FLIGHT, this.#max);
  }

  get rate(): number {
    return this.#rate;
  }

  /** Resolves when the request may go. One that was refused before goes first: others wait for its result. */
  enter(isRetry: boolean): Promise<void> {
    return new Promise((resolve) => {
      if (isRetry) this.#waiting.unshift(resolve);
      else this.#waiting.push(resolve);
      this.#admit();
    });
  }

  /** To be called once for each time that `enter` resolved. */
  leave(outcome: 'answered' | 'refused' | 'failed'): void {
    const now = performance.now();
    this.#inFlight--;
    if (outcome === 'answered') {
      this.#accepted.count(now);
      this.#allowed = Math.min(this.#max, this.#allowed + 1);
      this.#grow(now);
    } else if (outcome === 'refused') {
      this.#cut(now);
    }
    this.#admit();
  }

  #cut(now: number): void {
    if (now - this.#cutAt < BETWEEN_CUTS_MS) return;
    const seen = Math.min(this.#rate, this.#accepted.perSecond(now)) * CUT;
    if (this.#rate === Number.POSITIVE_INFINITY) {
      this.#rate = Math.max(LEAST_GUESS, seen);
    } else {
      const least = this.#refusedAt === null ? 1 : this.#rate * DEEPEST_CUT;
      this.#refusedAt = this.#rate;
      this.#rate = Math.max(1, least, seen);
    }
    this.#accepted.restart(now);
    this.#cutAt = now;
    this.#grownAt = now;
    this.#filledAt = now;
    this.#tokens = 0;
  }

  #grow(now: number): void {
    if (this.#rate === Number.POSITIVE_INFINITY) return;
    const share = this.#growth(now);
    this.#rate *= 1 + (share * Math.min(now - this.#grownAt, 100)) / 1000;
    this.#grownAt = now;
  }

  #growth(now: number): number {
    if (this.#refusedAt === null) return SEARCHING;
    if (this.#rate < this.#refusedAt * JUST_BELOW) return RECOVERING;
    return now - this.#cutAt > FORGOTTEN_AFTER_MS ? FORGETTING : PROBING;
  }

  #admit(): void {
    const now = performance.now();
    if (this.#rate !== Number.POSITIVE_INFINITY) {
      const burst = Math.max(1, (this.#rate * BURST_MS) / 1000);
      this.#tokens = Math.min(burst, this.#tokens + ((now - this.#filledAt) * this.#rate) / 1000);
      this.#filledAt = now;
    }
    while (this.#waiting.length > 0 && this.#inFlight < this.#allowed) {
      if (this.#rate !== Number.POSITIVE_INFINITY) {
        if (this.#tokens < 1) {
          this.#timer ??= setTimeout(
            () => {
              this.#timer = null;
              this.#admit();
            },
            Math.ceil(((1 - this.#tokens) * 1000) / this.#rate),
          );
          return;
        }
        this.#tokens--;
      }
      this.#inFlight++;
      this.#waiting.shift()?.();
    }
  }
}

/** How many events a second there were lately, or since the last restart. */
class Recent {
  readonly #counts = new Array<number>(SLOTS).fill(0);
  #slot = 0;
  #since: number | null = null;

  restart(now: number): void {
    this.#counts.fill(0);
    this.#since = now;
  }

  count(now: number): void {
    this.#since ??= now;
    this.#turnTo(now);
    this.#counts[this.#slot % SLOTS] = (this.#counts[this.#slot % SLOTS] ?? 0) + 1;
  }

  perSecond(now: number): number {
    this.#turnTo(now);
    const total = this.#counts.reduce((sum, count) => sum + count, 0);
    const since = Math.max(this.#since ?? now, (this.#slot - SLOTS + 1) * SLOT_MS);
    return (total * 1000) / Math.max(SLOT_MS, now - since);
  }

  #turnTo(now: number): void {
    const slot = Math.floor(now / SLOT_MS);
    for (let stale = Math.max(this.#slot + 1, slot - SLOTS + 1); stale <= slot; stale++)
      this.#counts[stale % SLOTS] = 0;
    this.#slot = slot;
  }
}
