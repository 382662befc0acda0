import { type Verdict, verdict } from '../chain/verdict.ts';
import type { Subject } from '../report/finding.ts';
import { type Observed, SHOWN } from './lister.ts';

/** CloudTrail writes each key once and hides none: what else the versions of a key can tell. */
export function judgeVersions({ key, current, versions, kept }: Observed, about: Subject): Verdict[] {
  const subject: Subject = { ...about, type: 'object', key };
  const verdicts: Verdict[] = [];
  if (kept > 1) {
    const shown = versions.filter(({ deleteMarker }) => !deleteMarker).slice(0, SHOWN);
    const versionIds = shown.map(({ versionId }) => versionId);
    verdicts.push(verdict('object-overwritten', subject, { versions: kept, versionIds }));
  }
  const [marker] = versions;
  if (current === null && marker?.deleteMarker) {
    const facts = {
      versionId: marker.versionId,
      since: new Date(marker.lastModified).toISOString(),
      kept,
    };
    verdicts.push(verdict('object-hidden', { ...subject, versionId: marker.versionId }, facts));
  }
  return verdicts;
}
