import type { Trouble } from '../source/source.ts';

/** What the SDK's errors have in common. */
export interface Fault {
  /** The service's word, or the SDK's own: `AccessDenied`, `CredentialsProviderError`, `TimeoutError`, `ECONNREFUSED`… */
  readonly code: string;
  readonly message: string;
  /** 0 where no answer came. */
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
}

interface SdkError extends Error {
  readonly code?: unknown;
  readonly Code?: unknown;
  readonly $metadata?: { readonly httpStatusCode?: number };
  readonly $response?: { readonly statusCode?: number; readonly headers?: Record<string, string | undefined> };
}

export function faultOf(error: unknown): Fault {
  if (!(error instanceof Error)) return { code: 'Error', message: String(error), status: 0, headers: {} };
  const { name, message, code, $metadata, $response } = error as SdkError;
  const status = $metadata?.httpStatusCode ?? $response?.statusCode ?? 0;
  const word = typeof code === 'string' && (name === 'Error' || name === 'AggregateError') ? code : name;
  return { code: word, message: message || word, status, headers: $response?.headers ?? {} };
}

const DENIED_STATUS = 403;

/** What the refusal of a call beside S3 means. */
export function serviceTrouble(error: unknown, doing: string): Trouble {
  const { code, message, status } = faultOf(error);
  const denied = /^(AccessDenied|UnauthorizedOperation|NotAuthorized)/.test(code) || status === DENIED_STATUS;
  return { kind: denied ? 'denied' : 'error', code, message: `${doing}: ${message}` };
}
