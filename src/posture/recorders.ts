import { namedIn } from './calls.ts';
import { lackingOf, type Unknown, unknown } from './evidence.ts';
import type { SelectorOwner } from './selectors/shapes.ts';
import type { Snapshot } from './snapshot.ts';
import type { TrailDescription } from './trail-facts.ts';
import { accountOf, allTrails, notCollected, type Trail, type World } from './world.ts';

/** Where events happen that somebody ought to record. */
export interface Place {
  /** `null`: not known, taken for the account of the run. */
  readonly account: string | null;
  /** `null`: every Region, so that only multi-Region trails count. */
  readonly region: string | null;
}

/** What is surely so, and why there may be more of it. */
export interface Found<T> {
  readonly sure: readonly T[];
  readonly unsure: readonly Unknown[];
}

/** The trails that log what happens there; found ones, in scope or not. */
export function loggingTrails(world: World, place: Place): Found<Trail> {
  const home = accountOf(world) ?? null;
  const account = place.account ?? home;
  const unsure: Unknown[] = [...unlisted(world.snapshot, place.region)];
  if (account !== null && account !== home) unsure.push(unknown('cross-account', namedIn('DescribeTrails'), account));
  const sure: Trail[] = [];
  for (const trail of allTrails(world)) {
    if (trail.description.state === 'unknown') unsure.push(trail.description);
    else if (!reaches(trail, trail.description.value, { account, region: place.region })) continue;
    else if (trail.status.state === 'unknown') unsure.push(trail.status);
    else if (trail.status.value.IsLogging === true) sure.push(trail);
  }
  return { sure, unsure: lackingOf(unsure) };
}

/** The same trails with what they select. */
export function recorders(world: World, place: Place): Found<SelectorOwner> {
  const { sure, unsure } = loggingTrails(world, place);
  return {
    sure: sure.flatMap(({ arn, eventSelectors }) =>
      eventSelectors.state === 'known' ? [{ owner: arn, selectors: eventSelectors.value }] : [],
    ),
    unsure: lackingOf([...unsure, ...sure.map(({ eventSelectors }) => eventSelectors)]),
  };
}

function reaches({ homeRegion, account }: Trail, description: TrailDescription, place: Place): boolean {
  const hasAccount = place.account === null || place.account === account || description.IsOrganizationTrail === true;
  return hasAccount && (description.IsMultiRegionTrail === true || homeRegion === place.region);
}

/** Multi-Region trails show in the list of every Region, others in that of their own. */
function unlisted({ trailLists }: Snapshot, region: string | null): readonly Unknown[] {
  const lists = trailLists.filter((one) => region === null || one.region === region).map(({ list }) => list);
  if (lists.length === 0) return [notCollected('DescribeTrails')];
  return region === null && lists.some(({ state }) => state === 'known') ? [] : lackingOf(lists);
}

/** Regions that are switched on in the account. */
export function enabledRegions(regions: readonly { RegionName: string; RegionOptStatus: string }[]): readonly string[] {
  const on = new Set(['ENABLED', 'ENABLED_BY_DEFAULT', 'ENABLING']);
  return regions.filter(({ RegionOptStatus }) => on.has(RegionOptStatus)).map(({ RegionName }) => RegionName);
}
