import { NOT_SURVEYED, surveyedBuckets } from '../around.ts';
import { control } from '../control.ts';
import { noneBeforeLock } from '../object-answers.ts';

export const obj05 = control({
  id: 'OBJ-05',
  title: 'no object dates from before the lock',
  severity: 'high',
  remedy: 'S3 Batch Operations PutObjectRetention on the versions named',
  calls: ['ListObjectVersions', 'GetObjectRetention'],
  none: NOT_SURVEYED,
  over: surveyedBuckets,
  check: noneBeforeLock,
});
