import { judgeDigest, samePlace } from '../chain/attestation.ts';
import type { Range } from '../chain/coverage.ts';
import type { Digest, PreviousDigest } from '../chain/digest.ts';
import { type Chain, chainId, type DigestKey, digestKey, parseDigestKey } from '../chain/location.ts';
import type { AttestedDigest } from '../chain/signing.ts';
import type { Source } from '../source/source.ts';
import type { RegionTree } from '../verify/discover.ts';
import { readDigest } from '../verify/read-digest.ts';
import { homeOf } from '../verify/scope.ts';
import type { VerifyRequest } from '../verify/verify.ts';

/** A bucket, or the part of one that holds the earlier digests of a single chain. */
export interface Origin {
  readonly source: Source;
  readonly range: Range;
  /** `null`: all chains in the scope, with everything beside them. */
  readonly chain: Chain | null;
}

/** A digest in an origin, as its bytes say it. */
export interface Found {
  readonly key: DigestKey;
  readonly digest: Digest;
}

/** A digest that names one outside its tree: where its hourly chain may have come from. */
export interface Arrival {
  readonly key: DigestKey;
  readonly previous: PreviousDigest;
  /** The end of the last digest here before the chain went there, epoch milliseconds; `null` where it was not here before. */
  readonly left: number | null;
}

/** By the rules of `verify`: the first digest in the range, or one after hours that are not here, names one elsewhere. */
export function arrivalOf({ source, range }: Origin, { key, digest }: Found, left: number | null): Arrival | null {
  const { previous, startTime } = digest;
  const named = previous && parseDigestKey(previous.key);
  if (!previous || !named || source.bucket === null) return null;
  if (left === null ? range.start !== null && startTime < range.start : startTime <= left) return null;
  const here = { bucket: source.bucket, key: digestKey(key.chain, named.endTime) };
  return samePlace(previous, here) ? null : { key, previous, left };
}

type Asking = Pick<VerifyRequest, 'keys' | 'relocation' | 'sourceOf'>;

/** Only a digest whose signature verifies is believed when it names a place outside the bucket. */
export async function attested(
  { keys, relocation }: Asking,
  source: Source,
  key: DigestKey,
): Promise<AttestedDigest | null> {
  const entry = await readDigest(source, keys, key, homeOf(source.bucket, relocation, key.key));
  return judgeDigest(entry, null).digest;
}

/**
 * Where the chain was in the meantime, or before: the digest is attested, and names one in another bucket, or in a tree that
 * is not copied anyway. `null` where there is nothing to follow.
 */
export async function earlierOrigin(
  request: Asking,
  { source, range }: Origin,
  { key, previous, left }: Arrival,
  isCopied: (tree: string) => boolean,
): Promise<Origin | null> {
  const named = parseDigestKey(previous.key);
  if (request.relocation || !named) return null;
  if (isCopied(treeName(previous.bucket, named.chain))) return null;
  const isElsewhere = previous.bucket !== source.bucket;
  if (isElsewhere && !request.sourceOf) return null;
  const believed = await attested(request, source, key);
  if (believed === null) return null;
  const there = isElsewhere && request.sourceOf ? request.sourceOf(previous.bucket) : source;
  return { source: there, range: { start: left ?? range.start, end: believed.startTime }, chain: named.chain };
}

export function treeName(bucket: string | null, { root, region }: Pick<RegionTree, 'root' | 'region'>): string {
  return `${bucket}/${root}${region}`;
}

/** Whether a digest belongs to that chain or to the backfill beside it. */
export function isOfChain(chain: Chain, key: DigestKey): boolean {
  return chainId({ ...key.chain, backfill: false }) === chainId({ ...chain, backfill: false });
}
