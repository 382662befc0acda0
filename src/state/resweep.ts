import type { Checkpoint } from '../chain/checkpoint.ts';

/** A day of one chain that was verified before and is to be verified again; epoch milliseconds. */
export interface OldDay {
  readonly checkpoint: Checkpoint;
  readonly start: number;
  readonly end: number;
}

const DAY = 24 * 3_600_000;

/**
 * A random share (0 to 1) of the days that lie before the checkpoints, at least one where any share was asked for: what
 * was proven once can be altered later. `random` gives numbers from 0 up to, not including, 1.
 */
export function sampleOldDays(checkpoints: readonly Checkpoint[], share: number, random: () => number): OldDay[] {
  const days = checkpoints.flatMap((checkpoint) => daysOf(checkpoint));
  const wanted = share <= 0 ? 0 : Math.min(days.length, Math.max(1, Math.ceil(days.length * share)));
  for (let n = 0; n < wanted; n++) {
    const other = n + Math.floor(random() * (days.length - n));
    const [here, there] = [days[n], days[other]];
    if (here !== undefined && there !== undefined) [days[n], days[other]] = [there, here];
  }
  return days.slice(0, wanted).sort((a, b) => a.start - b.start);
}

/** Whole days and the rest of one, up to the digest that the run reads anyway. */
function daysOf(checkpoint: Checkpoint): OldDay[] {
  const first = Date.parse(checkpoint.firstVerified);
  const last = Date.parse(checkpoint.digest.startTime);
  const count = Math.max(0, Math.ceil((last - first) / DAY));
  return Array.from({ length: count }, (_, n) => {
    const start = first + n * DAY;
    return { checkpoint, start, end: Math.min(start + DAY, last) };
  });
}
