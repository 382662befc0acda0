import type { Chain } from '../chain/location.ts';
import { type Verdict, verdict } from '../chain/verdict.ts';
import type { WalkOptions } from '../chain/walk.ts';
import { openReader, type Reader } from '../source/thread-reader.ts';
import { type Ahead, createAhead } from './ahead.ts';
import { createElsewhere, type Elsewhere } from './elsewhere.ts';
import { createLister, type Lister } from './lister.ts';
import { createReach, type Reach } from './reach.ts';
import type { ChainRecord } from './region.ts';
import type { VerifyRequest } from './request.ts';
import { homeOf, lastDeliveryOf } from './scope.ts';

/** What `verify` yields: each verdict as it is reached, in the order of the bucket, and each chain when it is done. */
export type VerifyStep =
  | { readonly type: 'verdict'; readonly verdict: Verdict; readonly record: ChainRecord | null }
  | { readonly type: 'chain'; readonly record: ChainRecord };

/** One bucket of a run: what is asked, how it is read and how it is listed. */
export interface Session {
  readonly request: VerifyRequest;
  readonly reader: Reader;
  readonly lister: Lister;
  readonly ahead: Ahead;
  readonly walk: WalkOptions;
  readonly reach: Reach;
  readonly elsewhere: Elsewhere;
}

export function openSession(
  request: VerifyRequest,
  reader: Reader = openReader(request.source, 1),
  reach: Reach = createReach(request),
  elsewhere: Elsewhere = createElsewhere(request),
  ahead: Ahead = createAhead(),
): Session {
  const { source, relocation, range, now, grace } = request;
  const lastDelivery = (chain: Chain) => lastDeliveryOf(request.scope, chain);
  const place = (key: string) => homeOf(source.bucket, relocation, key);
  const lister = createLister(source, request.inventory !== 'off');
  const walk = { range, now, grace, place, lastDelivery };
  return { request, reader, lister, ahead, walk, reach, elsewhere };
}

export function told(judged: Verdict, record: ChainRecord | null = null): VerifyStep {
  return { type: 'verdict', verdict: judged, record };
}

/** That versions of objects are not shown, once everything is listed; `null` where they are. */
export function tellBlindness(session: Session): VerifyStep | null {
  const { blind } = session.lister;
  if (blind === null) return null;
  const facts = { code: blind.code, detail: `versions of objects are not shown: ${blind.message}` };
  return told(verdict('object-unlisted', { type: 'run', ...bucketOf(session) }, facts));
}

export function bucketOf({ request: { source } }: Session): { bucket?: string } {
  return source.bucket === null ? {} : { bucket: source.bucket };
}
