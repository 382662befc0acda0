import type { Place } from '../chain/attestation.ts';
import type { Chain } from '../chain/location.ts';
import type { Location } from '../source/source.ts';

/** What of the bucket is asked for; an absent list means all that is found. */
export interface Scope {
  /** Prefix in front of `AWSLogs/` with its slash, `''` for none, `null` to look for it. */
  readonly prefix: string | null;
  readonly accounts?: ReadonlySet<string>;
  readonly regions?: ReadonlySet<string>;
  readonly trails?: ReadonlySet<string>;
  /** Only trails of this home Region; an ARN names it. */
  readonly homeRegion?: string;
  /** Only trails of this account, or of the organization whose trail it owns. */
  readonly owner?: string;
}

export function wantsChain(scope: Scope, chain: Chain): boolean {
  return (
    wants(scope.accounts, chain.account) &&
    wants(scope.regions, chain.region) &&
    wants(scope.trails, chain.trail) &&
    (scope.homeRegion === undefined || scope.homeRegion === chain.homeRegion) &&
    (scope.owner === undefined || scope.owner === chain.account || /\/o-[a-z0-9]+\/\d{12}\/$/.test(chain.root))
  );
}

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
