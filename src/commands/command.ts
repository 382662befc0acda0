import type { Argv } from 'yargs';

/** What a command may touch of the process it runs in. */
export interface Io {
  readonly out: (text: string) => void;
  /** Progress and diagnostics. */
  readonly err: (text: string) => void;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Whether `out` and `err` end at a terminal. */
  readonly outIsTerminal: boolean;
  readonly errIsTerminal: boolean;
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** Aborted with `SIGINT` or `SIGTERM` as its reason when the user or the system wants an end. */
  readonly interrupt: AbortSignal;
}

/** A mistake in how the command was called: exit code 2, nothing was judged. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** A command as `main` knows it: what it takes, and what it does with it. */
export interface Command {
  /** Declares the options. */
  readonly options: (yargs: Argv) => Argv;
  /** Takes the options as yargs parsed them; resolves to the exit code. */
  readonly run: (options: never, io: Io) => Promise<number>;
}
