import { describe, expect, test } from 'vitest';
import { mapOrdered } from '../../src/stream/map-ordered.ts';
import { fc } from '../support/property.ts';

/** To the next turn of the event loop: what begins in one turn has all begun before any of it ends, on a loaded machine too. */
const turn = () => new Promise<void>((resolve) => setImmediate(resolve));
const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

/** An input that counts what was pulled and knows whether it was closed. */
class Watched implements AsyncIterable<number> {
  pulled = 0;
  closed = 0;
  readonly #length: number;
  constructor(length: number) {
    this.#length = length;
  }
  async *[Symbol.asyncIterator](): AsyncGenerator<number> {
    try {
      while (this.pulled < this.#length) yield await Promise.resolve(this.pulled++);
    } finally {
      await sleep(1);
      this.closed++;
    }
  }
}

describe('mapOrdered', () => {
  test('gives the results of any input in its order, whatever the calls take', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ value: fc.integer(), turns: fc.nat(5) }), { maxLength: 50 }),
        fc.integer({ min: 1, max: 8 }),
        async (items, limit) => {
          let running = 0;
          const results = await collect(
            mapOrdered(items, limit, async ({ value, turns }) => {
              running++;
              expect(running).toBeLessThanOrEqual(limit);
              for (let turn = 0; turn < turns; turn++) await Promise.resolve();
              running--;
              return value;
            }),
          );
          expect(results).toEqual(items.map(({ value }) => value));
        },
      ),
    );
  });

  test('runs as many calls as it may, at once', async () => {
    let running = 0;
    let peak = 0;
    await collect(
      mapOrdered(new Watched(40), 7, async () => {
        peak = Math.max(peak, ++running);
        await turn();
        running--;
      }),
    );
    expect(peak).toBe(7);
  });

  test('a slow call does not idle the others, and a slow reader stops the input', async () => {
    const input = new Watched(1000);
    let finished = 0;
    let release: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    const results = mapOrdered(input, 4, async (n) => {
      if (n === 0) await gate;
      finished++;
      return n;
    });
    const first = results.next();
    await sleep(20);
    expect(finished).toBe(7);
    expect(input.pulled).toBe(8);
    release();
    expect(await first).toEqual({ done: false, value: 0 });
    await sleep(20);
    // What was taken together is held until the last of it is done with.
    expect(input.pulled).toBe(8);
    for (let n = 1; n <= 8; n++) expect(await results.next()).toEqual({ done: false, value: n });
    await sleep(20);
    expect(input.pulled).toBe(16);
    await results.return();
    expect(input.closed).toBe(1);
  });

  test('heavy results are fewer at a time, light ones as many as may be, and one too heavy for the room alone', async () => {
    const most = async (weights: readonly number[], room: number) => {
      let [running, peak] = [0, 0];
      const call = async (weight: number): Promise<number> => {
        peak = Math.max(peak, ++running);
        await turn();
        running--;
        return weight;
      };
      const taken: number[] = [];
      let settled = 0;
      for await (const weight of mapOrdered(weights, 64, call, { most: room, weigh: (result) => result })) {
        taken.push(weight);
        if (taken.length > 2 * 16) settled = Math.max(settled, running);
      }
      expect(taken).toEqual(weights);
      return { peak, settled };
    };
    const alike = (weight: number) => new Array<number>(200).fill(weight);
    // Nothing is known of the first sixteen.
    const { peak, settled } = await most(alike(100), 400);
    expect(peak).toBe(16);
    expect(settled).toBeLessThanOrEqual(4);
    expect((await most(alike(1), 400)).peak).toBe(64);
    expect((await most([...alike(0), ...alike(1000)], 400)).peak).toBe(16);
  });

  test('starts nothing before it is read', async () => {
    const input = new Watched(3);
    const results = mapOrdered(input, 2, (n) => n);
    await sleep(5);
    expect(input.pulled).toBe(0);
    expect(await collect(results)).toEqual([0, 1, 2]);
  });

  test('closes the input and awaits what runs when the reader leaves', async () => {
    const input = new Watched(100);
    let running = 0;
    for await (const n of mapOrdered(input, 5, async (item) => {
      running++;
      await sleep(5);
      running--;
      return item;
    })) {
      if (n === 2) break;
    }
    expect(running).toBe(0);
    expect(input.closed).toBe(1);
  });

  test('throws the first error in order, after the results before it', async () => {
    const input = new Watched(100);
    const seen: number[] = [];
    let running = 0;
    const run = async () => {
      for await (const n of mapOrdered(input, 5, async (item) => {
        running++;
        await sleep(item === 2 ? 10 : 1);
        running--;
        if (item === 2 || item === 3) throw new Error(`item ${item}`);
        return item;
      })) {
        seen.push(n);
      }
    };
    await expect(run()).rejects.toThrow('item 2');
    expect(seen).toEqual([0, 1]);
    expect(running).toBe(0);
    expect(input.closed).toBe(1);
    expect(input.pulled).toBeLessThan(15);
  });

  test('throws an error of the input where its result would stand', async () => {
    async function* broken(): AsyncGenerator<number> {
      yield 1;
      yield 2;
      await sleep(1);
      throw new Error('listing broke off');
    }
    const seen: number[] = [];
    const run = async () => {
      for await (const n of mapOrdered(broken(), 3, (item) => sleep(5).then(() => item))) seen.push(n);
    };
    await expect(run()).rejects.toThrow('listing broke off');
    expect(seen).toEqual([1, 2]);
  });

  test('a call that throws at once is no different', async () => {
    await expect(
      collect(
        mapOrdered([1, 2], 1, () => {
          throw new Error('at once');
        }),
      ),
    ).rejects.toThrow('at once');
  });

  test('refuses a limit below one', async () => {
    await expect(collect(mapOrdered([1], 0, (n) => n))).rejects.toThrow(RangeError);
  });
});
