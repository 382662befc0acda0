import type { Identity } from '../aws/clients.ts';
import type { LeanOptions } from './s3/lean-get.ts';
import type { Endpoint } from './s3/signed-get.ts';

/** What a thread needs to read plain objects by itself; holds for a while only, since credentials expire. Can be cloned. */
export type Delegation =
  | { readonly type: 'directory'; readonly directory: string }
  | { readonly type: 's3'; readonly endpoint: Endpoint; readonly identity: Identity; readonly options: LeanOptions };

/** Whether a thread that was given the one need not be given the other. */
export function isSame(a: Delegation, b: Delegation): boolean {
  if (a.type === 's3' && b.type === 's3') {
    const [ours, theirs] = [a.identity, b.identity];
    return ours.accessKeyId === theirs.accessKeyId && ours.sessionToken === theirs.sessionToken;
  }
  return a.type === b.type;
}
