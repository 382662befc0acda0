import { onTestFinished } from 'vitest';
import { formatTime, HOUR } from '../../src/chain/location.ts';
import type { BuiltBucket, PublicKeyFile } from '../../src/demo/trail.ts';
import { type CliResult, type JsonlRun, parseJsonl, runCli } from './run-cli.ts';
import { type PublicKeyJson, type S3Server, type S3ServerOptions, startS3Server } from './s3-server.ts';

export interface ServedRun extends CliResult, Pick<JsonlRun, 'findings' | 'summary'> {
  readonly window: { readonly start: string; readonly end: string } | null;
}

/** A built bucket on the test server, until the running test ends. */
export interface ServedTrail {
  readonly server: S3Server;
  /** `trailseal verify` on it: all of its range, an hour after its end, unless the arguments say otherwise. */
  verify(...argv: readonly string[]): Promise<ServedRun>;
}

export async function serve(built: BuiltBucket, more: S3ServerOptions = {}): Promise<ServedTrail> {
  const objects = Object.fromEntries(built.objects);
  const buckets = { [built.bucket]: { objects }, ...more.buckets };
  const server = await startS3Server({ publicKeys: servedKeys(built.publicKeys), ...more, buckets });
  onTestFinished(() => server.close());
  const { start, end } = built.range;
  const defaults = {
    '--s3-bucket': built.bucket,
    '--start-time': formatTime(start),
    '--end-time': formatTime(end),
    '--now': formatTime(end + HOUR),
  };
  return {
    server,
    async verify(...argv) {
      const given = Object.entries(defaults).filter(([name]) => {
        const place = name === '--s3-bucket' && argv.includes('--trail-arn') && !argv.includes('--s3-bucket');
        return !argv.includes(name) && !place;
      });
      const common = ['--endpoint-url', server.url, '--output', 'jsonl=-', '--quiet'];
      const result = await runCli(['verify', ...given.flat(), ...argv, ...common]);
      if (result.out === '') throw new Error(`verify said nothing: ${result.err}`);
      const { run, findings, summary } = parseJsonl(result.out);
      return { ...result, findings, summary, window: run.window };
    },
  };
}

/** Keys as `ListPublicKeys` answers them: times in epoch seconds. */
export function servedKeys(keys: PublicKeyFile): Record<string, PublicKeyJson[]> {
  const seconds = (time: string) => Date.parse(time) / 1000;
  return Object.fromEntries(
    Object.entries(keys).map(([region, ring]) => [
      region,
      ring.map((key) => ({
        ...key,
        ValidityStartTime: seconds(key.ValidityStartTime),
        ValidityEndTime: seconds(key.ValidityEndTime),
      })),
    ]),
  );
}
