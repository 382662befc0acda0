import { faultOf } from '../../aws/fault.ts';
import { type Requests, SourceError, type Trouble } from '../source.ts';
import type { Answer, GetRequest, Getter, Refusal } from './answer.ts';
import type { Buckets } from './buckets.ts';
import { type Patience, pause } from './patience.ts';
import { courseAfter, troubleOf } from './refusal.ts';
import type { Window } from './window.ts';

type Accepted = Extract<Answer, { ok: true }>;

export type Asked<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly trouble: Trouble };

/** Asks until there is an answer that counts, or patience ends. */
export class Asker {
  readonly #buckets: Buckets;
  readonly #window: Window;
  readonly #patience: Patience;
  readonly #requests: Requests;

  constructor(buckets: Buckets, window: Window, patience: Patience, requests: Requests) {
    this.#buckets = buckets;
    this.#window = window;
    this.#patience = patience;
    this.#requests = requests;
  }

  /** `take` reads the body as far as it must be read for the answer to count; what it throws is a reason to ask again. */
  async ask<T>(request: GetRequest, take: (answer: Accepted) => T | Promise<T>): Promise<Asked<T>> {
    const bucket = await this.#buckets.open(request.bucket);
    const credentials = await this.#buckets.credentials();
    let getter = bucket.getter;
    let isRefreshed = false;
    for (let failures = 1, throttled = 0; ; ) {
      const { generation } = credentials;
      const answer = await this.#once(getter, request, take);
      if (answer.ok) {
        // It is not this request that is unusual but the store, or the way to it.
        if (getter !== bucket.getter) bucket.getter = getter;
        return answer;
      }
      switch (courseAfter(answer)) {
        case 'throttled':
          if (++throttled >= this.#patience.throttledTries) return { ok: false, trouble: troubleOf(answer) };
          await pause(this.#patience, throttled);
          break;
        case 'again':
          if (failures >= this.#patience.tries) return { ok: false, trouble: troubleOf(answer) };
          await pause(this.#patience, failures++);
          break;
        case 'refresh':
          if (isRefreshed) return { ok: false, trouble: troubleOf(answer) };
          await credentials.refresh(generation);
          isRefreshed = true;
          break;
        case 'unusual':
          if (getter.isLast) return { ok: false, trouble: troubleOf(answer) };
          getter = await bucket.fallback();
          break;
        case 'final':
          return { ok: false, trouble: troubleOf(answer) };
      }
    }
  }

  async #once<T>(
    getter: Getter,
    request: GetRequest,
    take: (answer: Accepted) => T | Promise<T>,
  ): Promise<{ readonly ok: true; readonly value: T } | Refusal> {
    await this.#window.enter();
    let isThrottled = false;
    try {
      this.#requests.get++;
      const answer = await getter.get(request);
      if (answer.ok) return { ok: true, value: await take(answer) };
      isThrottled = courseAfter(answer) === 'throttled';
      return answer;
    } catch (error) {
      return networkRefusal(error);
    } finally {
      this.#window.leave(isThrottled, performance.now());
    }
  }
}

/** Status 0 stands for "no answer". Errors that are not of the network or of the SDK are ours and thrown on. */
function networkRefusal(error: unknown): Refusal {
  if (error instanceof SourceError) throw error;
  const { code, message, status } = faultOf(error);
  const isOfNetwork = typeof (error as NodeJS.ErrnoException).code === 'string' || code === 'TimeoutError';
  if (isOfNetwork) return { ok: false, status: 0, code, message };
  if (status !== 0 || code.endsWith('ProviderError')) {
    throw new SourceError({ kind: 'error', code, message }, { cause: error });
  }
  throw error;
}
