import { SourceError } from '../source/source.ts';
import { type AwsSettings, cloudTrailClient } from './clients.ts';
import { toldApart } from './credentials-check.ts';
import { serviceTrouble } from './fault.ts';

/** The parts of `arn:PARTITION:cloudtrail:REGION:ACCOUNT:trail/NAME`. */
export interface TrailArn {
  readonly arn: string;
  /** The home Region. */
  readonly region: string;
  readonly account: string;
  readonly name: string;
}

const ARN = /^arn:aws[a-z-]*:cloudtrail:([a-z0-9-]+):(\d{12}):trail\/([A-Za-z0-9._-]{3,128})$/;

/** `null` for whatever is not the ARN of a trail. */
export function parseTrailArn(arn: string): TrailArn | null {
  const [, region, account, name] = ARN.exec(arn) ?? [];
  return region && account && name ? { arn, region, account, name } : null;
}

/** A trail as it is configured now. */
export interface Trail extends TrailArn {
  readonly bucket: string;
  /** `''` if there is none; never ends in `/`. */
  readonly prefix: string;
  readonly isOrganizationTrail: boolean;
  readonly isMultiRegion: boolean;
  readonly validatesLogFiles: boolean;
}

/** Looks a trail up in its home Region. Throws `SourceError`, of kind `absent` where there is no such trail (any more). */
export async function describeTrail(settings: AwsSettings, { arn, region, account, name }: TrailArn): Promise<Trail> {
  const { DescribeTrailsCommand } = await import('@aws-sdk/client-cloudtrail');
  const client = await cloudTrailClient(settings, region);
  try {
    const { trailList = [] } = await client.send(new DescribeTrailsCommand({ trailNameList: [arn] }));
    const found = trailList.find(({ TrailARN }) => TrailARN === arn);
    if (found?.S3BucketName === undefined) {
      const message = `there is no trail ${arn}; if it was deleted, name its bucket`;
      throw new SourceError({ kind: 'absent', code: 'TrailNotFoundException', message });
    }
    return {
      arn,
      region: found.HomeRegion ?? region,
      account,
      name,
      bucket: found.S3BucketName,
      prefix: (found.S3KeyPrefix ?? '').replace(/\/$/, ''),
      isOrganizationTrail: found.IsOrganizationTrail ?? false,
      isMultiRegion: found.IsMultiRegionTrail ?? false,
      validatesLogFiles: found.LogFileValidationEnabled ?? false,
    };
  } catch (error) {
    throw await toldApart(settings, region, asSourceError(error, `the trail ${arn}`));
  } finally {
    client.destroy();
  }
}

/** What the service itself says of its deliveries; times in epoch milliseconds. */
export interface TrailStatus {
  readonly isLogging: boolean;
  readonly startedLogging: number | null;
  readonly stoppedLogging: number | null;
  readonly latestDelivery: number | null;
  readonly latestDeliveryError: string | null;
  readonly latestDigestDelivery: number | null;
  readonly latestDigestDeliveryError: string | null;
}

/** Throws `SourceError`. */
export async function trailStatus(settings: AwsSettings, { arn, region }: TrailArn): Promise<TrailStatus> {
  const { GetTrailStatusCommand } = await import('@aws-sdk/client-cloudtrail');
  const client = await cloudTrailClient(settings, region);
  try {
    const status = await client.send(new GetTrailStatusCommand({ Name: arn }));
    return {
      isLogging: status.IsLogging ?? false,
      startedLogging: status.StartLoggingTime?.getTime() ?? null,
      stoppedLogging: status.StopLoggingTime?.getTime() ?? null,
      latestDelivery: status.LatestDeliveryTime?.getTime() ?? null,
      latestDeliveryError: status.LatestDeliveryError || null,
      latestDigestDelivery: status.LatestDigestDeliveryTime?.getTime() ?? null,
      latestDigestDeliveryError: status.LatestDigestDeliveryError || null,
    };
  } catch (error) {
    throw asSourceError(error, `the status of ${arn}`);
  } finally {
    client.destroy();
  }
}

function asSourceError(error: unknown, doing: string): SourceError {
  return error instanceof SourceError ? error : new SourceError(serviceTrouble(error, doing), { cause: error });
}
