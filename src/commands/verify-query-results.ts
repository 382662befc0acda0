import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import type { Argv } from 'yargs';
import { REGION_NAME } from '../chain/location.ts';
import { loadPublicKey, type PublicKey, UnusablePublicKey } from '../chain/signing.ts';
import { type KeySource, listedKeys, type ServedKey, savedKeys } from '../keys/key-source.ts';
import { parseSavedKeys } from '../keys/saved-keys.ts';
import { lakeMeaning, toLakeFinding } from '../lake/meaning.ts';
import type { LakeVerdict } from '../lake/verdict.ts';
import { directorySource } from '../source/directory.ts';
import type { Source } from '../source/source.ts';
import { untilGivenUp } from '../stream/give-up.ts';
import { verifyQueryResults } from '../verify/query-results.ts';
import { VERSION } from '../version.ts';
import { awsSettings } from './aws-settings.ts';
import { type Command, type Io, UsageError } from './command.ts';
import type { OutputOptions } from './outputs.ts';
import { report } from './run.ts';
import { awsOptions, outputOptions } from './shared-options.ts';
import { normalPrefix } from './verify-options.ts';

interface QueryResultsOptions extends OutputOptions {
  readonly directory?: string;
  readonly s3Bucket?: string;
  readonly s3Prefix?: string;
  readonly region?: string;
  readonly publicKeys?: readonly string[];
  readonly trustKey?: readonly string[];
  readonly profile?: string;
  readonly endpointUrl?: string;
}

function options(yargs: Argv): Argv {
  return outputOptions(awsOptions(yargs))
    .usage(
      'trailseal verify-query-results [options]\n\nProves CloudTrail Lake query results: the signature in result_sign.json, and each file against its signed hash.',
    )
    .option('s3-bucket', { type: 'string', requiresArg: true, describe: 'bucket that holds the result' })
    .option('s3-prefix', {
      type: 'string',
      requiresArg: true,
      describe: 'folder of result_sign.json, or one above it: every result found is proven',
    })
    .option('directory', {
      type: 'string',
      requiresArg: true,
      alias: 'local-export-path',
      describe: 'the same on disk, instead of --s3-bucket',
    })
    .option('region', {
      type: 'string',
      requiresArg: true,
      describe: 'Region to ask for the key (default: the one that the sign file names)',
    })
    .option('public-keys', {
      type: 'string',
      array: true,
      requiresArg: true,
      describe: 'file of public keys instead of asking CloudTrail',
    })
    .option('trust-key', {
      type: 'string',
      array: true,
      requiresArg: true,
      describe: 'fingerprint (MD5 of the DER) of a key that you know to be CloudTrail’s',
    })
    .example(
      '$0 verify-query-results --s3-bucket results --s3-prefix AWSLogs/111122223333/CloudTrail-Lake',
      'all of them',
    )
    .example('$0 verify-query-results --directory ./result --public-keys keys.json', 'offline');
}

/** How long what is in flight may take to end after the signal. */
const PATIENCE_MS = 2_000;

export const verifyQueryResultsCommand: Command = { options, run };

async function run(given: QueryResultsOptions, io: Io): Promise<number> {
  const trusted = new Set((given.trustKey ?? []).map(fingerprintOf));
  if (given.region !== undefined && !REGION_NAME.test(given.region)) {
    throw new UsageError(`--region ${given.region}: expected a Region such as eu-west-1`);
  }
  const inputs: Record<string, string> = {};
  const saved = given.publicKeys?.flatMap((file) => readKeys(file, inputs)) ?? null;
  const source = await sourceOf(given);
  const header = {
    tool: 'trailseal',
    version: VERSION,
    command: 'verify-query-results',
    arguments: argumentsOf(given),
    window: null,
    clock: new Date(io.now()).toISOString(),
    identity: null,
    inputs,
  } as const;
  try {
    return await report({ header, outputs: given, io }, async (run) => {
      const verdicts = verifyQueryResults({
        source,
        prefix: normalPrefix(given.s3Prefix ?? ''),
        keys: saved === null ? await cloudTrailKeys(given) : savedKeys(saved),
        others: (saved ?? []).flatMap(({ key }) => underItsOwnFingerprint(key)),
        trusted,
        region: given.region ?? null,
        now: io.now(),
      });
      for await (const verdict of untilGivenUp<LakeVerdict | null>(verdicts, io.interrupt, PATIENCE_MS, () => null)) {
        if (verdict === null) break;
        // What a signature leaves out has to be read even where it holds.
        const isTold = given.verbose || verdict.kind === 'lake-signed' || lakeMeaning[verdict.kind].outcome !== 'pass';
        if (isTold) run.finding(toLakeFinding(verdict));
        else run.passed(verdict.kind);
        if (io.interrupt.aborted) break;
      }
      run.asked(source.requests);
    });
  } finally {
    await source.close();
  }
}

async function sourceOf({ directory, s3Bucket, s3Prefix, ...given }: QueryResultsOptions): Promise<Source> {
  if ((directory === undefined) === (s3Bucket === undefined)) {
    throw new UsageError('say where the result is: --directory or --s3-bucket, one of them');
  }
  if (s3Bucket !== undefined) {
    const { s3Source } = await import('../source/s3.ts');
    return s3Source({ ...awsSettings(given), bucket: s3Bucket });
  }
  if (directory === undefined || !statSync(directory, { throwIfNoEntry: false })?.isDirectory()) {
    throw new UsageError(`--directory ${directory}: there is no such directory`);
  }
  if (s3Prefix !== undefined) throw new UsageError('--s3-prefix goes with --s3-bucket');
  // Of a result the signature is in its sign file.
  return directorySource(directory, { metadata: new Map() });
}

async function cloudTrailKeys(given: QueryResultsOptions): Promise<KeySource> {
  const { listPublicKeys } = await import('../aws/public-keys.ts');
  const settings = awsSettings(given);
  // Without a start each look-up is around the time of its own result.
  return listedKeys((region, from, to) => listPublicKeys(settings, region, from, to), {
    start: null,
    end: Number.NEGATIVE_INFINITY,
  });
}

function readKeys(file: string, inputs: Record<string, string>): ReturnType<typeof parseSavedKeys> {
  try {
    const text = readFileSync(file, 'utf8');
    inputs[file] = createHash('sha256').update(text).digest('hex');
    return parseSavedKeys(text);
  } catch (error) {
    throw new UsageError(`--public-keys ${file}: ${error instanceof Error ? error.message : error}`, { cause: error });
  }
}

/** A file may give a key another's fingerprint; here it stands under the one that its bytes have. */
function underItsOwnFingerprint({ value, validFrom, validTo }: ServedKey): PublicKey[] {
  try {
    return [loadPublicKey(value, createHash('md5').update(value).digest('hex'), validFrom, validTo)];
  } catch (error) {
    if (error instanceof UnusablePublicKey) return [];
    throw error;
  }
}

function fingerprintOf(text: string): string {
  if (/^[0-9a-f]{32}$/i.test(text)) return text.toLowerCase();
  throw new UsageError(`--trust-key ${text}: expected 32 hex digits`);
}

function argumentsOf(given: QueryResultsOptions) {
  const { $0: _program, _: _words, ...named } = given as unknown as Record<string, unknown>;
  return JSON.parse(JSON.stringify(named));
}
