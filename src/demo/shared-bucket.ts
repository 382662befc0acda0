import { formatTime } from '../chain/location.ts';
import type { BuiltBucket, PublicKeyFile, PublicKeyJson } from './trail.ts';
import type { BuiltObject } from './world.ts';

/** Several trails that write to one bucket: of many accounts, Regions and names, each built and changed by itself. */
export function sharedBucket(first: BuiltBucket, ...others: readonly BuiltBucket[]): BuiltBucket {
  const trails = [first, ...others];
  const objects = new Map<string, BuiltObject>();
  for (const trail of trails) {
    if (trail.bucket !== first.bucket) throw new RangeError(`${trail.bucket} and ${first.bucket} are two buckets`);
    for (const [key, object] of trail.objects) {
      if (objects.has(key)) throw new RangeError(`two trails deliver ${key}`);
      objects.set(key, object);
    }
  }
  const start = Math.min(...trails.map(({ range }) => range.start));
  const end = Math.max(...trails.map(({ range }) => range.end));
  return { bucket: first.bucket, objects, publicKeys: allKeys(trails), range: { start, end } };
}

/** One key a Region and fingerprint, valid as long as any trail says it is. */
function allKeys(trails: readonly BuiltBucket[]): PublicKeyFile {
  const byRegion = new Map<string, Map<string, PublicKeyJson>>();
  for (const [region, keys] of trails.flatMap(({ publicKeys }) => Object.entries(publicKeys))) {
    const ring = byRegion.get(region) ?? new Map<string, PublicKeyJson>();
    byRegion.set(region, ring);
    for (const key of keys) ring.set(key.Fingerprint, widest(key, ring.get(key.Fingerprint) ?? key));
  }
  return Object.fromEntries([...byRegion].map(([region, ring]) => [region, [...ring.values()]]));
}

function widest(a: PublicKeyJson, b: PublicKeyJson): PublicKeyJson {
  const pick = (choose: (...times: number[]) => number, field: 'ValidityStartTime' | 'ValidityEndTime'): string =>
    formatTime(choose(Date.parse(a[field]), Date.parse(b[field])));
  return {
    ...a,
    ValidityStartTime: pick(Math.min, 'ValidityStartTime'),
    ValidityEndTime: pick(Math.max, 'ValidityEndTime'),
  };
}
