import { isExpired } from '../credentials-gone.ts';
import type { Trouble } from '../source.ts';
import type { Refusal } from './answer.ts';

/** A version that is a delete marker answers `MethodNotAllowed`. */
const ABSENT = new Set(['NoSuchKey', 'NoSuchVersion', 'MethodNotAllowed']);
const DENIED = new Set(['AccessDenied', 'AllAccessDisabled', 'AccountProblem', 'Forbidden']);
const ARCHIVED = new Set(['InvalidObjectState', 'ObjectNotInActiveTierError']);
const THROTTLED = new Set([
  'SlowDown',
  'ServiceUnavailable',
  'Throttling',
  'ThrottlingException',
  'RequestLimitExceeded',
  'TooManyRequestsException',
  'Busy',
]);
/** Final words that the SDK could say no better. */
const PLAIN = new Set(['NoSuchBucket', 'InvalidSecurity', 'PreconditionFailed']);

export type Course =
  /** Ask again after a pause. `throttled`: and with fewer at once. */
  | 'throttled'
  | 'again'
  /** Ask again with fresh credentials. */
  | 'refresh'
  /** Not the answer of the bucket that was meant, or not understood: let the SDK ask. */
  | 'unusual'
  /** This is the answer. */
  | 'final';

export function courseAfter({ status, code }: Refusal): Course {
  if (status === 0) return 'again';
  if (THROTTLED.has(code) || status === 429 || status === 503) return 'throttled';
  if (status >= 500 || code === 'RequestTimeout' || code === 'InternalError') return 'again';
  if (isExpired(code)) return 'refresh';
  if (ABSENT.has(code) || DENIED.has(code) || ARCHIVED.has(code) || PLAIN.has(code) || isKms(code)) return 'final';
  return status === 403 && code === '403' ? 'final' : 'unusual';
}

export function troubleOf({ status, code, message }: Refusal): Trouble {
  if (ABSENT.has(code)) return { kind: 'absent', code, message };
  if (ARCHIVED.has(code)) return { kind: 'archived', code, message };
  if (DENIED.has(code) || isKms(code) || (status === 403 && code === '403')) return { kind: 'denied', code, message };
  return { kind: 'error', code, message };
}

/** Such as `KMS.DisabledException`: the key that encrypts the object cannot be used. */
function isKms(code: string): boolean {
  return code.startsWith('KMS.') || code.startsWith('Kms');
}
