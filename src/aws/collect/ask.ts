import pLimit from 'p-limit';
import { CALLS, type CallName, namedIn } from '../../posture/calls.ts';
import { type Evidence, known, type Read, unknown } from '../../posture/evidence.ts';
import { notCollected } from '../../posture/world.ts';
import { classify } from './classify.ts';
import { hasForm } from './forms.ts';

/** The JSON of what an SDK answered: times as ISO strings, nothing undefined, no `$metadata`. */
export type Plain<T> = T extends Date
  ? string
  : T extends readonly (infer U)[]
    ? readonly Plain<U>[]
    : T extends object
      ? { readonly [K in keyof T as K extends '$metadata' ? never : K]: Plain<Exclude<T[K], undefined>> }
      : T;

export interface Ask {
  /** One call, whatever becomes of it. `foreign`: the thing belongs to another account, so a refusal may be that. */
  evidence<T>(name: CallName, send: () => Promise<T>, foreign?: boolean): Promise<Evidence<Plain<T>>>;
  /** As `evidence`, for what AWS always has an answer for: an absence is one more thing not read. */
  read<T>(name: CallName, send: () => Promise<T>, foreign?: boolean): Promise<Read<Plain<T>>>;
  /** Whether this call is made at all in this run. */
  wants(name: CallName): boolean;
  /** Calls sent so far; lists and the rest. */
  readonly asked: { list: number; get: number };
}

/**
 * Calls in flight at most `limit` at a time, each on its own: one refusal costs one piece of evidence. A call that is not
 * `wanted` is never sent and its fact stays uncollected; so do all that are open or to come once `interrupt` fires.
 */
export function asking(wanted: ReadonlySet<CallName>, interrupt?: AbortSignal, limit = 16): Ask {
  const interrupted = new Promise<'interrupted'>((resolve) => {
    if (interrupt?.aborted) resolve('interrupted');
    interrupt?.addEventListener('abort', () => resolve('interrupted'), { once: true });
  });
  const gate = pLimit(limit);
  const asked = { list: 0, get: 0 };
  const evidence: Ask['evidence'] = (name, send, foreign = false) =>
    gate(async () => {
      if (!wanted.has(name)) return notCollected(name);
      if (interrupt?.aborted) return unknown('not-collected', namedIn(name), 'Interrupted');
      asked[CALLS[name].operation.startsWith('List') ? 'list' : 'get'] += 1;
      try {
        const answer = await Promise.race([send(), interrupted]);
        if (answer === 'interrupted') return unknown('not-collected', namedIn(name), 'Interrupted');
        const whole = plain(answer);
        if (!isAnswer(name, whole)) return unknown('parse', namedIn(name), 'EmptyAnswer');
        return hasForm(name, whole) ? known(whole) : unknown('parse', namedIn(name), 'UnexpectedAnswer');
      } catch (error) {
        return classify(name, error, foreign);
      }
    });
  return {
    asked,
    wants: (name) => wanted.has(name),
    evidence,
    read: async (name, send, foreign) => readOf(name, await evidence(name, send, foreign)),
  };
}

/** What AWS never leaves out of an answer, one of the members at least: without it somebody else has answered. */
const ALWAYS_TOLD: { readonly [N in CallName]?: readonly string[] } = {
  DescribeTrails: ['trailList'],
  GetTrailStatus: ['IsLogging'],
  GetEventSelectors: ['EventSelectors', 'AdvancedEventSelectors'],
  ListEventDataStores: ['EventDataStores'],
  ListRegions: ['Regions'],
  GetKeyRotationStatus: ['KeyRotationEnabled'],
  DescribeLogGroups: ['logGroups'],
};

function isAnswer(name: CallName, answer: unknown): boolean {
  const members = ALWAYS_TOLD[name];
  return members === undefined || (typeof answer === 'object' && members.some((member) => member in Object(answer)));
}

/** An absence where there should be an answer: one more thing not read. */
export function readOf<T>(name: CallName, evidence: Evidence<T>): Read<T> {
  return evidence.state === 'absent' ? unknown('not-found', namedIn(name), evidence.code) : evidence;
}

/** The part of an answer that was asked for. An endpoint that answers 200 without it has not answered. */
export function answered<T, U>(name: CallName, evidence: Evidence<T>, part: (answer: T) => U | undefined): Evidence<U> {
  if (evidence.state !== 'known') return evidence;
  const value = part(evidence.value);
  return value === undefined ? unknown('parse', namedIn(name), 'EmptyAnswer') : known(value);
}

/** More pages than any of the lists asked for here can have. */
const MAX_PAGES = 10_000;

/**
 * All pages of a list. `next`: the token of the page after this one, `undefined` after the last, `null` where there is
 * more and nothing says where. A list without an end, or cut off in its middle, has not been read.
 */
export async function pagesOf<T>(
  name: CallName,
  page: (token: string | undefined) => Promise<Read<T>>,
  next: (page: T) => string | null | undefined,
): Promise<Read<readonly T[]>> {
  const pages: T[] = [];
  const tokens = new Set<string>();
  let token: string | undefined;
  for (;;) {
    const one = await page(token);
    if (one.state !== 'known') return one;
    pages.push(one.value);
    const following = next(one.value);
    if (following === undefined || following === '') return known(pages);
    if (following === null || tokens.has(following) || pages.length === MAX_PAGES) {
      return unknown('parse', namedIn(name), 'EndlessPages');
    }
    tokens.add(following);
    token = following;
  }
}

function plain<T>(answer: T): Plain<T> {
  return JSON.parse(JSON.stringify(answer, (key, value) => (key === '$metadata' ? undefined : value)) ?? 'null');
}
