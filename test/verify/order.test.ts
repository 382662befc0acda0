import { expect, it } from 'vitest';
import { trail } from '../../src/demo/trail.ts';
import { requestFor, verdictsOf } from '../support/verify-trail.ts';

it('verdicts come in the order of the bucket, and the days are listed before their Region is closed', async () => {
  const built = trail().hours(75).logs(1).addLog(2).build();
  const verdicts = await verdictsOf({ ...requestFor(built), concurrency: 256 });
  const hours = verdicts.flatMap(({ kind, subject }) =>
    kind === 'digest-signed' && subject.type === 'digest' ? [subject.hour] : [],
  );
  expect(hours).toHaveLength(75);
  expect(hours).toEqual(hours.toSorted());
  expect(verdicts.filter(({ kind }) => kind === 'object-undigested')).toHaveLength(1);
});
