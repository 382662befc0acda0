import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Pacer } from '../../src/source/s3/pacer.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** A store that accepts so many a second, a tenth of them at once, and takes some milliseconds for each answer. */
class Store {
  accepted = 0;
  refused = 0;
  peak = 0;
  #inFlight = 0;
  #cap: number;
  #tokens = 0;
  #at = performance.now();
  readonly #latencyMs: number;

  constructor(cap: number, latencyMs: number) {
    this.#cap = cap;
    this.#latencyMs = latencyMs;
  }

  set cap(cap: number) {
    this.#cap = cap;
  }

  async ask(): Promise<'answered' | 'refused'> {
    this.peak = Math.max(this.peak, ++this.#inFlight);
    const now = performance.now();
    this.#tokens = Math.min(this.#cap / 10, this.#tokens + ((now - this.#at) * this.#cap) / 1000);
    this.#at = now;
    const isAccepted = this.#cap === Number.POSITIVE_INFINITY || this.#tokens >= 1;
    if (isAccepted) this.#tokens--;
    await new Promise((resolve) => setTimeout(resolve, this.#latencyMs));
    this.#inFlight--;
    if (isAccepted) this.accepted++;
    else this.refused++;
    return isAccepted ? 'answered' : 'refused';
  }
}

/** Reads that many objects, each until it is answered, with so many asked for at once; gives the seconds it took. */
async function run(pacer: Pacer, store: Store, objects: number, atOnce = 256): Promise<number> {
  const started = performance.now();
  let left = objects;
  let ended = started;
  const read = async () => {
    while (left-- > 0) {
      for (let isRetry = false; ; isRetry = true) {
        await pacer.enter(isRetry);
        const outcome = await store.ask();
        pacer.leave(outcome);
        if (outcome === 'answered') break;
      }
      ended = performance.now();
    }
  };
  const all = Promise.all(Array.from({ length: atOnce }, read));
  let done = false;
  void all.then(() => {
    done = true;
  });
  while (!done) await vi.advanceTimersByTimeAsync(50);
  return (ended - started) / 1000;
}

describe('the pacer', () => {
  test.each([
    [2000, 20_000, 1, 0.95, 0.05],
    [2000, 20_000, 30, 0.95, 0.05],
    [500, 20_000, 1, 0.9, 0.05],
    [500, 10_000, 100, 0.9, 0.05],
    [50, 1000, 1, 0.85, 0.3],
  ])(
    'a store that bears %i a second gets nearly that, and little more (%i objects, %i ms)',
    async (cap, objects, latency, share, extra) => {
      const store = new Store(cap, latency);
      const seconds = await run(new Pacer(256), store, objects);
      expect(store.accepted).toBe(objects);
      expect(objects / seconds / cap).toBeGreaterThan(share);
      expect(store.refused / objects).toBeLessThan(extra);
    },
  );

  test('a store that bears more again gets more', async () => {
    const store = new Store(200, 5);
    const pacer = new Pacer(64);
    await run(pacer, store, 2000);
    store.cap = 4000;
    const seconds = await run(pacer, store, 60_000);
    expect(60_000 / seconds).toBeGreaterThan(1500);
  });

  test('without refusals there are as many in flight as may be, after a few round trips', async () => {
    const store = new Store(Number.POSITIVE_INFINITY, 10);
    const seconds = await run(new Pacer(256), store, 5120);
    expect(store.peak).toBe(256);
    expect(seconds).toBeLessThan(0.26);
  });

  test('never more are in flight than the maximum', async () => {
    const store = new Store(Number.POSITIVE_INFINITY, 10);
    await run(new Pacer(3), store, 100, 50);
    expect(store.peak).toBe(3);
  });

  test('who was refused goes before those who wait', async () => {
    const pacer = new Pacer(1);
    await pacer.enter(false);
    const order: string[] = [];
    const first = pacer.enter(false).then(() => order.push('waited'));
    const second = pacer.enter(true).then(() => order.push('refused before'));
    pacer.leave('failed');
    await second;
    pacer.leave('failed');
    await first;
    expect(order).toEqual(['refused before', 'waited']);
  });
});
