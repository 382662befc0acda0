import type { AwsSettings } from '../aws/clients.ts';
import { profileFiles, profilesIn } from '../aws/profiles.ts';
import { nearest } from '../config/nearest.ts';
import { UsageError } from './command.ts';

export interface AwsGiven {
  readonly profile?: string | undefined;
  readonly endpointUrl?: string | undefined;
}

/** How AWS is to be reached, by options or config. Throws `UsageError` where one of them leads nowhere. */
export function awsSettings({ profile, endpointUrl }: AwsGiven): AwsSettings {
  if (endpointUrl !== undefined) requireAddress(endpointUrl);
  if (profile !== undefined) requireProfile(profile);
  return {
    ...(profile === undefined ? {} : { profile }),
    ...(endpointUrl === undefined ? {} : { endpointUrl }),
  };
}

function requireAddress(endpointUrl: string): void {
  if (/^https?:\/\/[^/]/i.test(endpointUrl) && URL.canParse(endpointUrl)) return;
  throw new UsageError(`--endpoint-url ${endpointUrl}: expected an http or https address, such as https://host:9000`);
}

function requireProfile(profile: string): void {
  const files = profileFiles(process.env);
  const known = profilesIn(files);
  if (known.includes(profile)) return;
  const meant = nearest(profile, known);
  const hint = meant === null ? '' : `; did you mean ${meant}?`;
  throw new UsageError(
    `--profile ${profile}: there is no profile of this name in ${files.config} or ${files.credentials}${hint}`,
  );
}
