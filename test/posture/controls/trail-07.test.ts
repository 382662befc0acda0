import { expect, it } from 'vitest';
import { DENIED, findingOf, snapshot, withDescription, withTrail } from '../../support/snapshot.ts';

it.each([
  ['on', snapshot(), 'pass'],
  ['off', withDescription({ LogFileValidationEnabled: false }), 'fail'],
  ['not readable', withTrail({ description: DENIED }), 'inconclusive'],
])('validation %s', (_, given, outcome) => {
  expect(findingOf('TRAIL-07', given).outcome).toBe(outcome);
});
