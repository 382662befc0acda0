import { CALLS, type Call, type CallName, namedIn } from '../../posture/calls.ts';
import { type Absent, absent, type Reason, type Unknown } from '../../posture/evidence.ts';

/** What an SDK error may carry; it is read field by field because not all that is thrown comes from a service. */
interface Thrown {
  readonly name?: string;
  readonly Code?: string;
  readonly code?: string;
  readonly message?: string;
  readonly $metadata?: { readonly httpStatusCode?: number; readonly requestId?: string };
  readonly $response?: { readonly statusCode?: number };
}

const NETWORK = /^(E[A-Z]+|TimeoutError|NetworkingError|RequestTimeout|UND_ERR_\w+)$/;
const DENIED = /^(AccessDenied(Exception)?|UnauthorizedOperation|Forbidden|AllAccessDisabled|KMS\.AccessDenied\w*)$/;
const THROTTLED = /^(Throttl\w*|TooManyRequests\w*|SlowDown|RequestLimitExceeded|ServiceUnavailable)$/;
const WRONG_REGION = /^(PermanentRedirect|TemporaryRedirect|IncorrectEndpoint|AuthorizationHeaderMalformed|301|307)$/;
const MISSING = /^(NotFound(Exception)?|NoSuch\w+|\w+NotFound(Exception|Error)?)$/;
const UNSUPPORTED = /^(NotImplemented|UnsupportedOperation\w*|MethodNotAllowed|UnknownOperation\w*|InvalidAction)$/;

/**
 * What a failed call tells: that the thing is absent, where the table says that this code means so, else why the fact is
 * unknown. Bodies that no parser understands (a proxy's HTML page, an empty 403) are told by their HTTP status.
 */
export function classify(name: CallName, error: unknown, foreign: boolean): Absent | Unknown {
  const thrown: Thrown = typeof error === 'object' && error !== null ? error : {};
  const status = thrown.$metadata?.httpStatusCode ?? thrown.$response?.statusCode;
  const code = codeOf(thrown, status);
  const { absent: absentCodes }: Call = CALLS[name];
  if (absentCodes.includes(code)) return absent(code);
  if (saysNoLock(name, thrown)) return absent('InvalidRequest');
  const reason = reasonOf(code, status);
  const requestId = thrown.$metadata?.requestId;
  return {
    state: 'unknown',
    reason: reason === 'access-denied' && foreign ? 'cross-account' : reason,
    ...namedIn(name),
    code,
    ...(requestId ? { requestId } : {}),
  };
}

const MEANINGLESS = new Set(['', 'Error', 'Unknown', 'UnknownError', 'SyntaxError', 'TypeError', 'AggregateError']);

function codeOf({ name, Code, code }: Thrown, status: number | undefined): string {
  const told = [Code, code, name].find((word) => word !== undefined && !MEANINGLESS.has(word));
  if (told !== undefined) return told;
  return status === undefined ? (name ?? 'UnknownError') : `HTTP ${status}`;
}

function reasonOf(code: string, status: number | undefined): Reason {
  if (DENIED.test(code)) return 'access-denied';
  if (THROTTLED.test(code)) return 'throttled';
  if (WRONG_REGION.test(code)) return 'wrong-region';
  if (UNSUPPORTED.test(code)) return 'unsupported';
  if (MISSING.test(code)) return 'not-found';
  if (status === undefined && NETWORK.test(code)) return 'network';
  switch (status) {
    case 401:
    case 403:
      return /^HTTP /.test(code) ? 'access-denied' : 'error';
    case 301:
    case 307:
      return 'wrong-region';
    case 404:
      return 'not-found';
    case 429:
    case 503:
      return 'throttled';
    case 405:
    case 501:
      return 'unsupported';
    case 200:
      return 'parse';
    default:
      return 'error';
  }
}

/** S3 answers so for an object of a bucket without Object Lock. */
function saysNoLock(name: CallName, { name: code, message }: Thrown): boolean {
  return (
    (name === 'GetObjectRetention' || name === 'GetObjectLegalHold') &&
    code === 'InvalidRequest' &&
    /object lock/i.test(message ?? '')
  );
}
