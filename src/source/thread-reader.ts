import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { type Delegation, isSame } from './delegation.ts';
import { type Reading, type ReadOptions, readObject } from './reading.ts';
import { type Location, type Source, SourceError } from './source.ts';
import { type Done, type FromThread, type ToThread, unpack } from './thread-messages.ts';

/** How the pipeline reads: `readObject`, on as many cores as it pays. */
export interface Reader {
  read(source: Source, location: Location, options: ReadOptions): Promise<Reading>;
  close(): Promise<void>;
}

/** A run of fewer objects needs no thread, which takes some tenth of a second to start. */
const SMALL_RUN = 100;
/** After the store asked for fewer requests, they all go where they are paced. */
const REST_MS = 60_000;
/** Run from the sources, as tests do, there is no compiled thread. */
const THREAD = new URL('./reading-thread.js', import.meta.url);

/** Bodies wait for the collector of the young: the larger its room, the more of them lie about. */
const YOUNG_MB = 12;

/** So few in flight are not worth a thread. */
const FEW = 16;

/**
 * Reads in this thread at first, and what lies in `source` with others, one for each core, once the run turns out to be
 * long. `concurrency`: how many reads will be asked for at a time.
 */
export function openReader(source: Source, concurrency: number): Reader {
  const threads = source.delegate === undefined ? 0 : threadsFor(concurrency);
  return threads > 0 ? new ThreadReader(source, threads) : { read: alone(), close: () => Promise.resolve() };
}

/**
 * Starts threads for the reader that will be opened, while what it is to read is still being found out: until then there
 * is work for one core only. They hold up nothing if they are not needed.
 */
export function startThreads(concurrency: number): void {
  while (spare.length < threadsFor(concurrency)) spare.push(new Thread());
}

const spare: Thread[] = [];

function threadsFor(concurrency: number): number {
  const threads = Math.min(availableParallelism(), Math.floor(concurrency / FEW));
  return threads > 1 && existsSync(THREAD) ? threads : 0;
}

/** A directory is read without ever waiting, so timers, signals and threads would not be heard if nobody let them. */
const TURN = 16;

function alone(): Reader['read'] {
  let begun = 0;
  return async (source, location, options) => {
    if (++begun % TURN === 0) await new Promise((resolve) => setImmediate(resolve));
    return readObject(source, location, options);
  };
}

interface Waiting {
  readonly location: Location;
  readonly options: ReadOptions;
  resolve(reading: Reading | Promise<Reading>): void;
}

const GIVEN_UP: Reading = {
  kind: 'trouble',
  trouble: { kind: 'error', code: 'GivenUp', message: 'the run ended before this was read' },
};

class ThreadReader implements Reader {
  readonly #source: Source;
  readonly #count: number;
  readonly #alone = alone();
  readonly #threads: Thread[] = [];
  #begun = 0;
  #restsUntil = 0;
  #isClosed = false;
  readonly #waiting: Waiting[] = [];

  constructor(source: Source, threads: number) {
    this.#source = source;
    this.#count = threads;
  }

