import { parseArn } from '../aws/collect/arn.ts';
import { type PostureClients, postureClients, regionOfProfile } from '../aws/collect/clients.ts';
import type { Config } from '../config/schema.ts';
import { awsSettings } from './aws-settings.ts';
import type { Io } from './command.ts';

export interface ClientOptions {
  readonly profile?: string | undefined;
  readonly region?: string | undefined;
  readonly endpointUrl?: string | undefined;
}

/** Clients as options, config, environment and profile say, in this order; a named trail's Region serves last. */
export async function openPostureClients(
  options: ClientOptions,
  config: Config,
  trailArn: string | undefined,
  io: Io,
): Promise<PostureClients> {
  const settings = awsSettings({
    profile: options.profile ?? config.profile,
    endpointUrl: options.endpointUrl ?? config.endpointUrl,
  });
  const region =
    options.region ??
    config.region ??
    io.env['AWS_REGION'] ??
    io.env['AWS_DEFAULT_REGION'] ??
    (await regionOfProfile(settings.profile)) ??
    (parseArn(trailArn ?? '').region || 'us-east-1');
  return postureClients({ region, ...settings });
}
