/** Why a fact is lacking. `not-collected`: nobody asked for it in this run (an older snapshot, a narrower scope). */
export type Reason =
  | 'access-denied'
  | 'cross-account'
  | 'not-found'
  | 'throttled'
  | 'wrong-region'
  | 'unsupported'
  | 'parse'
  | 'network'
  | 'not-collected'
  | 'error';

export interface Known<T> {
  readonly state: 'known';
  readonly value: T;
}

/** AWS answered that there is no such thing, with this error code: a fact like any other. */
export interface Absent {
  readonly state: 'absent';
  readonly code: string;
}

/** The fact could not be had. Says nothing about what the fact is. */
export interface Unknown {
  readonly state: 'unknown';
  readonly reason: Reason;
  /** Operation as the API names it: `GetBucketPolicy`. */
  readonly api: string;
  /** The permission the call needs: `s3:GetBucketPolicy`. */
  readonly iamAction: string;
  /** AWS's error code, or the transport's: `AccessDenied`, `ECONNREFUSED`, `HTTP 500`. */
  readonly code: string;
  readonly requestId?: string;
}

export type Evidence<T> = Known<T> | Absent | Unknown;
/** Evidence of a thing that AWS always has an answer for, even if the answer is empty. */
export type Read<T> = Known<T> | Unknown;

export const known = <T>(value: T): Known<T> => ({ state: 'known', value });
export const absent = (code: string): Absent => ({ state: 'absent', code });
export const unknown = (
  reason: Reason,
  call: { readonly api: string; readonly iamAction: string },
  code: string,
): Unknown => ({ state: 'unknown', reason, api: call.api, iamAction: call.iamAction, code });

/** What is left of a piece of evidence once it is not unknown: the value, or `null` for an absence. */
export type Seen<E> = E extends Known<infer T> ? T : E extends Absent ? null : never;

export type Looked<R> = { readonly [K in keyof R]: Seen<R[K]> };

/** Those of the pieces that are unknown, each told once. */
export function lackingOf(evidence: Iterable<Evidence<unknown>>): readonly Unknown[] {
  const lacking = new Map<string, Unknown>();
  for (const piece of evidence) {
    if (piece.state === 'unknown') lacking.set(`${piece.api} ${piece.code} ${piece.reason}`, piece);
  }
  return [...lacking.values()];
}

/**
 * All pieces together: known when each is known or absent (absent ones are `null` inside), else the unknown ones.
 * The only way from evidence to judgement; `look` in `answer.ts` is the form controls use.
 */
export function gather<R extends { readonly [name: string]: Evidence<unknown> }>(
  pieces: R,
): { readonly ok: true; readonly seen: Looked<R> } | { readonly ok: false; readonly lacking: readonly Unknown[] } {
  const lacking = lackingOf(Object.values(pieces));
  if (lacking.length > 0) return { ok: false, lacking };
  const seen = Object.fromEntries(
    Object.entries(pieces).map(([name, piece]) => [name, piece.state === 'known' ? piece.value : null]),
  );
  return { ok: true, seen: seen as Looked<R> };
}

/** `f` of the value where it is known; absence and ignorance stay what they are. */
export function mapped<T, U>(evidence: Read<T>, f: (value: T) => U): Read<U>;
export function mapped<T, U>(evidence: Evidence<T>, f: (value: T) => U): Evidence<U>;
export function mapped<T, U>(evidence: Evidence<T>, f: (value: T) => U): Evidence<U> {
  return evidence.state === 'known' ? known(f(evidence.value)) : evidence;
}
