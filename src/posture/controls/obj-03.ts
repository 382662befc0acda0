import { notApplicable } from '../answer.ts';
import { NOT_SURVEYED, surveyedBuckets } from '../around.ts';
import { control } from '../control.ts';
import { noneListed } from '../object-answers.ts';
import { versioningState } from '../versioning.ts';

export const obj03 = control({
  id: 'OBJ-03',
  title: 'no log is hidden by a delete marker',
  severity: 'critical',
  remedy: 'delete the markers named: the logs are still there; then find in the verified logs who put them',
  calls: ['ListObjectVersions', 'GetBucketVersioning'],
  none: NOT_SURVEYED,
  over: surveyedBuckets,
  check: (bucket) => {
    const answer = noneListed(
      bucket,
      ({ deleteMarkers }) => deleteMarkers,
      'no delete marker covers a log',
      (count) => `${count} delete markers cover logs or digests`,
    );
    const { versioning } = bucket.facts;
    const never = versioning.state === 'known' && versioningState(versioning.value) === 'never';
    return never && answer.outcome === 'pass' ? notApplicable('the bucket never had versions, nor markers') : answer;
  },
});
