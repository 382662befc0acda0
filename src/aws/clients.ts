import type { CloudTrailClient } from '@aws-sdk/client-cloudtrail';
import type { S3Client } from '@aws-sdk/client-s3';

import './quiet-sdk.ts';

export interface Identity {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
  readonly expiration?: Date;
}

/** Finds credentials; `forceRefresh` asks for others than those remembered. */
export type IdentityProvider = (options?: { forceRefresh?: boolean }) => Promise<Identity>;

/** How AWS is reached. What is not given comes from the environment and the config files, as everywhere with AWS. */
export interface AwsSettings {
  readonly region?: string;
  readonly profile?: string;
  /** One endpoint for every service, as S3-compatible stores and test servers have it. */
  readonly endpointUrl?: string;
  readonly credentials?: Identity | IdentityProvider;
  /** Tries of one request through the SDK; 8 by default. */
  readonly maxAttempts?: number;
  /** Milliseconds without a byte after which a connection is given up; 30,000 by default. */
  readonly idleTimeoutMs?: number;
}

export const IDLE_TIMEOUT_MS = 30_000;
const CONNECT_TIMEOUT_MS = 10_000;
const MAX_ATTEMPTS = 8;

export interface ClientConfig {
  region?: string;
  profile?: string;
  endpoint?: string;
  credentials?: Identity | IdentityProvider;
  maxAttempts: number;
  retryMode: 'standard';
  customUserAgent: string;
  requestHandler: { connectionTimeout: number; socketTimeout: number; httpsAgent: { maxSockets: number } };
}

/** What every client of every service is made with. */
export function clientConfig(settings: AwsSettings, region = settings.region): ClientConfig {
  const { profile, endpointUrl, credentials, maxAttempts = MAX_ATTEMPTS, idleTimeoutMs = IDLE_TIMEOUT_MS } = settings;
  return {
    ...(region !== undefined && { region }),
    ...(profile !== undefined && { profile }),
    ...(endpointUrl !== undefined && { endpoint: endpointUrl }),
    ...(credentials !== undefined && { credentials }),
    maxAttempts,
    retryMode: 'standard',
    customUserAgent: 'trailseal',
    requestHandler: {
      connectionTimeout: CONNECT_TIMEOUT_MS,
      socketTimeout: idleTimeoutMs,
      httpsAgent: { maxSockets: 64 },
    },
  };
}

/** Endpoint of a service that is not AWS's own, from the option or the environment; `null` if there is none. */
export function customEndpoint(given: string | undefined, service: 'S3' | 'S3_CONTROL'): string | null {
  const { env } = process;
  if (given !== undefined) return given;
  if (env['AWS_IGNORE_CONFIGURED_ENDPOINT_URLS'] === 'true') return null;
  return env[`AWS_ENDPOINT_URL_${service}`] || env['AWS_ENDPOINT_URL'] || null;
}

/** Without a Region anywhere, `us-east-1`: S3 then tells where a bucket is. */
export async function s3Client(settings: AwsSettings, region?: string): Promise<S3Client> {
  const { S3Client } = await import('@aws-sdk/client-s3');
  const config = {
    ...clientConfig(settings, region),
    // Stores behind their own endpoint seldom answer to <bucket>.<host>.
    forcePathStyle: customEndpoint(settings.endpointUrl, 'S3') !== null,
    // The checksums that matter here are CloudTrail's; those of S3 double the cost of a large read.
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestChecksumCalculation: 'WHEN_REQUIRED',
  } as const;
  const client = new S3Client(config);
  const known = await client.config.region().catch(() => null);
  return known === null ? new S3Client({ ...config, region: 'us-east-1' }) : client;
}

export async function cloudTrailClient(settings: AwsSettings, region?: string): Promise<CloudTrailClient> {
  const { CloudTrailClient } = await import('@aws-sdk/client-cloudtrail');
  return new CloudTrailClient(clientConfig(settings, region));
}
