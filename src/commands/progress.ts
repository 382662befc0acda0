import type { Io } from './command.ts';

/** A line that is rewritten on a terminal each quarter of a second, a line a minute elsewhere. */
const TERMINAL_MS = 250;
const LOG_MS = 60_000;

export interface Progress {
  stop(): void;
}

/** Tells on stderr how far the run is, until it is stopped. */
export function startProgress(io: Io, quiet: boolean, describe: () => string): Progress {
  if (quiet) return { stop: () => undefined };
  const started = io.now();
  const line = () => {
    const seconds = Math.max(1, Math.round((io.now() - started) / 1000));
    return `${describe()} · ${seconds} s`;
  };
  const timer = io.errIsTerminal
    ? setInterval(() => io.err(`\r\u001b[K${line()}`), TERMINAL_MS)
    : setInterval(() => io.err(`trailseal: ${line()}\n`), LOG_MS);
  timer.unref();
  return {
    stop: () => {
      clearInterval(timer);
      if (io.errIsTerminal) io.err('\r\u001b[K');
    },
  };
}
