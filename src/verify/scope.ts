import type { Place } from '../chain/attestation.ts';
import type { Chain } from '../chain/location.ts';
import type { Location } from '../source/source.ts';
import type { Share } from './share.ts';

/** What of the bucket is asked for; an absent list means all that is found. */
export interface Scope {
  /** Prefix in front of `AWSLogs/` with its slash, `''` for none, `null` to look for it. */
  readonly prefix: string | null;
  readonly accounts?: ReadonlySet<string>;
  readonly regions?: ReadonlySet<string>;
  readonly trails?: readonly TrailChoice[];
  /** What other runs look at is left to them. */
  readonly share?: Share;
}

/** A trail by its name; an ARN says its home Region and owner too. */
export interface TrailChoice {
  readonly name: string;
  readonly homeRegion?: string;
  /** Account of the trail: its chains are that account's own, or those of its organization. */
  readonly owner?: string;
  /** When CloudTrail says it last delivered a digest, epoch milliseconds. */
  readonly lastDelivery?: number;
  /** Regions in which it delivers digests besides its home Region, in each account that it logs. */
  readonly regions?: readonly string[];
}

export function wantsChain({ accounts, regions, trails }: Scope, chain: Chain): boolean {
  const chosen = trails === undefined || trails.some((choice) => isOf(choice, chain));
  return chosen && wants(accounts, chain.account) && wants(regions, chain.region);
}

/** Whether a trail that is asked for may write to the tree of that account. */
export function wantsTree({ trails }: Scope, { root, account }: Pick<Chain, 'root' | 'account'>): boolean {
  return trails?.some((choice) => isOwned(choice, { root, account })) ?? true;
}

export function isOf(choice: TrailChoice, chain: Chain): boolean {
  const { name, homeRegion } = choice;
  const isNamed = name === chain.trail && (homeRegion === undefined || homeRegion === chain.homeRegion);
  return isNamed && isOwned(choice, chain);
}

function isOwned({ owner }: Pick<TrailChoice, 'owner'>, { root, account }: Pick<Chain, 'root' | 'account'>): boolean {
  return owner === undefined || owner === account || UNDER_ORGANIZATION.test(root);
}

/** Speaks of the home Region only: elsewhere the same trail delivers at other times. */
export function lastDeliveryOf({ trails }: Scope, chain: Chain): number | null {
  if (chain.region !== chain.homeRegion) return null;
  return trails?.find((choice) => choice.owner === chain.account && isOf(choice, chain))?.lastDelivery ?? null;
}

const UNDER_ORGANIZATION = /\/o-[a-z0-9]+\/\d{12}\/$/;

export function wants(list: ReadonlySet<string> | undefined, value: string): boolean {
  return list === undefined || list.has(value);
}

/** A copy: digests name the original place, the bytes lie at the present one. Prefixes end in `/` or are empty. */
export interface Relocation {
  readonly original: { readonly bucket: string; readonly prefix: string };
  readonly present: { readonly bucket: string | null; readonly prefix: string };
}

/** Where the object that was found under this key ought to live. */
export function homeOf(bucket: string | null, relocation: Relocation | null, key: string): Place {
  if (!relocation) return { bucket, key };
  const { original, present } = relocation;
  const moved = key.startsWith(present.prefix) ? original.prefix + key.slice(present.prefix.length) : key;
  return { bucket: original.bucket, key: moved };
}

/** Where the bytes of the object that a digest names are now. */
export function presentOf(bucket: string | null, relocation: Relocation | null, named: Location): Location {
  if (!relocation) return named;
  const { original, present } = relocation;
  if (named.bucket !== original.bucket || !named.key.startsWith(original.prefix)) return named;
  return { bucket: bucket ?? named.bucket, key: present.prefix + named.key.slice(original.prefix.length) };
}
