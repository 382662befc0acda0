import { NOT_SURVEYED, surveyedBuckets } from '../around.ts';
import { control } from '../control.ts';
import { noneListed } from '../object-answers.ts';

export const obj04 = control({
  id: 'OBJ-04',
  title: 'no log was overwritten',
  severity: 'high',
  remedy: 'find in the verified logs who wrote the second version; verify hashes the version that the digest names',
  calls: ['ListObjectVersions'],
  none: NOT_SURVEYED,
  over: surveyedBuckets,
  check: (bucket) =>
    noneListed(
      bucket,
      ({ overwritten }) => overwritten,
      'every key has one version',
      (count) => `${count} keys have more than one version`,
    ),
});
