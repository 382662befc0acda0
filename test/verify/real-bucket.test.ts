import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readMetadataManifest } from '../../src/source/metadata-manifest.ts';
import { parseJsonl, runCli } from '../support/run-cli.ts';
import { type S3Server, startS3Server } from '../support/s3-server.ts';
import { hasShared, sharedPath } from '../support/shared.ts';

const FILES = 'data/real-bucket';
const BUCKET = 'falsimentis-log';

interface Expected {
  readonly digests: number;
  readonly logs: number;
  readonly chains: readonly {
    readonly region: string;
    readonly trail: string;
    readonly digests: number;
    readonly logs: number;
  }[];
  readonly range: { readonly start: string; readonly end: string; readonly now: string };
}

describe.skipIf(!hasShared)('a real bucket with 3,871 log files in 22 chains', () => {
  let directory: string;
  let server: S3Server;
  let expected: Expected;
  let range: string[];

  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'trailseal-real-'));
    execFileSync('tar', ['-xJf', sharedPath(`${FILES}/falsimentis-log.tar.xz`), '-C', directory]);
    expected = JSON.parse(readFileSync(sharedPath(`${FILES}/expect.json`), 'utf8')) as Expected;
    const { start, end, now } = expected.range;
    range = ['--start-time', start, '--end-time', end, '--now', now, '--quiet'];
    const publicKeys = JSON.parse(readFileSync(sharedPath(`${FILES}/keys.json`), 'utf8'));
    const metadata = await readMetadataManifest(sharedPath(`${FILES}/metadata.jsonl`));
    const root = join(directory, BUCKET);
    const keys = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((key) =>
      statSync(join(root, key)).isFile(),
    );
    const objects = keys.map(
      (key) => [key, { body: readFileSync(join(root, key)), metadata: metadata.get(key) ?? {} }] as const,
    );
    server = await startS3Server({ buckets: { [BUCKET]: { objects: Object.fromEntries(objects) } }, publicKeys });
  });
  afterAll(async () => {
    await server?.close();
    rmSync(directory, { recursive: true, force: true });
  });

  it.each([
    [
      'from the directory',
      () => [
        '--directory',
        join(directory, BUCKET),
        '--public-keys',
        sharedPath(`${FILES}/keys.json`),
        '--metadata',
        sharedPath(`${FILES}/metadata.jsonl`),
      ],
    ],
    ['over S3, keys from CloudTrail', () => ['--s3-bucket', BUCKET, '--endpoint-url', server.url]],
  ])('is proven %s', async (_name, where) => {
    const { code, out, err } = await runCli(['verify', ...where(), ...range, '--output', 'jsonl=-']);
    expect(err).toBe('');
    expect(code).toBe(0);
    const { summary, findings } = parseJsonl(out);
    expect(findings).toEqual([]);
    expect(summary.verdicts).toEqual({
      'coverage-full': expected.chains.length,
      'digest-signed': expected.digests,
      'link-genesis': expected.chains.length,
      'link-linked': expected.digests - expected.chains.length,
      'log-intact': expected.logs,
    });
    const chains = summary.chains.map(({ region, trail, digests, logs }) => ({ region, trail, digests, logs }));
    expect(chains.toSorted(byChain)).toEqual(
      expected.chains.map(({ region, trail, digests, logs }) => ({ region, trail, digests, logs })).toSorted(byChain),
    );
  });
});

function byChain(a: { region: string; trail: string }, b: { region: string; trail: string }): number {
  return `${a.region} ${a.trail}` < `${b.region} ${b.trail}` ? -1 : 1;
}
