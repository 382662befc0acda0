/** How long a request is tried. */
export interface Patience {
  /** Tries where the answer was an error of the server or of the network. */
  readonly tries: number;
  /** Tries where the store asked for fewer requests: it must have time to see that there are fewer. */
  readonly throttledTries: number;
  /** Milliseconds before the second try, doubled for each further one up to the cap; a random part of it is waited. */
  readonly baseMs: number;
  readonly capMs: number;
}

export const PATIENCE: Patience = { tries: 6, throttledTries: 40, baseMs: 50, capMs: 5_000 };

export function pause(patience: Patience, failures: number): Promise<void> {
  const longest = Math.min(patience.capMs, patience.baseMs * 2 ** (failures - 1));
  return new Promise((resolve) => setTimeout(resolve, longest * (0.5 + Math.random() / 2)));
}
