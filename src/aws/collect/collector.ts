import type { Ask } from './ask.ts';
import type { PostureClients } from './clients.ts';

/** What every part of the collection is given. */
export interface Collector {
  readonly ask: Ask;
  readonly clients: PostureClients;
  readonly partition: string;
  /** Account of the caller, `null` where it could not be learnt. */
  readonly account: string | null;
}
