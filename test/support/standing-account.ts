import { type Aws, type Made, makeAccount, type Shape } from './audited-account.ts';
import type { MotoProxy } from './moto-proxy.ts';

export interface StandingAccount {
  /** The good account, made anew only where something was written since; of another shape it is made each time. */
  good(shape?: Shape): Promise<Made>;
  /** What was written since has been put back. */
  isGoodAgain(made: Made): void;
}

/** The account that the tests of a file share: it takes 26 writes to make. */
export function standingAccount(aws: Aws, proxy: MotoProxy): StandingAccount {
  let standing: { readonly made: Made; readonly writes: number } | undefined;
  return {
    async good(shape) {
      if (shape === undefined && standing?.writes === proxy.writes()) return standing.made;
      await proxy.reset();
      const made = await makeAccount(aws, shape);
      standing = shape === undefined ? { made, writes: proxy.writes() } : undefined;
      return made;
    },
    isGoodAgain(made) {
      standing = { made, writes: proxy.writes() };
    },
  };
}
