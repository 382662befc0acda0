import { createHash } from 'node:crypto';

/** One of several runs that divide a bucket among them, counted from 1. */
export interface Share {
  readonly index: number;
  readonly of: number;
}

/**
 * Whether the trees of an account and Region belong to this share. It depends on their names alone, never on what else
 * was found: a tree that appears between two runs, or that one of them cannot list, is still in exactly one share. All
 * trails of an account and Region stay together, since they vouch for one log folder and may be one trail that moved.
 */
export function isInShare({ index, of }: Share, account: string, region: string): boolean {
  const hash = createHash('sha256').update(`${account}|${region}`).digest();
  return hash.readUInt32BE() % of === index - 1;
}
