import { lackingOf, type Unknown } from './evidence.ts';
import type { AccountFacts, BucketFacts, PublicAccessBlock } from './snapshot.ts';

export type Flag = keyof PublicAccessBlock;
export const FLAGS = [
  'BlockPublicAcls',
  'IgnorePublicAcls',
  'BlockPublicPolicy',
  'RestrictPublicBuckets',
] as const satisfies readonly Flag[];

/** Whether a flag is in force on a bucket: set on the bucket or on its owner's account. `null`: cannot tell. */
export function inForce(flag: Flag, bucket: BucketFacts, owner: AccountFacts): boolean | null {
  const sources = [bucket.publicAccessBlock, owner.publicAccessBlock];
  if (sources.some((source) => source.state === 'known' && source.value[flag] === true)) return true;
  return lackingOf(sources).length > 0 ? null : false;
}

export const lackingOfBlocks = (bucket: BucketFacts, owner: AccountFacts): readonly Unknown[] =>
  lackingOf([bucket.publicAccessBlock, owner.publicAccessBlock]);