  read(source: Source, location: Location, options: ReadOptions): Promise<Reading> {
    if (source !== this.#source) return this.#alone(source, location, options);
    if (this.#threads.length === 0 && (spare.length > 0 || ++this.#begun === SMALL_RUN)) this.#start();
    if (this.#threads.length === 0) return this.#alone(source, location, options);
    return new Promise((resolve) => {
      if (this.#waiting.length === 0) setImmediate(() => void this.#hand());
      this.#waiting.push({ location, options, resolve });
    });
  }

  /** What is in flight is given up. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all(this.#threads.map((thread) => thread.end()));
  }

  #start(): void {
    const { requests } = this.#source;
    for (let n = 0; n < this.#count; n++) {
      const thread = spare.pop() ?? new Thread();
      thread.serve((waiting, done) => {
        if (done !== null) requests.get++;
        if (done !== null && 'reading' in done) {
          if (done.reading.kind !== 'trouble') requests.bytes += done.reading.storedBytes;
          waiting.resolve(this.#completed(done.reading, waiting.location));
          return;
        }
        if (done?.back === 'throttled') this.#restsUntil = performance.now() + REST_MS;
        this.#readHere(waiting);
      });
      this.#threads.push(thread);
    }
  }

  #readHere({ location, options, resolve }: Waiting): void {
    resolve(this.#isClosed ? GIVEN_UP : readObject(this.#source, location, options));
  }

  /** A thread does not know the metadata that is kept apart from the objects. */
  #completed(reading: Reading, { key }: Location): Reading {
    if (reading.kind === 'trouble' || this.#source.metadataOf === undefined) return reading;
    try {
      return { ...reading, head: { ...reading.head, metadata: this.#source.metadataOf(key) } };
    } catch (error) {
      if (error instanceof SourceError) return { kind: 'trouble', trouble: error.trouble };
      throw error;
    }
  }

  /** All that came up in this turn, one message for each thread; a little of it is read here until one is ready. */
  async #hand(): Promise<void> {
    const isThreaded = performance.now() >= this.#restsUntil && this.#threads.some(({ isReady }) => isReady);
    const waiting = this.#waiting.splice(0, isThreaded ? this.#waiting.length : TURN);
    if (!isThreaded) {
      for (const job of waiting) this.#readHere(job);
      if (this.#waiting.length > 0) setImmediate(() => void this.#hand());
      return;
    }
    for (const [bucket, jobs] of byBucket(waiting)) {
      const delegation = (await this.#source.delegate?.(bucket)) ?? null;
      const ready = this.#threads.filter(({ isReady }) => isReady);
      if (delegation === null || ready.length === 0) {
        for (const job of jobs) this.#readHere(job);
        continue;
      }
      const total = ready.reduce((sum, { busy }) => sum + busy, jobs.length);
      let from = 0;
      for (const [n, thread] of ready.entries()) {
        const isLast = n === ready.length - 1;
        const to = isLast ? jobs.length : from + Math.max(0, Math.ceil(total / ready.length) - thread.busy);
        thread.read(bucket, delegation, jobs.slice(from, to));
        from = Math.min(to, jobs.length);
      }
    }
  }
}

function byOptions(waiting: readonly Waiting[]): (readonly [Waiting, ...Waiting[]])[] {
  const runs: [Waiting, ...Waiting[]][] = [];
  for (const each of waiting) {
    const last = runs.at(-1);
    if (last && isAlike(last[0].options, each.options)) last.push(each);
    else runs.push([each]);
  }
  return runs;
}

function isAlike(a: ReadOptions, b: ReadOptions): boolean {
  return a.keep === b.keep && a.versionId === b.versionId && a.limits === b.limits;
}

function byBucket(waiting: readonly Waiting[]): Map<string, Waiting[]> {
  const buckets = new Map<string, Waiting[]>();
  for (const each of waiting) {
    const those = buckets.get(each.location.bucket);
    if (those) those.push(each);
    else buckets.set(each.location.bucket, [each]);
  }
  return buckets;
}

/** One thread and what it was asked for. `settle` gets `null` for a read that went down with the thread. */
class Thread {
  isReady = false;
  readonly #worker = new Worker(THREAD, { execArgv: [], resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB } });
  #settle: (waiting: Waiting, done: Done | null) => void = () => undefined;
  readonly #jobs = new Map<number, Waiting>();
  readonly #ways = new Map<string, { way: number; delegation: Delegation }>();
  #nextId = 0;

  constructor() {
    this.#worker.once('online', () => {
      this.isReady = true;
    });
    this.#worker.on('message', (message: FromThread) => {
      for (const done of unpack(message)) this.#finish(done.id, done);
    });
    // Whatever it was will show itself where the reads are done again.
    this.#worker.on('error', () => this.#fail());
    this.#worker.on('exit', () => this.#fail());
    // Last: to listen is to wait for it.
    this.#worker.unref();
  }

  /** From now on the program does not end without it. */
  serve(settle: (waiting: Waiting, done: Done | null) => void): void {
    this.#settle = settle;
    this.#worker.ref();
  }

  get busy(): number {
    return this.#jobs.size;
  }

  read(bucket: string, delegation: Delegation, waiting: readonly Waiting[]): void {
    if (waiting.length === 0) return;
    const way = this.#wayFor(bucket, delegation);
    for (const alike of byOptions(waiting)) {
      const id = this.#nextId;
      for (const each of alike) this.#jobs.set(this.#nextId++, each);
      this.#send({
        type: 'read',
        id,
        way,
        bucket,
        keys: alike.map(({ location }) => location.key),
        options: alike[0].options,
      });
    }
  }

  async end(): Promise<void> {
    await this.#worker.terminate();
  }

  #wayFor(bucket: string, delegation: Delegation): number {
    const known = this.#ways.get(bucket);
    if (known && isSame(known.delegation, delegation)) return known.way;
    const way = known?.way ?? this.#ways.size;
    this.#ways.set(bucket, { way, delegation });
    this.#send({ type: 'way', way, delegation });
    return way;
  }

  #send(message: ToThread): void {
    this.#worker.postMessage(message);
  }

  #finish(id: number, done: Done | null): void {
    const waiting = this.#jobs.get(id);
    this.#jobs.delete(id);
    if (waiting) this.#settle(waiting, done);
  }

  #fail(): void {
    this.isReady = false;
    for (const id of [...this.#jobs.keys()]) this.#finish(id, null);
  }
}
