import { expect, it } from 'vitest';
import type { Checkpoint } from '../../src/chain/checkpoint.ts';
import { checkpointBytes, parseCheckpoint } from '../../src/state/record.ts';

const CHECKPOINT: Checkpoint = {
  v: 1,
  account: '123456789012',
  region: 'us-east-1',
  trail: 'audit',
  homeRegion: 'us-east-1',
  root: 'AWSLogs/123456789012/',
  sequence: 1,
  previous: null,
  firstVerified: '2026-03-01T00:00:00Z',
  verifiedAt: '2026-03-01T06:00:00Z',
  digest: {
    bucket: 'logs',
    key: 'a-digest',
    sha256: '0'.repeat(64),
    signature: null,
    fingerprint: '0'.repeat(32),
    startTime: '2026-03-01T04:00:00Z',
    endTime: '2026-03-01T05:00:00Z',
  },
  totals: { digests: 1, logs: 0 },
  open: [],
};

it('a checkpoint reads back as it was written', () => {
  expect(parseCheckpoint(checkpointBytes(CHECKPOINT))).toEqual(CHECKPOINT);
});

// It would count as fresh for ever: its age is no number, so it is not too old either.
it.each(['2026-99-99T99:99:99Z', '2026-02-31T00:00:00Z', '', 'yesterday'])(
  '%j is no time to have been verified at',
  (verifiedAt) => {
    expect(parseCheckpoint(checkpointBytes({ ...CHECKPOINT, verifiedAt }))).toBeNull();
  },
);

it('a record that gives a key twice is none: two readers would remember two things', () => {
  const twice = String(checkpointBytes(CHECKPOINT)).replace('"sequence"', '"sequence": 9, "sequence"');
  expect(parseCheckpoint(Buffer.from(twice))).toBeNull();
});
