import { isIP } from 'node:net';
import type { AccountClient } from '@aws-sdk/client-account';
import type { CloudTrailClient } from '@aws-sdk/client-cloudtrail';
import type { CloudWatchLogsClient } from '@aws-sdk/client-cloudwatch-logs';
import type { IAMClient } from '@aws-sdk/client-iam';
import type { KMSClient } from '@aws-sdk/client-kms';
import type { OrganizationsClient } from '@aws-sdk/client-organizations';
import type { S3Client } from '@aws-sdk/client-s3';
import type { S3ControlClient } from '@aws-sdk/client-s3-control';
import type { STSClient } from '@aws-sdk/client-sts';

import { type AwsSettings, type ClientConfig, clientConfig, customEndpoint } from '../clients.ts';
import { checkRoots } from './root-check.ts';

export interface ClientSettings extends Pick<AwsSettings, 'endpointUrl' | 'profile'> {
  /** Region for calls that belong to none: identity, account, organization. */
  readonly region: string;
}

interface Loaded {
  readonly cloudtrail: CloudTrailClient;
  readonly s3: S3Client;
  readonly s3control: S3ControlClient;
  readonly sts: STSClient;
  readonly kms: KMSClient;
  readonly logs: CloudWatchLogsClient;
  readonly iam: IAMClient;
  readonly account: AccountClient;
  readonly organizations: OrganizationsClient;
}

/** One client a service and Region; a service's code is loaded when its first client is asked for. */
export interface PostureClients {
  readonly region: string;
  of<S extends keyof Loaded>(service: S, region?: string): Promise<Loaded[S]>;
  close(): void;
}

/** Milliseconds. The SDK waits for ever where nothing is said, and one silent service must not hold up the rest. */
const TIMEOUTS = { connectionTimeout: 5_000, requestTimeout: 20_000, throwOnRequestTimeout: true } as const;

/** A call that is refused once is told, and the next one asked: fewer tries than for a log that must be read. */
const MAX_ATTEMPTS = 4;

type Config = Omit<ClientConfig, 'requestHandler'> & { readonly requestHandler: typeof TIMEOUTS };

const LOADERS: { readonly [S in keyof Loaded]: (config: Config) => Promise<Loaded[S]> } = {
  cloudtrail: async (config) => new (await import('@aws-sdk/client-cloudtrail')).CloudTrailClient(config),
  s3: async (config) =>
    new (await import('@aws-sdk/client-s3')).S3Client({
      ...config,
      followRegionRedirects: true,
      // Virtual-hosted names do not resolve below an address or a private host.
      forcePathStyle: customEndpoint(config.endpoint, 'S3') !== null,
    }),
  s3control: async (config) => {
    const endpoint = customEndpoint(config.endpoint, 'S3_CONTROL');
    const { S3ControlClient } = await import('@aws-sdk/client-s3-control');
    return new S3ControlClient({ ...config, ...(endpoint === null ? {} : s3ControlEndpoint(endpoint)) });
  },
  sts: async (config) => new (await import('@aws-sdk/client-sts')).STSClient(config),
  kms: async (config) => new (await import('@aws-sdk/client-kms')).KMSClient(config),
  logs: async (config) => new (await import('@aws-sdk/client-cloudwatch-logs')).CloudWatchLogsClient(config),
  iam: async (config) => new (await import('@aws-sdk/client-iam')).IAMClient(config),
  account: async (config) => new (await import('@aws-sdk/client-account')).AccountClient(config),
  organizations: async (config) => new (await import('@aws-sdk/client-organizations')).OrganizationsClient(config),
};

const IN_XML: ReadonlySet<keyof Loaded> = new Set(['s3', 's3control', 'sts', 'iam']);

async function load<S extends keyof Loaded>(service: S, config: Config): Promise<Loaded[S]> {
  const client = await LOADERS[service](config);
  if (IN_XML.has(service)) checkRoots(client);
  return client;
}

/** The SDK's rules put `<account>.` before the host, which an address or `localhost` cannot bear. */
function s3ControlEndpoint(endpoint: string) {
  const url = new URL(endpoint);
  const host = url.hostname.replace(/^\[|\]$/g, '');
  return isIP(host) !== 0 || host === 'localhost' ? { endpoint, endpointProvider: () => ({ url }) } : { endpoint };
}

export function postureClients({ region, ...settings }: ClientSettings): PostureClients {
  const open = new Map<string, Promise<{ destroy(): void }>>();
  return {
    region,
    of<S extends keyof Loaded>(service: S, where: string = region): Promise<Loaded[S]> {
      const key = `${service} ${where}`;
      const config = {
        ...clientConfig({ ...settings, maxAttempts: MAX_ATTEMPTS }, where),
        requestHandler: TIMEOUTS,
      };
      const client = (open.get(key) as Promise<Loaded[S]> | undefined) ?? load(service, config);
      open.set(key, client);
      return client;
    },
    close() {
      for (const client of open.values()) {
        client.then((opened) => opened.destroy()).catch(() => undefined);
      }
    },
  };
}

/** The Region that the SDK finds in the files of a profile; `undefined` where there is none. */
export async function regionOfProfile(profile: string | undefined): Promise<string | undefined> {
  const { STSClient } = await import('@aws-sdk/client-sts');
  const probe = new STSClient(profile ? { profile } : {});
  try {
    return await probe.config.region();
  } catch {
    return undefined;
  } finally {
    probe.destroy();
  }
}
