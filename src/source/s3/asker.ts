import { faultOf } from '../../aws/fault.ts';
import { type Requests, SourceError, type Trouble } from '../source.ts';
import type { Answer, GetRequest, Getter, Refusal } from './answer.ts';
import type { Buckets } from './buckets.ts';
import type { Pacer } from './pacer.ts';
import { type Patience, pause } from './patience.ts';
import { courseAfter, troubleOf } from './refusal.ts';

type Accepted = Extract<Answer, { ok: true }>;

export type Asked<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly trouble: Trouble };

/** Asks until there is an answer that counts, or patience ends. */
export class Asker {
  readonly #buckets: Buckets;
  readonly #pacer: Pacer;
  readonly #patience: Patience;
  readonly #requests: Requests;

  constructor(buckets: Buckets, pacer: Pacer, patience: Patience, requests: Requests) {
    this.#buckets = buckets;
    this.#pacer = pacer;
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
      const answer = await this.#once(getter, request, take, throttled > 0);
      if (answer.ok) {
        // It is not this request that is unusual but the store, or the way to it.
        if (getter !== bucket.getter) bucket.getter = getter;
        return answer;
      }
      switch (courseAfter(answer)) {
        case 'throttled':
          if (++throttled >= this.#patience.throttledTries) return { ok: false, trouble: troubleOf(answer) };
          // The pacer holds it back as long as needed; who is refused again and again waits besides.
          if (throttled > 3) await pause(this.#patience, throttled - 3);
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
    isRetry: boolean,
  ): Promise<{ readonly ok: true; readonly value: T } | Refusal> {
    await this.#pacer.enter(isRetry);
    let outcome: 'answered' | 'refused' | 'failed' = 'failed';
    try {
      this.#requests.get++;
      const answer = await getter.get(request);
      if (!answer.ok) {
        if (courseAfter(answer) === 'throttled') outcome = 'refused';
        return answer;
      }
      const value = await take(answer);
      outcome = 'answered';
      return { ok: true, value };
    } catch (error) {
      return networkRefusal(error);
    } finally {
      this.#pacer.leave(outcome);
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
