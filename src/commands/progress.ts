import { count, number } from '../report/headline.ts';
import type { Io } from './command.ts';

/** A line that is rewritten on a terminal each quarter of a second, a line a minute elsewhere. */
const TERMINAL_MS = 250;
const LOG_MS = 60_000;
/** Before that an estimate is a guess. */
const TOO_EARLY = { share: 0.02, ms: 3_000 };

export interface Progress {
  stop(): void;
}

export interface Measure {
  /** Objects done, of which the rate is told. */
  readonly done: number;
  /** What else there is to tell. */
  readonly also: readonly string[];
  /** How much of the whole that is, from 0 to 1, where it can be foreseen. */
  readonly share?: number | null;
}

/** Tells on stderr how far the run is, until it is stopped. */
export function startProgress(io: Io, quiet: boolean, measure: () => Measure): Progress {
  if (quiet) return { stop: () => undefined };
  const started = io.now();
  const line = () => progressLine(measure(), io.now() - started);
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

/** Counts, rate, time and, where it can be foreseen, the time that is left. */
export function progressLine({ done, also, share = null }: Measure, elapsedMs: number): string {
  const rate = Math.round(done / Math.max(1, elapsedMs / 1000));
  const parts = [count(done, 'object'), ...also, `${number(rate)}/s`, duration(elapsedMs)];
  if (share !== null && share >= TOO_EARLY.share && elapsedMs >= TOO_EARLY.ms) {
    parts.push(`${Math.floor(share * 100)} %, about ${duration((elapsedMs * (1 - share)) / share)} left`);
  }
  return parts.join(' · ');
}

function duration(ms: number): string {
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  return `${Math.floor(seconds / 3600)} h ${Math.floor((seconds % 3600) / 60)} min`;
}
