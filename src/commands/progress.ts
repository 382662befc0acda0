import { terminal } from '../report/escape.ts';
import { count, number } from '../report/headline.ts';
import type { Io } from './command.ts';
import type { Waiting } from './forecast.ts';

/** A line that is rewritten on a terminal each quarter of a second, a line a minute elsewhere. */
const TERMINAL_MS = 250;
const LOG_MS = 60_000;
/** Before that an estimate is a guess. */
const TOO_EARLY = { share: 0.02, ms: 3_000 };
/** Without anything new for so long, what is waited for is worth more than an estimate. */
const SILENT_MS = 5_000;

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
  /** What is asked for at this moment. */
  readonly waiting?: Waiting | null;
}

/** Tells on stderr how far the run is, until it is stopped. */
export function startProgress(io: Io, quiet: boolean, measure: () => Measure): Progress {
  if (quiet) return { stop: () => undefined };
  const started = io.now();
  let last = { told: '', at: started };
  const line = () => {
    const now = io.now();
    const measured = measure();
    const told = [measured.done, ...measured.also].join(' ');
    if (told !== last.told) last = { told, at: now };
    return progressLine(measured, now - started, now - last.at);
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

/**
 * Counts, rate, time and, where it can be foreseen, the time that is left; what is waited for, where nothing has come for
 * a while (`silentMs`) or nothing else is left.
 */
export function progressLine(
  { done, also, share = null, waiting = null }: Measure,
  elapsedMs: number,
  silentMs = 0,
): string {
  const rate = Math.round(done / Math.max(1, elapsedMs / 1000));
  const parts = [count(done, 'object'), ...also, `${number(rate)}/s`, duration(elapsedMs)];
  if (silentMs >= SILENT_MS) parts.push(`nothing came for ${duration(silentMs)}${waitsFor(waiting)}`);
  else if (share !== null && share >= 1) parts.push(`the last are being read${waitsFor(waiting)}`);
  else if (share !== null && share >= TOO_EARLY.share && elapsedMs >= TOO_EARLY.ms) {
    parts.push(`${Math.floor(share * 100)} %, about ${duration((elapsedMs * (1 - share)) / share)} left`);
  }
  return parts.join(' · ');
}

function waitsFor(waiting: Waiting | null): string {
  if (waiting === null) return '';
  const name = waiting.first.slice(waiting.first.lastIndexOf('/') + 1);
  return `; waiting for ${terminal(name)}${waiting.more > 0 ? ` and ${number(waiting.more)} more` : ''}`;
}

function duration(ms: number): string {
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  return `${Math.floor(seconds / 3600)} h ${Math.floor((seconds % 3600) / 60)} min`;
}
