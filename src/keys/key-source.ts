import type { KeyAnswer } from '../chain/attestation.ts';
import { HOUR } from '../chain/location.ts';
import { loadPublicKey, type PublicKey, UnusablePublicKey } from '../chain/signing.ts';

/** A key as it is served or saved, not loaded yet. */
export interface ServedKey {
  /** DER, PKCS#1 or SubjectPublicKeyInfo. */
  readonly value: Buffer;
  readonly fingerprint: string;
  /** Epoch milliseconds. */
  readonly validFrom: number;
  readonly validTo: number;
}

/** Where public keys come from. */
export interface KeySource {
  /** The key with that fingerprint in that Region, looked for around that instant (epoch milliseconds). Never throws. */
  find(region: string, fingerprint: string, around: number): Promise<KeyAnswer>;
  /** A key of that Region and time will be looked for: what has to be asked for is best asked for now. */
  expect?(region: string, around: number): void;
}

/** Keys of one Region by fingerprint. A key that cannot be used is kept as the reason why. */
type Ring = Map<string, KeyAnswer>;

function put(ring: Ring, served: ServedKey): void {
  const fingerprint = served.fingerprint.toLowerCase();
  if (ring.get(fingerprint)?.ok) return;
  ring.set(fingerprint, load(served));
}

function load({ value, fingerprint, validFrom, validTo }: ServedKey): KeyAnswer {
  try {
    const key: PublicKey = loadPublicKey(value, fingerprint, validFrom, validTo);
    return { ok: true, key };
  } catch (error) {
    if (error instanceof UnusablePublicKey) return { ok: false, reason: error.message };
    throw error;
  }
}

/** Keys at hand: from `--public-keys`. Keys under no Region serve all of them. */
export function savedKeys(keys: readonly { readonly region: string | null; readonly key: ServedKey }[]): KeySource {
  const rings = new Map<string | null, Ring>();
  for (const { region, key } of keys) {
    const ring = rings.get(region) ?? new Map<string, KeyAnswer>();
    rings.set(region, ring);
    put(ring, key);
  }
  return {
    find(region, fingerprint) {
      const found = rings.get(region)?.get(fingerprint) ?? rings.get(null)?.get(fingerprint);
      return Promise.resolve(found ?? { ok: false, reason: `not among the public keys given for ${region}` });
    },
  };
}

/** `ListPublicKeys` in one Region, all pages; times in epoch milliseconds. Throws what the service answers. */
export type ListKeys = (region: string, from: number, to: number) => Promise<readonly ServedKey[]>;

/** Keys live 30 days and their windows overlap, so this much to each side finds the key of any digest in the middle. */
const MARGIN = 35 * 24 * HOUR;

type Refusal = Pick<Extract<KeyAnswer, { ok: false }>, 'reason' | 'code'>;

interface Asked {
  readonly from: number;
  readonly to: number;
  /** `null` when the answer came, else why it did not. */
  readonly refusal: Promise<Refusal | null>;
}

/** Beyond the range, keys are asked for by such stretches, however close together the times are that digests name. */
const STRETCH = 183 * 24 * HOUR;
/** Stretches of one Region that are asked for. No range needs so many; times that strangers wrote may name any number. */
const MAX_STRETCHES = 16;

/** Keys asked of CloudTrail, once for each Region and stretch of time, however many digests want them at once. */
export function listedKeys(list: ListKeys, range: { readonly start: number | null; readonly end: number }): KeySource {
  const rings = new Map<string, Ring>();
  const asked = new Map<string, Asked[]>();

  function stretchOf(around: number, isFirst: boolean): { from: number; to: number } {
    if (isFirst) {
      return { from: Math.min(range.start ?? around, around) - MARGIN, to: Math.max(range.end, around) + MARGIN };
    }
    const from = Math.floor(around / STRETCH) * STRETCH;
    return { from: from - MARGIN, to: from + STRETCH + MARGIN };
  }

  function ask(region: string, { from, to }: { from: number; to: number }, ring: Ring): Asked {
    const refusal = list(region, from, to).then((keys) => {
      for (const key of keys) put(ring, key);
      return null;
    }, refusalOf);
    return { from, to, refusal };
  }

  function ringOf(region: string): Ring {
    const ring = rings.get(region) ?? new Map<string, KeyAnswer>();
    rings.set(region, ring);
    return ring;
  }

  /** `null` for one stretch too many. */
  function requestFor(region: string, around: number): Asked | null {
    const earlier = asked.get(region) ?? [];
    asked.set(region, earlier);
    const known = earlier.find(({ from, to }) => from <= around - MARGIN && around + MARGIN <= to);
    if (known || earlier.length >= MAX_STRETCHES) return known ?? null;
    const request = ask(region, stretchOf(around, earlier.length === 0), ringOf(region));
    earlier.push(request);
    return request;
  }

  return {
    expect(region, around) {
      // The first answer serves whatever the range holds; the others are left to digests that can be read.
      if (!asked.has(region)) requestFor(region, around);
    },
    async find(region, fingerprint, around) {
      const ring = ringOf(region);
      const request = requestFor(region, around);
      if (request === null) return ring.get(fingerprint) ?? tooMany(region);
      const refusal = await request.refusal;
      const found = ring.get(fingerprint);
      if (found) return found;
      return { ok: false, ...(refusal ?? { reason: `CloudTrail lists no such key in ${region} around that time` }) };
    },
  };
}

function tooMany(region: string): KeyAnswer {
  const reason = `the digests of ${region} name more times than keys are asked for (${MAX_STRETCHES} stretches); narrow the range, or give the key`;
  return { ok: false, reason };
}

function refusalOf(error: unknown): Refusal {
  if (!(error instanceof Error)) return { reason: String(error) };
  const reason = `${error.name}: ${error.message}`;
  const { trouble } = error as { readonly trouble?: { readonly code: string } };
  return trouble === undefined ? { reason } : { reason, code: trouble.code };
}
