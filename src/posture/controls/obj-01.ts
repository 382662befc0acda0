import { NOT_SURVEYED, surveyedBuckets } from '../around.ts';
import { control } from '../control.ts';
import { retained } from '../object-answers.ts';

export const obj01 = control({
  id: 'OBJ-01',
  title: 'logs are locked as demanded',
  severity: 'critical',
  remedy: 'S3 Batch Operations PutObjectRetention on the versions named; the default lock only takes new ones',
  calls: ['ListObjectVersions', 'GetObjectRetention'],
  none: NOT_SURVEYED,
  over: surveyedBuckets,
  check: (bucket, world) => retained(bucket, world, 'log'),
});
