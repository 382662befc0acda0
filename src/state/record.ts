import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Checkpoint, NamedChain } from '../chain/checkpoint.ts';
import { type Chain, parseTime } from '../chain/location.ts';
import { duplicateKey } from '../json/duplicate-key.ts';

const hash = z.string().regex(/^[0-9a-f]{64}$/);
// An instant, not only its form: what is compared with a time that is none is neither before nor after it.
const time = z.string().refine((text) => parseTime(text) !== null);
const count = z.int().min(0);

const schema = z.strictObject({
  v: z.literal(1),
  account: z.string().regex(/^\d{12}$/),
  region: z.string(),
  trail: z.string(),
  homeRegion: z.string(),
  root: z.string(),
  sequence: z.int().min(1),
  previous: hash.nullable(),
  firstVerified: time,
  verifiedAt: time,
  digest: z.strictObject({
    bucket: z.string().nullable(),
    key: z.string(),
    sha256: hash,
    signature: z
      .string()
      .regex(/^([0-9a-f]{2})+$/)
      .nullable(),
    fingerprint: z.string().regex(/^[0-9a-f]{32}$/),
    startTime: time,
    endTime: time,
  }),
  totals: z.strictObject({ digests: count, logs: count }),
  open: z.array(z.strictObject({ kind: z.string(), key: z.string() })),
}) satisfies z.ZodType<Checkpoint>;

/** `null` where the bytes are no checkpoint. */
export function parseCheckpoint(bytes: Uint8Array): Checkpoint | null {
  try {
    const json = Buffer.from(bytes).toString('utf8');
    const value: unknown = JSON.parse(json);
    return duplicateKey(json, value) === null ? schema.parse(value) : null;
  } catch {
    return null;
  }
}

export function checkpointBytes(checkpoint: Checkpoint): Buffer {
  return Buffer.from(`${JSON.stringify(checkpoint, null, 2)}\n`);
}

export function sha256Of(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** One name a chain. Two prefixes of a bucket may hold chains of the same account, Region and trail, hence the hash. */
export function checkpointName(chain: Pick<Chain, 'account' | 'region' | 'trail' | 'homeRegion' | 'root'>): string {
  const { account, region, trail, homeRegion, root } = chain;
  return `${account}/${region}/${trail}_${homeRegion}_${sha256Of(Buffer.from(root)).slice(0, 8)}.json`;
}

/** The chain that a checkpoint of that name is of; `null` where none has such a name. */
export function chainOfName(name: string): NamedChain | null {
  const [, account, region, trail, homeRegion] =
    /^(\d{12})\/([a-z0-9-]+)\/(.+)_([a-z0-9-]+)_[0-9a-f]{8}\.json$/.exec(name) ?? [];
  return account && region && trail && homeRegion ? { account, region, trail, homeRegion } : null;
}
