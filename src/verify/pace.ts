/** Is told how far the first stage has come, so that the end can be foreseen. */
export interface Pace {
  /** One more Region tree is to be read. */
  found(): void;
  /** There will be no more of them. */
  foundAll(): void;
  /** The digests of the present tree are read up to that instant, epoch milliseconds. */
  reached(instant: number): void;
  /** The present tree is read. */
  closed(): void;
}
