import type { Argv } from 'yargs';

/** Which chains of which bucket. */
export function placeOptions(yargs: Argv): Argv {
  return yargs
    .option('trail-arn', {
      type: 'string',
      array: true,
      requiresArg: true,
      describe: 'ARN of a trail, repeatable; CloudTrail says where it writes',
    })
    .option('s3-bucket', { type: 'string', requiresArg: true, describe: 'bucket with logs; every chain found in it' })
    .option('s3-prefix', { type: 'string', requiresArg: true, describe: 'what stands before AWSLogs/ in its keys' })
    .option('account-id', { type: 'string', array: true, requiresArg: true, describe: 'only these accounts' })
    .option('region', { type: 'string', array: true, requiresArg: true, describe: 'only these Regions' })
    .option('trail-name', { type: 'string', array: true, requiresArg: true, describe: 'only trails of these names' });
}

/** Which stretch of time; what the start is by default differs. */
export function rangeOptions(yargs: Argv, startDefault = 'the starting digest'): Argv {
  return yargs
    .option('start-time', {
      type: 'string',
      requiresArg: true,
      describe: `begin of the range, ISO 8601 (default: ${startDefault})`,
    })
    .option('end-time', { type: 'string', requiresArg: true, describe: 'end of the range (default: now)' })
    .option('since', { type: 'string', requiresArg: true, describe: '24h, 7d or a date, instead of --start-time' })
    .option('now', { type: 'string', requiresArg: true, describe: 'the instant that counts as now (for tests)' });
}
