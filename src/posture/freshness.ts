/** Hours from an ISO 8601 time to `now` (epoch milliseconds); infinite where there is no such time. */
export function hoursSince(time: string | undefined, now: number): number {
  const then = Date.parse(time ?? '');
  return Number.isNaN(then) ? Number.POSITIVE_INFINITY : (now - then) / 3_600_000;
}
