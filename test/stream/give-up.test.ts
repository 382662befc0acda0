import { expect, it } from 'vitest';
import { untilGivenUp } from '../../src/stream/give-up.ts';

async function* numbers(
  count: number,
  closed: () => void,
  wait: (n: number) => Promise<void> = () => Promise.resolve(),
) {
  try {
    for (let n = 0; n < count; n++) {
      await wait(n);
      yield n;
    }
  } finally {
    closed();
  }
}

async function all(items: AsyncIterable<number>): Promise<number[]> {
  const found: number[] = [];
  for await (const item of items) found.push(item);
  return found;
}

const never = new Promise<void>(() => undefined);

it('changes nothing while nobody wants an end', async () => {
  let closed = 0;
  const items = numbers(3, () => closed++);
  expect(await all(untilGivenUp(items, new AbortController().signal, 10, () => -1))).toEqual([0, 1, 2]);
  expect(closed).toBe(1);
});

it('lets what ends by itself within the grace end by itself', async () => {
  const stop = new AbortController();
  const items = numbers(
    3,
    () => undefined,
    async (n) => {
      if (n === 1) stop.abort();
      await new Promise((resolve) => setTimeout(resolve, 5));
    },
  );
  expect(await all(untilGivenUp(items, stop.signal, 5000, () => -1))).toEqual([0, 1, 2]);
});

it.each([
  ['aborted on the way', false],
  ['aborted before', true],
])('leaves what hangs, %s', async (_name, before) => {
  const stop = new AbortController();
  if (before) stop.abort();
  const items = numbers(
    3,
    () => undefined,
    (n) => {
      if (n !== 2) return Promise.resolve();
      stop.abort();
      return never;
    },
  );
  expect(await all(untilGivenUp(items, stop.signal, 20, () => -1))).toEqual([0, 1, -1]);
});

it('closes the items when its reader leaves', async () => {
  let closed = 0;
  for await (const item of untilGivenUp(
    numbers(3, () => closed++),
    new AbortController().signal,
    10,
    () => -1,
  )) {
    if (item === 1) break;
  }
  expect(closed).toBe(1);
});

it('passes on what is thrown', async () => {
  const items = numbers(
    3,
    () => undefined,
    (n) => (n === 1 ? Promise.reject(new Error('ours')) : Promise.resolve()),
  );
  await expect(all(untilGivenUp(items, new AbortController().signal, 10, () => -1))).rejects.toThrow('ours');
});
