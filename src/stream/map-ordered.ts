type Outcome<R> = { state: 'running' } | { state: 'done'; value: R } | { state: 'failed'; error: unknown };

interface Slot<R> {
  outcome: Outcome<R>;
}

/**
 * How much may be held: results that wait and, by what the last ones weighed, those that run weigh no more together than
 * `most`; one alone may weigh anything. What weighs nothing tells nothing of the others.
 */
export interface Room<R> {
  readonly most: number;
  readonly weigh: (result: R) => number;
}

/** Calls that may run before it is known what a result weighs. */
const UNWEIGHED = 16;
/** Share of the newest result in what one that still runs is taken to weigh. */
const NEWEST = 0.25;

/**
 * `fn` over the input, at most `limit` calls at a time, results in the order of the input. At most `2 × limit` results
 * are running or waiting to be taken, so that one slow call does not idle the others and a slow reader stops the input.
 *
 * Where results differ in size, `room` bounds them by weight as well.
 *
 * The first error in order, of `fn` or of the input, is thrown where its result would have stood; nothing more is pulled
 * from then on. However the loop over it ends, calls that still run are awaited and the input is closed first.
 */
export async function* mapOrdered<T, R>(
  input: Iterable<T> | AsyncIterable<T>,
  limit: number,
  fn: (item: T) => R | PromiseLike<R>,
  room?: Room<R>,
): AsyncGenerator<R, void, undefined> {
  if (!(limit >= 1)) throw new RangeError(`limit must be at least 1, not ${limit}`);
  const iterator: Iterator<T> | AsyncIterator<T> =
    Symbol.asyncIterator in input ? input[Symbol.asyncIterator]() : input[Symbol.iterator]();
  const slots: Slot<R>[] = [];
  let running = 0;
  let held = 0;
  let expected: number | null = null;
  const isFull = (): boolean => {
    if (running >= limit || slots.length >= 2 * limit) return true;
    if (room === undefined || slots.length === 0) return false;
    return expected === null ? running >= UNWEIGHED : held + (running + 1) * expected > room.most;
  };
  const weigh = (result: R): number => room?.weigh(result) ?? 0;
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
      const value = await fn(item);
      const weight = weigh(value);
      held += weight;
      if (weight > 0) expected = expected === null ? weight : expected + NEWEST * (weight - expected);
      slot.outcome = { state: 'done', value };
    } catch (error) {
      slot.outcome = { state: 'failed', error };
      stopped = true;
    }
    running--;
    ring();
  };

  const pump = async (): Promise<void> => {
    while (!stopped) {
      if (isFull()) {
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
        held -= weigh(head.value);
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
