import { type Answer, cannotTell, fail, pass } from './answer.ts';
import type { BucketFacts, PublicAccessBlock } from './bucket-facts.ts';
import { lackingOf, type Unknown } from './evidence.ts';
import type { AccountFacts } from './snapshot.ts';

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

const lackingOfBlocks = (bucket: BucketFacts, owner: AccountFacts): readonly Unknown[] =>
  lackingOf([bucket.publicAccessBlock, owner.publicAccessBlock]);

/** Each of the four blocks is in force on a bucket. */
export function publicAccessBlocked(bucket: BucketFacts, owner: AccountFacts): Answer {
  const states = FLAGS.map((flag) => ({ flag, on: inForce(flag, bucket, owner) }));
  const facts = { inForce: Object.fromEntries(states.map(({ flag, on }) => [flag, on])) };
  const off = states.filter(({ on }) => on === false).map(({ flag }) => flag);
  if (off.length > 0) return fail(`neither bucket nor account sets ${off.join(', ')}`, facts);
  return states.every(({ on }) => on === true)
    ? pass('bucket or account sets each of the four blocks', facts)
    : cannotTell(lackingOfBlocks(bucket, owner), facts);
}
