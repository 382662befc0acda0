/** Is told how far a run has come, so that its end can be foreseen, and what it waits for. */
export interface Pace {
  /** One more Region tree is to be read. */
  found(): void;
  /** There will be no more of them. */
  foundAll(): void;
  /** The digests of the present tree are read up to that instant, epoch milliseconds. */
  reached(instant: number): void;
  /** The present tree is read. */
  closed(): void;
  /** An object is asked for, by its key. */
  asked(key: string): void;
  /** It is read, or will not be. */
  answered(key: string): void;
}
