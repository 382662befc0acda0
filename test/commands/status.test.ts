import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Checkpoint } from '../../src/chain/checkpoint.ts';
import { fileStore } from '../../src/state/file-store.ts';
import { checkpointBytes, checkpointName } from '../../src/state/record.ts';
import { enroll } from '../../src/state/roll.ts';
import { parseJsonl, runCli } from '../support/run-cli.ts';

const CHECKPOINT: Checkpoint = {
  v: 1,
  account: '111122223333',
  region: 'eu-west-2',
  trail: 'audit',
  homeRegion: 'eu-west-2',
  root: 'AWSLogs/111122223333/',
  sequence: 7,
  previous: 'a'.repeat(64),
  firstVerified: '2026-01-01T00:00:00Z',
  verifiedAt: '2026-03-02T06:00:00Z',
  digest: {
    bucket: 'logs',
    key: 'AWSLogs/111122223333/CloudTrail-Digest/x.json.gz',
    sha256: 'b'.repeat(64),
    signature: 'cc',
    fingerprint: 'd'.repeat(32),
    startTime: '2026-03-02T04:17:42Z',
    endTime: '2026-03-02T05:17:42Z',
  },
  totals: { digests: 1000, logs: 4000 },
  open: [],
};

let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'trailseal-status-'));
});
afterAll(() => rm(root, { recursive: true }));

async function status(checkpoints: readonly (Checkpoint | string)[], ...argv: string[]) {
  const place = await mkdtemp(join(root, 'case-'));
  for (const [n, checkpoint] of checkpoints.entries()) {
    const known = typeof checkpoint !== 'string';
    const name = known ? checkpointName(checkpoint) : `${n}.json`;
    await fileStore(place).save(name, known ? checkpointBytes(checkpoint) : Buffer.from(checkpoint), null);
  }
  const names = await fileStore(place).names();
  if (names.length > 0) await enroll(fileStore(place), names);
  const { code, out, err } = await runCli(['status', '--checkpoint', place, '--output', 'jsonl=-', '--quiet', ...argv]);
  return { code, err, kinds: out === '' ? [] : parseJsonl(out).findings.map(({ control }) => control) };
}

const other: Checkpoint = { ...CHECKPOINT, region: 'eu-west-1', verifiedAt: '2026-02-20T06:00:00Z' };

it.each<[string, (Checkpoint | string)[], string[], number, string[]]>([
  ['in time', [CHECKPOINT], ['--now', '2026-03-03T08:00:00Z'], 0, ['state-fresh']],
  ['a night missed', [CHECKPOINT], ['--now', '2026-03-03T08:00:01Z'], 1, ['state-stale']],
  ['a shorter leash', [CHECKPOINT], ['--now', '2026-03-02T08:00:01Z', '--max-age', '2h'], 1, ['state-stale']],
  ['one of two', [CHECKPOINT, other], ['--now', '2026-03-03T06:00:00Z'], 1, ['state-stale', 'state-fresh']],
  ['dated ahead', [CHECKPOINT], ['--now', '2026-03-01T00:00:00Z'], 1, ['state-ahead']],
  ['nothing there', [], ['--now', '2026-03-03T06:00:00Z'], 3, ['state-absent']],
  ['no checkpoint', ['{}'], ['--now', '2026-03-03T06:00:00Z'], 3, ['state-unreadable']],
])('%s', async (_, checkpoints, argv, code, kinds) => {
  expect(await status(checkpoints, ...argv)).toMatchObject({ code, kinds });
});

it('says how long ago, and how far', async () => {
  const place = await mkdtemp(join(root, 'case-'));
  await fileStore(place).save(checkpointName(CHECKPOINT), checkpointBytes(CHECKPOINT), null);
  const { out } = await runCli(['status', '--checkpoint', place, '--now', '2026-03-04T06:00:00Z']);
  expect(out).toContain(
    'last verified 2026-03-02T06:00:00Z, 48 h before 2026-03-04T06:00:00Z; 26 h are allowed; proven through 2026-03-02T05:17:42Z',
  );
});

it('needs a place', async () => {
  expect(await runCli(['status'])).toMatchObject({ code: 2, err: expect.stringContaining('give --checkpoint') });
});
