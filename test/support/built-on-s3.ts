import type { BuiltTrail } from '../../src/demo/trail.ts';
import type { PublicKeyJson } from './s3-server.ts';

/** The keys of a built trail as `ListPublicKeys` serves them. */
export function servedKeys({ publicKeys }: Pick<BuiltTrail, 'publicKeys'>): Record<string, PublicKeyJson[]> {
  return Object.fromEntries(
    Object.entries(publicKeys).map(([region, keys]) => [
      region,
      keys.map((key) => ({
        ...key,
        ValidityStartTime: Date.parse(key.ValidityStartTime) / 1000,
        ValidityEndTime: Date.parse(key.ValidityEndTime) / 1000,
      })),
    ]),
  );
}
