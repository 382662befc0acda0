import type { Argv } from 'yargs';
import { DURATION, parseDuration } from '../config/duration.ts';
import { UsageError } from './command.ts';

/** Options that every command which asks AWS takes. */
export function awsOptions(yargs: Argv): Argv {
  return yargs
    .option('profile', { type: 'string', requiresArg: true, describe: 'named profile of the AWS configuration' })
    .option('endpoint-url', {
      type: 'string',
      requiresArg: true,
      describe: 'address of an S3-compatible store or test server',
    })
    .option('config', {
      type: 'string',
      requiresArg: true,
      describe: 'config file (default trailseal.yaml when present)',
    });
}

/** Options that every command which reports takes. */
export function outputOptions(yargs: Argv): Argv {
  return yargs
    .option('output', {
      type: 'string',
      array: true,
      requiresArg: true,
      describe: 'FORMAT=PATH, repeatable; - is stdout, directories are made (default text=-)',
    })
    .option('verbose', { type: 'boolean', describe: 'list what passed as well' })
    .option('quiet', { type: 'boolean', describe: 'no progress on stderr' })
    .option('color', { type: 'boolean', hidden: true })
    .option('no-color', { type: 'boolean', describe: 'no colours, as NO_COLOR does' });
}

/**
 * A point in time as people write it: ISO 8601 with its offset, UTC where it has none, midnight UTC for a date alone.
 * Epoch milliseconds. Throws `UsageError` naming the option.
 */
export function parseInstant(text: string, option: string): number {
  const [, date, time, zone] =
    /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)(Z|[+-]\d{2}:?\d{2})?)?$/i.exec(text.trim()) ??
    [];
  const offset = zone?.replace(/^([+-]\d{2})(\d{2})$/, '$1:$2').toUpperCase() ?? 'Z';
  const ms = date === undefined ? Number.NaN : Date.parse(`${date}T${time ?? '00:00'}${offset}`);
  const rolledOver = date !== undefined && !Number.isNaN(ms) && !isDate(date);
  if (Number.isNaN(ms) || rolledOver) {
    throw new UsageError(
      `--${option} ${text}: not a time such as 2026-03-01, 2026-03-01T06:00:00Z or 2026-03-01T06:00+02:00`,
    );
  }
  return ms;
}

/** `Date.parse` makes 3 March of 31 February. */
function isDate(date: string): boolean {
  return new Date(`${date}T00:00:00Z`).toISOString().startsWith(date);
}

/** Milliseconds. Throws `UsageError` naming the option. */
export function parseLength(text: string, option: string): number {
  const ms = parseDuration(text);
  if (ms === null) throw new UsageError(`--${option} ${text}: not a length of time such as 90s, 50m, 4h or 7d`);
  return ms;
}

/** `24h` back from now, or a point in time. */
export function parseSince(text: string, now: number): number {
  return DURATION.test(text) ? now - parseLength(text, 'since') : parseInstant(text, 'since');
}

const UNITS = { MiB: 2 ** 20, GiB: 2 ** 30 } as const;

/** Bytes. Throws `UsageError` naming the option. */
export function parseSize(text: string, option: string): number {
  const [, digits, unit] = /^([1-9]\d{0,4})(MiB|GiB)$/.exec(text) ?? [];
  if (digits === undefined) throw new UsageError(`--${option} ${text}: not a size such as 512MiB or 4GiB`);
  return Number(digits) * UNITS[unit as keyof typeof UNITS];
}
