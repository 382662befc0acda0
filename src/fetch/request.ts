import type { Location, Source, Trouble } from '../source/source.ts';
import type { VerifyRequest } from '../verify/verify.ts';
import type { CopyFolder } from './copy-folder.ts';
import type { MetadataLog } from './metadata-log.ts';

export interface FetchRequest
  extends Pick<
    VerifyRequest,
    'source' | 'sourceOf' | 'keys' | 'scope' | 'range' | 'now' | 'relocation' | 'concurrency'
  > {
  readonly signal: AbortSignal;
  readonly folder: CopyFolder;
  readonly metadata: MetadataLog;
  /** The copy as `verify` will read it. */
  readonly copy: Source;
}

export type FetchStep =
  | { readonly type: 'copied'; readonly key: string; readonly size: number }
  /** It was there with the same size. */
  | { readonly type: 'kept'; readonly key: string }
  /** Not copied although it is in the bucket, or may be: the copy is not whole. */
  | { readonly type: 'left'; readonly key: string; readonly reason: string; readonly trouble?: Trouble }
  /** The bucket does not have it, so the copy is right not to. */
  | { readonly type: 'absent'; readonly key: string }
  /** A folder of CloudTrail's that digests do not speak of. */
  | { readonly type: 'uncovered'; readonly folder: string }
  /** Digests of a Region in the copy: they are proven by keys of that stretch (epoch milliseconds). */
  | { readonly type: 'digests'; readonly region: string; readonly from: number; readonly to: number };

/** Known from a digest only; `once`: what is there already is right. */
export interface Named {
  readonly source: Source;
  readonly location: Location;
  readonly once: boolean;
}

export function notHad(key: string, trouble: Trouble): Extract<FetchStep, { type: 'left' }> {
  return { type: 'left', key, reason: trouble.message, trouble };
}
