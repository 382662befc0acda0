import { NOT_SURVEYED, surveyedBuckets } from '../around.ts';
import { control } from '../control.ts';
import { recentAtHand } from '../object-answers.ts';

export const obj06 = control({
  id: 'OBJ-06',
  title: 'recent objects are at hand',
  severity: 'medium',
  remedy: 'restore the objects named; move logs to an archive class later',
  calls: ['ListObjectVersions'],
  none: NOT_SURVEYED,
  over: surveyedBuckets,
  check: recentAtHand,
});
