import type { ServedKey } from '../keys/key-source.ts';
import { isExpired } from '../source/credentials-gone.ts';
import { SourceError } from '../source/source.ts';
import { type AwsSettings, cloudTrailClient } from './clients.ts';
import { toldApart } from './credentials-check.ts';
import { serviceTrouble } from './fault.ts';
import { pagesOf } from './pages.ts';

/** The keys of a Region whose validity touches the interval (epoch milliseconds), all pages. Throws `SourceError`. */
export async function listPublicKeys(
  settings: AwsSettings,
  region: string,
  start: number,
  end: number,
): Promise<ServedKey[]> {
  try {
    return await listOnce(settings, region, start, end);
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    if (!isExpired(error.trouble.code)) throw await toldApart(settings, region, error);
    // Each client looks for credentials anew.
    return listOnce(settings, region, start, end);
  }
}

async function listOnce(settings: AwsSettings, region: string, start: number, end: number): Promise<ServedKey[]> {
  const doing = `the public keys of ${region}`;
  const { ListPublicKeysCommand } = await import('@aws-sdk/client-cloudtrail');
  const client = await cloudTrailClient(settings, region);
  const keys: ServedKey[] = [];
  const interval = { StartTime: new Date(start), EndTime: new Date(end) };
  const listed = (token: string | undefined) =>
    client.send(new ListPublicKeysCommand({ ...interval, ...(token !== undefined && { NextToken: token }) }));
  try {
    for await (const { PublicKeyList = [] } of pagesOf(listed, ({ NextToken }) => NextToken || undefined)) {
      for (const key of PublicKeyList) {
        const { Fingerprint, Value, ValidityStartTime, ValidityEndTime } = key;
        if (!Fingerprint || !Value || !ValidityStartTime || !ValidityEndTime) continue;
        keys.push({
          fingerprint: Fingerprint.toLowerCase(),
          value: Buffer.from(Value),
          validFrom: ValidityStartTime.getTime(),
          validTo: ValidityEndTime.getTime(),
        });
      }
    }
    return keys;
  } catch (error) {
    throw new SourceError(serviceTrouble(error, doing), { cause: error });
  } finally {
    client.destroy();
  }
}
