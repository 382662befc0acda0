import { NOT_SURVEYED, surveyedBuckets } from '../around.ts';
import { control } from '../control.ts';
import { retained } from '../object-answers.ts';

export const obj02 = control({
  id: 'OBJ-02',
  title: 'digests are locked as demanded',
  severity: 'critical',
  remedy: 'S3 Batch Operations PutObjectRetention on the versions named: without digests nothing can be proven',
  calls: ['ListObjectVersions', 'GetObjectRetention'],
  none: NOT_SURVEYED,
  over: surveyedBuckets,
  check: (bucket, world) => retained(bucket, world, 'digest'),
});
