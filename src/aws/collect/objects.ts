import type { BucketFacts } from '../../posture/bucket-facts.ts';
import { known, type Read } from '../../posture/evidence.ts';
import type { ObjectSurvey, SampledVersion } from '../../posture/object-facts.ts';
import type { ObjectSurveyScope } from '../../posture/scope.ts';
import { answered } from './ask.ts';
import { Census } from './census.ts';
import type { Collector } from './collector.ts';

type Marker = { readonly KeyMarker?: string; readonly VersionIdMarker?: string };

/**
 * One pass over all versions under each `<prefix>AWSLogs/`, then the retention of the sampled ones. A listing that
 * breaks off after its first page is kept, marked as not complete: what it shows is there all the same.
 */
export async function surveyObjects(
  { ask, clients }: Collector,
  { bucket, expectedOwner, location }: BucketFacts,
  prefixes: readonly string[],
  sample: ObjectSurveyScope,
): Promise<Read<ObjectSurvey>> {
  const sdk = await import('@aws-sdk/client-s3');
  const s3 = await clients.of('s3', location.state === 'known' ? location.value.BucketRegion : clients.region);
  const input = { Bucket: bucket, ...(expectedOwner === null ? {} : { ExpectedBucketOwner: expectedOwner }) };
  const census = new Census(sample);
  let complete = true;
  let pages = 0;
  for (const prefix of prefixes) {
    let next: Marker | null = {};
    const markers = new Set<string>();
    while (next !== null) {
      const marker: Marker = next;
      const page = await ask.read('ListObjectVersions', () =>
        s3.send(new sdk.ListObjectVersionsCommand({ ...input, Prefix: `${prefix}AWSLogs/`, ...marker })),
      );
      if (page.state === 'unknown') {
        if (pages === 0) return page;
        complete = false;
        break;
      }
      pages += 1;
      for (const version of page.value.Versions ?? []) census.version(version);
      for (const version of page.value.DeleteMarkers ?? []) census.deleteMarker(version);
      const { IsTruncated, NextKeyMarker: KeyMarker, NextVersionIdMarker: VersionIdMarker } = page.value;
      next = IsTruncated && KeyMarker ? { KeyMarker, ...(VersionIdMarker ? { VersionIdMarker } : {}) } : null;
      const place = JSON.stringify(next);
      // More is there, and nothing says where, or only where we have been.
      if (IsTruncated && (next === null || markers.has(place))) {
        complete = false;
        break;
      }
      markers.add(place);
    }
  }
  const sampled = await Promise.all(
    census.sampled().map(async (version): Promise<SampledVersion> => {
      const object = { ...input, Key: version.Key, VersionId: version.VersionId };
      const [retention, legalHold] = await Promise.all([
        ask.evidence('GetObjectRetention', () => s3.send(new sdk.GetObjectRetentionCommand(object))),
        ask.evidence('GetObjectLegalHold', () => s3.send(new sdk.GetObjectLegalHoldCommand(object))),
      ]);
      return {
        ...version,
        retention: answered('GetObjectRetention', retention, (answer) => answer.Retention),
        legalHold: answered('GetObjectLegalHold', legalHold, (answer) => answer.LegalHold),
      };
    }),
  );
  return known(census.survey(prefixes, complete, sampled));
}
