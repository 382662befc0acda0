import type { DigestEntry } from '../chain/attestation.ts';
import type { Range } from '../chain/coverage.ts';
import type { LockDemand } from '../chain/lock.ts';
import type { KeySource } from '../keys/key-source.ts';
import type { Source } from '../source/source.ts';
import type { Pace } from './pace.ts';
import type { Relocation, Scope } from './scope.ts';

export interface VerifyRequest {
  readonly source: Source;
  /** Another bucket, for chains that were moved; without it they are followed only within the source. */
  readonly sourceOf?: (bucket: string) => Source;
  readonly keys: KeySource;
  readonly scope: Scope;
  readonly range: Range;
  /** Epoch milliseconds. */
  readonly now: number;
  /** How old the newest digest may be, milliseconds. */
  readonly grace: number;
  /** Whether to look for what no digest names: everywhere, in the digest tree only, or not at all. */
  readonly inventory: 'full' | 'digests' | 'off';
  /** Retention that each digest and log file must carry. */
  readonly lock?: LockDemand;
  /** Bytes that a log file may inflate to; one that does not end there is malformed. 1 GiB by default. */
  readonly maxLogBytes?: number;
  readonly relocation: Relocation | null;
  /** Objects in flight in each of the two stages. */
  readonly concurrency: number;
  readonly pace?: Pace;
  /** Ends the run early; what was judged until then stands. */
  readonly signal?: AbortSignal;
  /** Told of each digest of the scope as it was read, in chain order, before anything is judged of it. */
  readonly watch?: (entry: DigestEntry) => void;
}
