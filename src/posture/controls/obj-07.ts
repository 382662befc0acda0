import { NOT_SURVEYED, surveyedBuckets } from '../around.ts';
import { control } from '../control.ts';
import { holds } from '../object-answers.ts';

export const obj07 = control({
  id: 'OBJ-07',
  title: 'holds are counted',
  severity: 'info',
  remedy: 'nothing to do',
  calls: ['ListObjectVersions', 'GetObjectLegalHold', 'GetObjectRetention'],
  none: NOT_SURVEYED,
  over: surveyedBuckets,
  check: holds,
});
