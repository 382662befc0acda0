import { describe, expect, it } from 'vitest';
import { Census, type Listed } from '../../../src/aws/collect/census.ts';

const at = (hour: number): string => new Date(Date.UTC(2026, 0, 1, hour)).toISOString();
const log = (hour: number, more: Partial<Listed> = {}): Listed => ({
  Key: `org/AWSLogs/111122223333/CloudTrail/eu-west-2/2026/01/01/log-${String(hour).padStart(4, '0')}.json.gz`,
  VersionId: `v${hour}`,
  IsLatest: true,
  LastModified: at(hour),
  ...more,
});
const digest = (hour: number): Listed => ({
  ...log(hour),
  Key: `AWSLogs/o-abc123/111122223333/CloudTrail-Digest/eu-west-2/d${hour}`,
});

function taken(sample: number | 'all', seed: number, versions: readonly Listed[]) {
  const census = new Census({ sample, seed });
  for (const version of versions) census.version(version);
  return census;
}

describe('the census of a listing', () => {
  it('counts logs and digests and nothing else', () => {
    const insight = { ...log(3), Key: 'AWSLogs/111122223333/CloudTrail-Insight/eu-west-2/i' };
    const { population } = taken('all', 1, [log(1), log(2), digest(1), insight, { ...log(4), Key: 'readme' }]).survey(
      [''],
      true,
      [],
    );
    expect(population).toEqual({ log: 2, digest: 1 });
  });

  it('counts a key with three versions once as overwritten', () => {
    const { overwritten } = taken('all', 1, [
      log(1),
      log(1, { VersionId: 'b' }),
      log(1, { VersionId: 'c' }),
      log(2),
    ]).survey([''], true, []);
    expect(overwritten.count).toBe(1);
  });

  it('names the youngest of what is archived, counts all', () => {
    const versions = Array.from({ length: 300 }, (_, hour) => log((hour * 7) % 300, { StorageClass: 'DEEP_ARCHIVE' }));
    const { archived } = taken('all', 1, versions).survey([''], true, []);
    expect(archived.count).toBe(300);
    expect(archived.first.map(({ LastModified }) => LastModified)).toEqual(
      Array.from({ length: 50 }, (_, index) => at(299 - index)),
    );
  });

  it('sees versions from before versioning, and delete markers', () => {
    const census = taken('all', 1, [log(1, { VersionId: 'null' }), log(2)]);
    census.deleteMarker(log(2, { VersionId: 'marker' }));
    const { preVersioning, deleteMarkers } = census.survey([''], true, []);
    expect([preVersioning.count, deleteMarkers.first[0]?.VersionId]).toEqual([1, 'marker']);
  });
});

describe('sampling', () => {
  const versions = Array.from({ length: 1000 }, (_, hour) => log(hour));

  it('takes as many of each kind as asked, the same for the same seed, others for another', () => {
    const keys = (seed: number) =>
      taken(20, seed, [...versions, digest(1)])
        .sampled()
        .map(({ Key }) => Key);
    expect(keys(1)).toHaveLength(21);
    expect(keys(1)).toEqual(keys(1));
    expect(keys(1)).not.toEqual(keys(2));
  });

  it('gives each version the same chance', () => {
    const hits = new Map<string, number>();
    for (let seed = 0; seed < 2000; seed += 1) {
      for (const { VersionId } of taken(10, seed, versions.slice(0, 40)).sampled()) {
        hits.set(VersionId, (hits.get(VersionId) ?? 0) + 1);
      }
    }
    // 2000 draws at 1/4: expectation 500, standard deviation 19.
    expect(hits.size).toBe(40);
    for (const count of hits.values()) expect(Math.abs(count - 500)).toBeLessThan(100);
  });
});
