import { expect, it } from 'vitest';
import { absent, known } from '../../../src/posture/evidence.ts';
import { DENIED, findingOf, snapshot, withBucket } from '../../support/snapshot.ts';

it.each([
  ['a good one', snapshot(), 'pass'],
  ['none', withBucket({ policy: absent('NoSuchBucketPolicy') }), 'fail'],
  ['not readable', withBucket({ policy: DENIED }), 'inconclusive'],
  ['no JSON', withBucket({ policy: known('{') }), 'inconclusive'],
  [
    'an element nobody knows',
    withBucket({ policy: known('{"Statement":[{"Effect":"Allow","Whom":"*"}]}') }),
    'inconclusive',
  ],
  ['no log bucket', snapshot({ trails: [], trailLists: [] }), 'not-applicable'],
])('bucket policy: %s', (_, given, outcome) => {
  expect(findingOf('POL-01', given).outcome).toBe(outcome);
});

it('says where a policy is no policy', () => {
  const finding = findingOf('POL-01', withBucket({ policy: known('{"Statement":[{"Effect":"Maybe"}]}') }));
  expect(finding.message).toContain('Statement[0].Effect');
});
