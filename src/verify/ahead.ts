import pLimit from 'p-limit';

/** Folders that are listed at a time. */
const LISTINGS = 64;

/** Listings that are under way before their turn. */
export interface Ahead {
  begin<T>(list: () => Promise<T>): Promise<T>;
  /** Begins no more, whose promises are left open, and waits for what is under way. Never throws. */
  end(): Promise<void>;
}

export function createAhead(): Ahead {
  const limit = pLimit(LISTINGS);
  const running = new Set<Promise<unknown>>();

  async function run<T>(list: () => Promise<T>): Promise<T> {
    const listed = list();
    running.add(listed);
    try {
      return await listed;
    } finally {
      running.delete(listed);
    }
  }

  return {
    begin: (list) => limit(() => run(list)),
    async end() {
      limit.clearQueue();
      await Promise.allSettled(running);
    },
  };
}
