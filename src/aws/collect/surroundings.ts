import { namedIn } from '../../posture/calls.ts';
import { absent, type Evidence, known, type Read, unknown } from '../../posture/evidence.ts';
import type { AccountRegion, CallerIdentity, KeyFacts, LogGroupFacts, Organization } from '../../posture/snapshot.ts';
import { parseArn } from './arn.ts';
import { answered, pagesOf, readOf } from './ask.ts';
import type { Collector } from './collector.ts';

export async function collectIdentity({
  ask,
  clients,
}: Pick<Collector, 'ask' | 'clients'>): Promise<Read<CallerIdentity>> {
  const { GetCallerIdentityCommand } = await import('@aws-sdk/client-sts');
  const sts = await clients.of('sts');
  const told = await ask.read('GetCallerIdentity', () => sts.send(new GetCallerIdentityCommand({})));
  return readOf(
    'GetCallerIdentity',
    answered('GetCallerIdentity', told, ({ Account, Arn }) => (Account && Arn ? { Account, Arn } : undefined)),
  );
}

export async function collectRegions({
  ask,
  clients,
}: Pick<Collector, 'ask' | 'clients'>): Promise<Read<readonly AccountRegion[]>> {
  const { ListRegionsCommand } = await import('@aws-sdk/client-account');
  const account = await clients.of('account');
  const pages = await pagesOf(
    'ListRegions',
    (NextToken) => ask.read('ListRegions', () => account.send(new ListRegionsCommand({ MaxResults: 50, NextToken }))),
    ({ NextToken }) => NextToken,
  );
  if (pages.state !== 'known') return pages;
  const regions = pages.value
    .flatMap(({ Regions = [] }) => Regions)
    .flatMap(({ RegionName, RegionOptStatus }) =>
      RegionName && RegionOptStatus ? [{ RegionName, RegionOptStatus }] : [],
    );
  return known(regions.sort((a, b) => (a.RegionName < b.RegionName ? -1 : 1)));
}

export async function collectOrganization({ ask, clients }: Collector): Promise<Evidence<Organization>> {
  const { DescribeOrganizationCommand } = await import('@aws-sdk/client-organizations');
  const organizations = await clients.of('organizations');
  const told = await ask.evidence('DescribeOrganization', () =>
    organizations.send(new DescribeOrganizationCommand({})),
  );
  return answered('DescribeOrganization', told, ({ Organization }) =>
    Organization?.Id
      ? {
          Id: Organization.Id,
          ...(Organization.MasterAccountId ? { MasterAccountId: Organization.MasterAccountId } : {}),
        }
      : undefined,
  );
}

/** `id` as the trail names it; a bare id or alias is of the trail's own Region. */
export async function collectKey(
  { ask, clients, account }: Collector,
  id: string,
  trailRegion: string,
): Promise<KeyFacts> {
  const sdk = await import('@aws-sdk/client-kms');
  const arn = parseArn(id);
  const kms = await clients.of('kms', arn.region || trailRegion);
  const foreign = arn.account !== '' && arn.account !== account;
  const [metadata, rotation, policy] = await Promise.all([
    ask.read('DescribeKey', () => kms.send(new sdk.DescribeKeyCommand({ KeyId: id })), foreign),
    ask.read('GetKeyRotationStatus', () => kms.send(new sdk.GetKeyRotationStatusCommand({ KeyId: id })), foreign),
    ask.read(
      'GetKeyPolicy',
      () => kms.send(new sdk.GetKeyPolicyCommand({ KeyId: id, PolicyName: 'default' })),
      foreign,
    ),
  ]);
  return {
    id,
    metadata: readOf(
      'DescribeKey',
      answered('DescribeKey', metadata, (answer) => answer.KeyMetadata),
    ),
    rotation,
    policy: readOf(
      'GetKeyPolicy',
      answered('GetKeyPolicy', policy, (answer) => answer.Policy),
    ),
  };
}

export async function collectLogGroup({ ask, clients, account }: Collector, arn: string): Promise<LogGroupFacts> {
  const { region, account: owner, resource } = parseArn(arn);
  const name = resource.replace(/^log-group:/, '').replace(/:\*$/, '');
  // The list is always the caller's own: asking it for another account's group would find nothing and prove nothing.
  if (owner !== account) {
    return { arn, group: unknown('cross-account', namedIn('DescribeLogGroups'), 'OtherAccount') };
  }
  const { DescribeLogGroupsCommand } = await import('@aws-sdk/client-cloudwatch-logs');
  const logs = await clients.of('logs', region);
  const pages = await pagesOf(
    'DescribeLogGroups',
    (nextToken) =>
      ask.read('DescribeLogGroups', () =>
        logs.send(new DescribeLogGroupsCommand({ logGroupNamePrefix: name, nextToken })),
      ),
    ({ nextToken }) => nextToken,
  );
  if (pages.state !== 'known') return { arn, group: pages };
  const group = pages.value
    .flatMap(({ logGroups = [] }) => logGroups)
    .find(({ logGroupName }) => logGroupName === name);
  if (group) {
    const { retentionInDays } = group;
    return {
      arn,
      group: known({ logGroupName: name, ...(retentionInDays === undefined ? {} : { retentionInDays }) }),
    };
  }
  return { arn, group: absent('ResourceNotFoundException') };
}
