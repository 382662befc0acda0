import type { AccessPointFacts } from '../../posture/bucket-facts.ts';
import { namedIn } from '../../posture/calls.ts';
import { known, type Read, unknown } from '../../posture/evidence.ts';
import type { AccountFacts, MultiRegionAccessPointFacts } from '../../posture/snapshot.ts';
import { answered, pagesOf, readOf } from './ask.ts';
import type { Collector } from './collector.ts';

/** The bucket owner's access points on a bucket; those of other accounts are in no list we may see. */
export async function collectAccessPoints(
  { ask, clients, account, partition }: Collector,
  bucket: string,
  owner: string | null,
  region: string,
): Promise<Read<readonly AccessPointFacts[]>> {
  if (owner === null) return unknown('cross-account', namedIn('ListAccessPoints'), 'OwnerUnknown');
  const sdk = await import('@aws-sdk/client-s3-control');
  const control = await clients.of('s3control', region);
  const foreign = owner !== account;
  const pages = await pagesOf(
    'ListAccessPoints',
    (NextToken) =>
      ask.read(
        'ListAccessPoints',
        () => control.send(new sdk.ListAccessPointsCommand({ AccountId: owner, Bucket: bucket, NextToken })),
        foreign,
      ),
    ({ NextToken }) => NextToken,
  );
  if (pages.state !== 'known') return pages;
  const facts = pages.value
    .flatMap(({ AccessPointList = [] }) => AccessPointList)
    .map(async ({ Name = '', ...listed }): Promise<AccessPointFacts> => {
      const input = { AccountId: owner, Name };
      const [point, policy, status] = await Promise.all([
        ask.read('GetAccessPoint', () => control.send(new sdk.GetAccessPointCommand(input)), foreign),
        ask.evidence('GetAccessPointPolicy', () => control.send(new sdk.GetAccessPointPolicyCommand(input)), foreign),
        ask.evidence(
          'GetAccessPointPolicyStatus',
          () => control.send(new sdk.GetAccessPointPolicyStatusCommand(input)),
          foreign,
        ),
      ]);
      return {
        Name,
        AccessPointArn: listed.AccessPointArn ?? `arn:${partition}:s3:${region}:${owner}:accesspoint/${Name}`,
        NetworkOrigin: listed.NetworkOrigin ?? 'Internet',
        ...(listed.BucketAccountId ? { BucketAccountId: listed.BucketAccountId } : {}),
        publicAccessBlock: readOf(
          'GetAccessPoint',
          answered('GetAccessPoint', point, (answer) => answer.PublicAccessBlockConfiguration),
        ),
        policy: answered('GetAccessPointPolicy', policy, (answer) => answer.Policy),
        policyStatus: answered('GetAccessPointPolicyStatus', status, ({ PolicyStatus }) =>
          PolicyStatus?.IsPublic === undefined ? undefined : PolicyStatus,
        ),
      };
    });
  return known(await Promise.all(facts));
}

/** Multi-Region access points are managed in one Region of the partition that has them. */
const MULTI_REGION_HOME = 'us-west-2';

/** What an account says about all its buckets. `buckets`: log buckets whose multi-Region access points matter. */
export async function collectAccount(
  collector: Collector,
  owner: string,
  buckets: ReadonlySet<string>,
): Promise<AccountFacts> {
  const { ask, clients, account } = collector;
  const sdk = await import('@aws-sdk/client-s3-control');
  const control = await clients.of('s3control');
  const [block, multiRegionAccessPoints] = await Promise.all([
    ask.evidence(
      'GetAccountPublicAccessBlock',
      () => control.send(new sdk.GetPublicAccessBlockCommand({ AccountId: owner })),
      owner !== account,
    ),
    collectMultiRegion(collector, owner, buckets),
  ]);
  return {
    account: owner,
    publicAccessBlock: answered(
      'GetAccountPublicAccessBlock',
      block,
      (answer) => answer.PublicAccessBlockConfiguration,
    ),
    multiRegionAccessPoints,
  };
}

async function collectMultiRegion(
  { ask, clients, account, partition }: Collector,
  owner: string,
  buckets: ReadonlySet<string>,
): Promise<Read<readonly MultiRegionAccessPointFacts[]>> {
  if (partition !== 'aws') return known([]);
  const sdk = await import('@aws-sdk/client-s3-control');
  const control = await clients.of('s3control', MULTI_REGION_HOME);
  const foreign = owner !== account;
  const pages = await pagesOf(
    'ListMultiRegionAccessPoints',
    (NextToken) =>
      ask.read(
        'ListMultiRegionAccessPoints',
        () => control.send(new sdk.ListMultiRegionAccessPointsCommand({ AccountId: owner, NextToken })),
        foreign,
      ),
    ({ NextToken }) => NextToken,
  );
  if (pages.state !== 'known') return pages;
  const ours = pages.value
    .flatMap(({ AccessPoints = [] }) => AccessPoints)
    .filter(({ Regions = [] }) => Regions.some(({ Bucket }) => Bucket !== undefined && buckets.has(Bucket)));
  return known(
    await Promise.all(
      ours.map(async ({ Name = '', CreatedAt: _, PublicAccessBlock, ...point }) => {
        const policy = await ask.evidence(
          'GetMultiRegionAccessPointPolicy',
          () => control.send(new sdk.GetMultiRegionAccessPointPolicyCommand({ AccountId: owner, Name })),
          foreign,
        );
        return {
          ...point,
          Name,
          ...(PublicAccessBlock ? { PublicAccessBlock } : {}),
          policy: answered('GetMultiRegionAccessPointPolicy', policy, (answer) => answer.Policy?.Established?.Policy),
        };
      }),
    ),
  );
}
