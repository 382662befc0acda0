/** A checkpoint as it is kept, with what tells one state of it from the next: an ETag, a hash. */
export interface Stored {
  readonly bytes: Buffer;
  readonly version: string;
}

/** Where state could not be read or written; never says that there is none. */
export class StateError extends Error {
  override readonly name = 'StateError';
}

/**
 * The port: where checkpoints are kept between nights. Names are `account/region/file.json`. Every implementation passes
 * the contract in `test/state/store-contract.ts`.
 */
export interface CheckpointStore {
  /** Where a checkpoint of that name is, for people. */
  place(name: string): string;
  /** `null`: there is none, and that is certain. Throws `StateError`. */
  load(name: string): Promise<Stored | null>;
  /**
   * Writes atomically, only if what is kept is still that version (`null`: still nothing). `false`: somebody else wrote
   * in the meantime, and nothing was changed. Throws `StateError`.
   */
  save(name: string, bytes: Uint8Array, expected: string | null): Promise<boolean>;
  /** The names of all that are kept, in order. Throws `StateError`. */
  names(): Promise<string[]>;
}

/** No checkpoint comes near this, nor the names of a hundred thousand of them. */
export const MAX_BYTES = 8 * 1024 * 1024;
