import type { Trail } from '@aws-sdk/client-cloudtrail';
import { absent, type Evidence, known, mapped, type Read } from '../../posture/evidence.ts';
import type { ExpectedTrail } from '../../posture/scope.ts';
import type { EventDataStoreFacts } from '../../posture/snapshot.ts';
import type { TrailDescription, TrailFacts } from '../../posture/trail-facts.ts';
import { notCollected } from '../../posture/world.ts';
import { parseArn } from './arn.ts';
import { type Plain, pagesOf } from './ask.ts';
import type { Collector } from './collector.ts';

export interface FoundTrails {
  readonly trailLists: readonly { readonly region: string; readonly list: Read<readonly string[]> }[];
  readonly trails: readonly TrailFacts[];
}

/**
 * The trails of these Regions and those expected, each once by ARN and asked about in its home Region; shadows of
 * multi-Region and organization trails in other Regions come to the same ARN.
 */
export async function collectTrails(
  collector: Collector,
  regions: readonly string[],
  expected: readonly ExpectedTrail[],
): Promise<FoundTrails> {
  const { ask, clients } = collector;
  const { DescribeTrailsCommand } = await import('@aws-sdk/client-cloudtrail');
  const lists = await Promise.all(
    regions.map(async (region) => {
      const list = await ask.read('DescribeTrails', async () =>
        (await clients.of('cloudtrail', region)).send(new DescribeTrailsCommand({ includeShadowTrails: true })),
      );
      return { region, list: mapped(list, ({ trailList = [] }) => trailList) };
    }),
  );
  const described = new Map<string, Evidence<TrailDescription>>();
  for (const { list } of lists) {
    for (const trail of list.state === 'known' ? list.value : []) {
      if (trail.TrailARN) described.set(trail.TrailARN, known(trail));
    }
  }
  for (const { arn } of expected) {
    const home = lists.find(({ region }) => region === parseArn(arn).region)?.list;
    if (!described.has(arn)) described.set(arn, home?.state === 'unknown' ? home : absent('TrailNotFound'));
  }
  const trails = [...described].sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    trailLists: lists.map(({ region, list }) => ({ region, list: mapped(list, arnsOf) })),
    trails: await Promise.all(trails.map(([arn, description]) => trailFacts(collector, arn, description))),
  };
}

const arnsOf = (list: readonly Plain<Trail>[]): readonly string[] => list.flatMap(({ TrailARN }) => TrailARN ?? []);

async function trailFacts(
  { ask, clients }: Collector,
  arn: string,
  description: Evidence<TrailDescription>,
): Promise<TrailFacts> {
  const { GetTrailStatusCommand, GetEventSelectorsCommand, GetInsightSelectorsCommand } = await import(
    '@aws-sdk/client-cloudtrail'
  );
  const { region, account, resource } = parseArn(arn);
  const homeRegion = (description.state === 'known' && description.value.HomeRegion) || region;
  const cloudtrail = await clients.of('cloudtrail', homeRegion);
  const facts = { arn, name: resource.replace(/^trail\//, ''), account, homeRegion, description };
  if (description.state === 'absent') {
    return {
      ...facts,
      status: notCollected('GetTrailStatus'),
      eventSelectors: notCollected('GetEventSelectors'),
      insightSelectors: notCollected('GetInsightSelectors'),
    };
  }
  const [status, eventSelectors, insightSelectors] = await Promise.all([
    ask.read('GetTrailStatus', () => cloudtrail.send(new GetTrailStatusCommand({ Name: arn }))),
    ask.read('GetEventSelectors', () => cloudtrail.send(new GetEventSelectorsCommand({ TrailName: arn }))),
    ask.evidence('GetInsightSelectors', () => cloudtrail.send(new GetInsightSelectorsCommand({ TrailName: arn }))),
  ]);
  return { ...facts, status, eventSelectors, insightSelectors };
}

/** Event data stores of these Regions; the list does not say what a store retains, each has to be asked. */
export async function collectEventDataStores(
  { ask, clients }: Collector,
  regions: readonly string[],
): Promise<Read<readonly EventDataStoreFacts[]>> {
  const { ListEventDataStoresCommand, GetEventDataStoreCommand } = await import('@aws-sdk/client-cloudtrail');
  const stores: EventDataStoreFacts[] = [];
  for (const region of regions) {
    const cloudtrail = await clients.of('cloudtrail', region);
    const pages = await pagesOf(
      'ListEventDataStores',
      (NextToken) =>
        ask.read('ListEventDataStores', () => cloudtrail.send(new ListEventDataStoresCommand({ NextToken }))),
      ({ NextToken }) => NextToken,
    );
    if (pages.state !== 'known') return pages;
    const listed = pages.value
      .flatMap(({ EventDataStores = [] }) => EventDataStores)
      .flatMap(({ EventDataStoreArn: arn, Name: name }) => (arn ? [{ arn, name: name ?? arn }] : []));
    stores.push(
      ...(await Promise.all(
        listed.map(async (store) => ({
          ...store,
          detail: await ask.read('GetEventDataStore', () =>
            cloudtrail.send(new GetEventDataStoreCommand({ EventDataStore: store.arn })),
          ),
        })),
      )),
    );
  }
  return known(stores);
}
