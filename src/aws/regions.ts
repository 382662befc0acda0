import { SourceError } from '../source/source.ts';
import { type AwsSettings, clientConfig } from './clients.ts';
import { serviceTrouble } from './fault.ts';

/** A run does without the answer, so it is not waited for long. */
const MAX_ATTEMPTS = 2;

/**
 * The Regions that are enabled in every account of the partition, whatever it opted into. `region`: one of the partition.
 * Throws `SourceError`.
 */
export async function regionsByDefault(settings: AwsSettings, region: string): Promise<string[]> {
  const { AccountClient, ListRegionsCommand } = await import('@aws-sdk/client-account');
  const client = new AccountClient(clientConfig({ ...settings, maxAttempts: MAX_ATTEMPTS }, region));
  try {
    const names: string[] = [];
    let NextToken: string | undefined;
    do {
      const page = await client.send(
        new ListRegionsCommand({ MaxResults: 50, NextToken, RegionOptStatusContains: ['ENABLED_BY_DEFAULT'] }),
      );
      for (const { RegionName, RegionOptStatus } of page.Regions ?? []) {
        if (RegionName !== undefined && RegionOptStatus === 'ENABLED_BY_DEFAULT') names.push(RegionName);
      }
      NextToken = page.NextToken;
    } while (NextToken !== undefined);
    return names.sort();
  } catch (error) {
    throw new SourceError(serviceTrouble(error, 'the Regions of the account'), { cause: error });
  } finally {
    client.destroy();
  }
}
