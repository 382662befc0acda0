import type { Chain } from '../chain/location.ts';
import type { Subject } from '../report/finding.ts';
import { isOf, type Scope, type TrailChoice, wants } from './scope.ts';
import { isInShare } from './share.ts';

/** A Region in which a trail that was found elsewhere must have digests. */
export interface OwedRegion {
  readonly subject: Subject;
  readonly isHome: boolean;
}

/**
 * Where digests and logs of a whole Region are gone alike, nothing in the bucket tells. What is known of the trail does:
 * it delivers in its home Region, and one of all Regions in those that every account has, be it only empty digests.
 */
export interface OwedRegions {
  /** A chain was judged. */
  chain(chain: Chain): void;
  /** That nothing was found of it is told already. */
  subject(subject: Subject): void;
  /** Another share of the run looks at a tree of that account. */
  elsewhere(subject: Subject): void;
  /** Regions of which nothing was seen, of trails of which something was. */
  unseen(): OwedRegion[];
}

export function createOwedRegions({ accounts, regions, trails, share }: Scope): OwedRegions {
  /** By choice, then `account|region`. */
  const seen = new Map<TrailChoice, Set<string>>();
  const told = new Set<string>();
  const place = (account: string, region: string) => `${account}|${region}`;
  const isAsked = (account: string, region: string) =>
    wants(accounts, account) && wants(regions, region) && (share === undefined || isInShare(share, account, region));

  function see(choice: TrailChoice, account: string, region: string): void {
    seen.set(choice, (seen.get(choice) ?? new Set()).add(place(account, region)));
  }

  return {
    chain(chain) {
      for (const choice of trails ?? []) if (isOf(choice, chain)) see(choice, chain.account, chain.region);
    },
    subject({ account, region, trail }) {
      if (account === undefined || region === undefined) return;
      told.add(place(account, region));
      for (const choice of trails ?? []) if (choice.name === trail) see(choice, account, region);
    },
    elsewhere({ account }) {
      for (const choice of trails ?? []) {
        if (choice.owner !== undefined && choice.owner === account) see(choice, choice.owner, '');
      }
    },
    unseen: () =>
      [...seen].flatMap(([choice, places]) => {
        const { name: trail, homeRegion, owner, regions: everywhere = [] } = choice;
        if (homeRegion === undefined || owner === undefined) return [];
        const members = new Set([...places].map((each) => each.split('|')[0] ?? '')).add(owner);
        return [...members].sort().flatMap((account) => {
          // A member need not have enabled the home Region of its organization's trail.
          const owed = new Set([...(account === owner ? [homeRegion] : []), ...everywhere]);
          return [...owed]
            .sort()
            .filter((region) => isAsked(account, region))
            .filter((region) => !places.has(place(account, region)) && !told.has(place(account, region)))
            .map((region) => ({
              subject: { type: 'chain', account, region, trail } as const,
              isHome: account === owner && region === homeRegion,
            }));
        });
      }),
  };
}
