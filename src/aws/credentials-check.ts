import { isExpired, NOT_ACCEPTED } from '../source/credentials-gone.ts';
import { SourceError } from '../source/source.ts';
import { type AwsSettings, clientConfig } from './clients.ts';
import { faultOf } from './fault.ts';

/** So a service refuses credentials that nobody knows, and just so does a Region that the account has not enabled. */
const AMBIGUOUS: ReadonlySet<string> = new Set(['UnrecognizedClientException', 'InvalidClientTokenId']);

/** A run goes on without the answer, so it is not waited for long. */
const MAX_ATTEMPTS = 2;

/** A Region that no account of the partition can do without. */
function alwaysEnabled(region: string): string {
  if (region.startsWith('cn-')) return 'cn-north-1';
  return region.startsWith('us-gov-') ? 'us-gov-west-1' : 'us-east-1';
}

/**
 * The same error, or one that says that the credentials are gone: `GetCallerIdentity`, which needs no permission, is
 * answered with whatever credentials are any good. `region`: the one that refused.
 */
export async function toldApart(settings: AwsSettings, region: string, error: SourceError): Promise<SourceError> {
  if (!AMBIGUOUS.has(error.trouble.code)) return error;
  const { GetCallerIdentityCommand, STSClient } = await import('@aws-sdk/client-sts');
  const sts = new STSClient(clientConfig({ ...settings, maxAttempts: MAX_ATTEMPTS }, alwaysEnabled(region)));
  try {
    await sts.send(new GetCallerIdentityCommand({}));
    return error;
  } catch (refusal) {
    const { code } = faultOf(refusal);
    if (!AMBIGUOUS.has(code) && !isExpired(code)) return error;
    const message = `${error.trouble.message} (${error.trouble.code}); GetCallerIdentity says ${code}`;
    return new SourceError({ kind: 'denied', code: NOT_ACCEPTED, message }, { cause: error });
  } finally {
    sts.destroy();
  }
}
