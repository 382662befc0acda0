import { describe, expect, it } from 'vitest';
import { formatTime, HOUR } from '../../src/chain/location.ts';
import { mapOrdered } from '../../src/stream/map-ordered.ts';
import { fc } from '../support/property.ts';
import { parseJsonl, runCli } from '../support/run-cli.ts';
import { type S3Server, startS3Server } from '../support/s3-server.ts';
import { type Altered, alteredTrail } from './alterations.ts';
import { compare, type Disagreement, type OurRun } from './compare.ts';
import { referenceVersion, runReference } from './reference.ts';

/** `npm run differential` takes many; the suite a few of the same. */
const TRAILS = Number(process.env['DIFFERENTIAL_TRAILS'] ?? 16);
const SEED = Number(process.env['DIFFERENTIAL_SEED'] ?? 20260301);

function trails(): Altered[] {
  return Array.from({ length: TRAILS }, (_, i) => fc.sample(alteredTrail(i), { numRuns: 1, seed: SEED + i })).flat();
}

async function serve(all: readonly Altered[]): Promise<S3Server> {
  const buckets = all.map(({ built }) => [built.bucket, { objects: Object.fromEntries(built.objects) }] as const);
  const [key] = all[0]?.built.publicKeys['us-east-1'] ?? [];
  if (!key) throw new Error('no public key was built');
  const publicKeys = { 'us-east-1': [{ ...key, ValidityStartTime: 0, ValidityEndTime: 4e9 }] };
  return await startS3Server({ buckets: Object.fromEntries(buckets), publicKeys });
}

function commandFor({ built, range }: Altered): string[] {
  const times = ['--start-time', formatTime(range.start), '--end-time', formatTime(range.end)];
  return [
    '--trail-arn',
    'arn:aws:cloudtrail:us-east-1:123456789012:trail/audit',
    '--s3-bucket',
    built.bucket,
    ...times,
  ];
}

async function runOurs(altered: Altered, url: string): Promise<OurRun> {
  const now = ['--now', formatTime(altered.built.range.end + HOUR)];
  const argv = ['verify', ...commandFor(altered), ...now, '--endpoint-url', url, '--verbose', '--output', 'jsonl=-'];
  const { code, out, err } = await runCli([...argv, '--quiet']);
  expect(err).toBe('');
  return { code, findings: parseJsonl(out).findings };
}

async function differ(): Promise<{ all: Altered[]; disagreements: Disagreement[]; exits: string[] }> {
  const all = trails();
  const server = await serve(all);
  try {
    const reference = await runReference(
      all.map((altered) => ['cloudtrail', 'validate-logs', '--verbose', ...commandFor(altered)]),
      server.url,
    );
    const disagreements: Disagreement[] = [];
    const exits: string[] = [];
    let index = 0;
    for await (const ours of mapOrdered(all, 4, (altered) => runOurs(altered, server.url))) {
      const [altered, theirs] = [all[index], reference[index]];
      index++;
      if (!altered || !theirs) throw new Error('a run is missing');
      disagreements.push(...compare(altered, theirs, ours));
      exits.push(`AWS CLI ${theirs.code}, trailseal ${ours.code}`);
    }
    return { all, disagreements, exits };
  } finally {
    await server.close();
  }
}

function table(disagreements: readonly Disagreement[], exits: readonly string[]): string {
  const rows = new Map<string, number>();
  for (const { reason, weAreLaxer, about } of disagreements) {
    const what = about === 'the run' ? 'run' : 'object';
    const row = `${weAreLaxer ? 'we accept' : 'we are stricter or unsure'} | ${what} | ${reason}`;
    rows.set(row, (rows.get(row) ?? 0) + 1);
  }
  const ends = new Map<string, number>();
  for (const exit of exits) ends.set(exit, (ends.get(exit) ?? 0) + 1);
  const lines = (counts: Map<string, number>) => [...counts].sort().map(([row, count]) => `| ${row} | ${count} |`);
  return [...lines(ends), '', ...lines(rows)].join('\n');
}

describe.skipIf(referenceVersion === null)(`${TRAILS} altered trails through the AWS CLI and trailseal`, () => {
  it('nothing is proven where the AWS CLI finds a fault, and each disagreement has its reason', {
    timeout: 60_000 + TRAILS * 6_000,
  }, async () => {
    const { all, disagreements, exits } = await differ();
    if (process.env['DIFFERENTIAL_TRAILS']) {
      console.log(`aws-cli ${referenceVersion}, seed ${SEED}, ${all.length} trails\n${table(disagreements, exits)}`);
    }
    expect(disagreements.filter(({ reason }) => reason === 'unexplained')).toEqual([]);
  });
});
