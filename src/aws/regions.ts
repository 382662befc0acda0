import { SourceError } from '../source/source.ts';
import { type AwsSettings, clientConfig } from './clients.ts';
import { serviceTrouble } from './fault.ts';
import { pagesOf } from './pages.ts';

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
    const listed = (NextToken: string | undefined) =>
      client.send(
        new ListRegionsCommand({ MaxResults: 50, NextToken, RegionOptStatusContains: ['ENABLED_BY_DEFAULT'] }),
      );
    for await (const { Regions = [] } of pagesOf(listed, ({ NextToken }) => NextToken || undefined)) {
      for (const { RegionName, RegionOptStatus } of Regions) {
        if (RegionName !== undefined && RegionOptStatus === 'ENABLED_BY_DEFAULT') names.push(RegionName);
      }
    }
    return names.sort();
  } catch (error) {
    throw new SourceError(serviceTrouble(error, 'the Regions of the account'), { cause: error });
  } finally {
    client.destroy();
  }
}
