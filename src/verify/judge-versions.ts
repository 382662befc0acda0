import { type Verdict, verdict } from '../chain/verdict.ts';
import type { Subject } from '../report/finding.ts';
import type { Observed } from './lister.ts';

/** CloudTrail writes each key once and hides none: what else the versions of a key can tell. */
export function judgeVersions({ key, current, versions }: Observed, about: Subject): Verdict[] {
  const subject: Subject = { ...about, type: 'object', key };
  const verdicts: Verdict[] = [];
  const kept = versions.filter(({ deleteMarker }) => !deleteMarker);
  if (kept.length > 1) {
    const versionIds = kept.slice(0, 10).map(({ versionId }) => versionId);
    verdicts.push(verdict('object-overwritten', subject, { versions: kept.length, versionIds }));
  }
  const [marker] = versions;
  if (current === null && marker?.deleteMarker) {
    const facts = {
      versionId: marker.versionId,
      since: new Date(marker.lastModified).toISOString(),
      kept: kept.length,
    };
    verdicts.push(verdict('object-hidden', { ...subject, versionId: marker.versionId }, facts));
  }
  return verdicts;
}
