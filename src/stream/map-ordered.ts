type Outcome<R> = { state: 'running' } | { state: 'done'; value: R } | { state: 'failed'; error: unknown };

interface Slot<R> {
  outcome: Outcome<R>;
}

/**
 * `fn` over the input, at most `limit` calls at a time, results in the order of the input. At most `2 × limit` results
 * are running or waiting to be taken, so that one slow call does not idle the others and a slow reader stops the input.
 *
 * The first error in order, of `fn` or of the input, is thrown where its result would have stood; nothing more is pulled
 * from then on. However the loop over it ends, calls that still run are awaited and the input is closed first.
 */
export async function* mapOrdered<T, R>(
  input: Iterable<T> | AsyncIterable<T>,
  limit: number,
  fn: (item: T) => R | PromiseLike<R>,
): AsyncGenerator<R, void, undefined> {
  if (!(limit >= 1)) throw new RangeError(`limit must be at least 1, not ${limit}`);
  const iterator: Iterator<T> | AsyncIterator<T> =
    Symbol.asyncIterator in input ? input[Symbol.asyncIterator]() : input[Symbol.iterator]();
  const slots: Slot<R>[] = [];
  let running = 0;
  let stopped = false;
  let inputOpen = true;
  // One side waits for the other: the pump for room, the reader for the head of the queue, the end for the last call.
  let wake: () => void = () => undefined;
  let changed = new Promise<void>((resolve) => {
    wake = resolve;
  });
  const ring = () => {
    wake();
    changed = new Promise<void>((resolve) => {
      wake = resolve;
    });
  };

  const start = async (item: T): Promise<void> => {
    const slot: Slot<R> = { outcome: { state: 'running' } };
    slots.push(slot);
    running++;
    try {
      slot.outcome = { state: 'done', value: await fn(item) };
    } catch (error) {
      slot.outcome = { state: 'failed', error };
      stopped = true;
    }
    running--;
    ring();
  };

  const pump = async (): Promise<void> => {
    while (!stopped) {
      if (running >= limit || slots.length >= 2 * limit) {
        await changed;
        continue;
      }
      try {
        const next = await iterator.next();
        if (next.done) {
          inputOpen = false;
          break;
        }
        if (!stopped) void start(next.value);
      } catch (error) {
        inputOpen = false;
        slots.push({ outcome: { state: 'failed', error } });
        stopped = true;
      }
    }
  };

  const pumping = pump().finally(() => {
    stopped = true;
    ring();
  });
  try {
    for (;;) {
      const head = slots[0]?.outcome;
      if (head === undefined) {
        if (stopped) return;
        await changed;
      } else if (head.state === 'running') {
        await changed;
      } else {
        slots.shift();
        ring();
        if (head.state === 'failed') throw head.error;
        yield head.value;
      }
    }
  } finally {
    stopped = true;
    ring();
    await pumping;
    while (running > 0) await changed;
    if (inputOpen) await iterator.return?.();
  }
}
