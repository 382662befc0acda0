import { HeadBucketCommand, HeadObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import { type AwsSettings, s3Client } from '../../aws/clients.ts';
import { faultOf } from '../../aws/fault.ts';
import { SourceError } from '../source.ts';
import type { Endpoint } from './signed-get.ts';

/** The Region of a bucket as HeadBucket tells it, even where it refuses or redirects; `null` where it does not (compatible stores). */
async function bucketRegion(client: S3Client, bucket: string, owner?: string): Promise<string | null> {
  try {
    const { BucketRegion } = await client.send(new HeadBucketCommand({ Bucket: bucket, ExpectedBucketOwner: owner }));
    return BucketRegion === undefined ? null : modernName(BucketRegion);
  } catch (error) {
    const { code, message, status, headers } = faultOf(error);
    const told = headers['x-amz-bucket-region'];
    if (told !== undefined) return modernName(told);
    if (status === 404) {
      throw new SourceError(
        { kind: 'error', code: 'NoSuchBucket', message: `there is no bucket ${bucket}` },
        { cause: error },
      );
    }
    if (status === 0 || status >= 500) throw new SourceError({ kind: 'error', code, message }, { cause: error });
    return null;
  }
}

function modernName(region: string): string {
  return region === 'EU' ? 'eu-west-1' : region;
}

/** A client that speaks to the Region of the bucket. */
export async function clientFor(settings: AwsSettings, bucket: string, owner?: string): Promise<S3Client> {
  const first = await s3Client(settings);
  const region = await bucketRegion(first, bucket, owner);
  if (region === null || region === (await first.config.region())) return first;
  return s3Client({ ...settings, credentials: first.config.credentials }, region);
}

/** Where the SDK would send a request for an object of the bucket, found by stopping one just before it is signed. */
export async function endpointOf(client: S3Client, bucket: string): Promise<Endpoint> {
  const command = new HeadObjectCommand({ Bucket: bucket, Key: 'key' });
  let endpoint: Endpoint | null = null;
  command.middlewareStack.add(
    (_next, context) => (args) => {
      const request = args.request as { protocol: string; hostname: string; port?: number; path: string };
      const scheme = context.endpointV2?.properties?.authSchemes?.[0];
      endpoint = {
        protocol: request.protocol === 'http:' ? 'http:' : 'https:',
        hostname: request.hostname,
        port: request.port,
        path: request.path.slice(0, -'/key'.length),
        signingRegion: scheme?.signingRegion ?? '',
        signingName: scheme?.signingName ?? 's3',
      };
      return Promise.resolve({ output: { $metadata: {} }, response: {} });
    },
    { step: 'build', priority: 'low' },
  );
  await client.send(command);
  if (endpoint === null) throw new Error('the SDK made no request');
  return endpoint;
}
