/**
 * The same items, until the signal is aborted and they have not come to an end by themselves within the grace
 * (milliseconds): then `last`, and the rest is left alone, unfinished. For work that may hang on the world.
 */
export async function* untilGivenUp<T>(
  items: AsyncGenerator<T, void, undefined>,
  signal: AbortSignal,
  grace: number,
  last: () => T,
): AsyncGenerator<T, void, undefined> {
  let over = false;
  let timer: NodeJS.Timeout | undefined;
  let wake: () => void = () => undefined;
  const begin = () => {
    timer = setTimeout(() => {
      over = true;
      wake();
    }, grace);
  };
  if (signal.aborted) begin();
  else signal.addEventListener('abort', begin, { once: true });
  try {
    for (;;) {
      const next = await new Promise<IteratorResult<T, void> | null>((resolve, reject) => {
        wake = () => resolve(null);
        items.next().then(resolve, reject);
      });
      if (next === null) {
        yield last();
        return;
      }
      if (next.done) return;
      yield next.value;
    }
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', begin);
    if (!over) await items.return();
  }
}
