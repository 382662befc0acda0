/**
 * Refusals that other credentials may turn: these have expired, or were withdrawn. `UnrecognizedClientException` is not
 * among them: so answers a Region that the account has not enabled as well (`src/aws/credentials-check.ts`).
 */
const RENEWABLE = new Set([
  'ExpiredToken',
  'ExpiredTokenException',
  'TokenRefreshRequired',
  'RequestExpired',
  'InvalidToken',
  'InvalidAccessKeyId',
]);

/** Credentials that should have come in place of others, and did not. */
export const NOT_REFRESHED = 'CredentialsNotRefreshed';

/** Credentials that no service knows. */
export const NOT_ACCEPTED = 'CredentialsNotAccepted';

/** No credentials are to be had at all. */
const LACKING = new Set([NOT_REFRESHED, NOT_ACCEPTED, 'CredentialsProviderError', 'TokenProviderError']);

/** Whether a request is worth a second try with fresh credentials. */
export function isExpired(code: string): boolean {
  return RENEWABLE.has(code);
}

/** Whether the word of a trouble that stays says that nothing at all will be read any more, whichever object is asked for. */
export function areCredentialsGone(code: string): boolean {
  return isExpired(code) || LACKING.has(code);
}
