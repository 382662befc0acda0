import type { Chain } from '../chain/location.ts';
import type { Subject } from '../report/finding.ts';
import { isOf, type Scope } from './scope.ts';

/** What was asked for by name: whoever names an account, a Region or a trail is told when nothing of it was found. */
export interface Named {
  /** A chain was judged. */
  chain(chain: Chain): void;
  /** That nothing was found of it is told already. */
  subject(subject: Subject): void;
  /** Names that nothing was said about. */
  unmet(): Subject[];
}

export function createNamed({ accounts, regions, trails }: Scope): Named {
  const accountsLeft = new Set(accounts);
  const regionsLeft = new Set(regions);
  const trailsLeft = new Set(trails);

  function met(account: string | undefined, region: string | undefined): void {
    if (account !== undefined) accountsLeft.delete(account);
    if (region !== undefined) regionsLeft.delete(region);
  }

  return {
    chain(chain) {
      met(chain.account, chain.region);
      for (const choice of trailsLeft) if (isOf(choice, chain)) trailsLeft.delete(choice);
    },
    subject({ account, region, trail }) {
      met(account, region);
      for (const choice of trailsLeft) if (choice.name === trail) trailsLeft.delete(choice);
    },
    unmet: () => [
      ...[...accountsLeft].map((account): Subject => ({ type: 'chain', account })),
      ...[...regionsLeft].map((region): Subject => ({ type: 'chain', region })),
      ...[...trailsLeft].map(
        ({ name, owner }): Subject => ({
          type: 'chain',
          trail: name,
          ...(owner === undefined ? {} : { account: owner }),
        }),
      ),
    ],
  };
}
