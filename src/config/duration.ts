const UNITS = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const;

/** One number and one unit: `90s`, `50m`, `4h`, `7d`, `2w`. */
export const DURATION = /^(\d{1,6})([smhdw])$/;

/** Milliseconds of a duration as people write it; `null` where the text is none. */
export function parseDuration(text: string): number | null {
  const [, count, unit] = DURATION.exec(text) ?? [];
  if (count === undefined || unit === undefined) return null;
  return Number(count) * UNITS[unit as keyof typeof UNITS];
}
