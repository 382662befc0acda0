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

/** `mapBatches`, one by one. */
export async function* mapOrdered<T, R>(
  input: Iterable<T> | AsyncIterable<T>,
  limit: number,
  fn: (item: T) => R | PromiseLike<R>,
  room?: Room<R>,
): AsyncGenerator<R, void, undefined> {
  for await (const results of mapBatches(singly(input), limit, fn, room)) yield* results;
}

async function* singly<T>(items: Iterable<T> | AsyncIterable<T>): AsyncGenerator<readonly [T]> {
  for await (const item of items) yield [item];
}

/**
 * `fn` over the items of the input, at most `limit` calls at a time, results in the order of the input, as many together
 * as are there: where items are many and small, passing each on by itself would cost more than what is done with it. At
 * most `2 × limit` results are running, waiting or in the hands of the reader, so that one slow call does not idle the others and a slow
 * reader stops the input.
 *
 * Where results differ in size, `room` bounds them by weight as well.
 *
 * The first error in order, of `fn` or of the input, is thrown where its result would have stood; nothing more is pulled
 * from then on. However the loop over it ends, calls that still run are awaited and the input is closed first.
 */
export async function* mapBatches<T, R>(
  input: AsyncIterable<readonly T[]>,
  limit: number,
  fn: (item: T) => R | PromiseLike<R>,
  room?: Room<R>,
): AsyncGenerator<R[], void, undefined> {
  if (!(limit >= 1)) throw new RangeError(`limit must be at least 1, not ${limit}`);
  const iterator = input[Symbol.asyncIterator]();
  const slots: Slot<R>[] = [];
  let running = 0;
  /** Results that the reader has just been given. */
  let taken = 0;
  let held = 0;
  let expected: number | null = null;
  const isFull = (): boolean => {
    if (running >= limit || slots.length + taken >= 2 * limit) return true;
    if (room === undefined || slots.length + taken === 0) return false;
    return expected === null ? running >= UNWEIGHED : held + (running + 1) * expected > room.most;
  };
  const weigh = (result: R): number => room?.weigh(result) ?? 0;
  let stopped = false;
  let inputOpen = true;
  // One side waits for the other: the pump for room, the reader for the head of the queue, the end for the last call.
  let waiting: (() => void)[] = [];
  const change = () => new Promise<void>((resolve) => waiting.push(resolve));
  const ring = () => {
    const woken = waiting;
    waiting = [];
    for (const wake of woken) wake();
  };

  const done = (slot: Slot<R>, value: R): void => {
    const weight = weigh(value);
    held += weight;
    if (weight > 0) expected = expected === null ? weight : expected + NEWEST * (weight - expected);
    slot.outcome = { state: 'done', value };
    running--;
    ring();
  };
  const failed = (slot: Slot<R>, error: unknown): void => {
    slot.outcome = { state: 'failed', error };
    stopped = true;
    running--;
    ring();
  };
  const start = (item: T): void => {
    const slot: Slot<R> = { outcome: { state: 'running' } };
    slots.push(slot);
    running++;
    try {
      const result = fn(item);
      if (isPromise(result)) {
        result.then(
          (value) => done(slot, value),
          (error: unknown) => failed(slot, error),
        );
      } else {
        done(slot, result);
      }
    } catch (error) {
      failed(slot, error);
    }
  };

  const pump = async (): Promise<void> => {
    while (!stopped) {
      // Nothing is asked of the input that there is no room for.
      if (isFull()) {
        await change();
        continue;
      }
      try {
        const next = await iterator.next();
        if (next.done) {
          inputOpen = false;
          break;
        }
        for (const item of next.value) {
          while (!stopped && isFull()) await change();
          if (stopped) break;
          start(item);
        }
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
      const { results, failure } = takeDone(slots);
      if (results.length > 0) {
        taken = results.length;
        yield results;
        taken = 0;
        for (const result of results) held -= weigh(result);
        ring();
      }
      if (failure !== null) throw failure.error;
      if (slots[0] && slots[0].outcome.state !== 'running') continue;
      if (stopped && slots.length === 0) return;
      await change();
    }
  } finally {
    stopped = true;
    ring();
    await pumping;
    while (running > 0) await change();
    if (inputOpen) await iterator.return?.();
  }
}

/** Takes from the head of the queue what is done, up to a failure or to what still runs. */
function takeDone<R>(slots: Slot<R>[]): {
  readonly results: R[];
  readonly failure: { readonly error: unknown } | null;
} {
  const results: R[] = [];
  for (const { outcome } of slots) {
    if (outcome.state !== 'done') break;
    results.push(outcome.value);
  }
  slots.splice(0, results.length);
  const head = slots[0]?.outcome;
  return { results, failure: head?.state === 'failed' ? head : null };
}

function isPromise<R>(result: R | PromiseLike<R>): result is PromiseLike<R> {
  return typeof result === 'object' && result !== null && 'then' in result;
}
