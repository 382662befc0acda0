import { expect, it } from 'vitest';
import { trail } from '../../src/demo/trail.ts';
import { deliverDigest, readDigest } from '../../src/demo/world.ts';
import { judgeDigests } from '../../src/verify/judge-digests.ts';
import { openSession } from '../../src/verify/session.ts';
import { requestFor } from '../support/verify-trail.ts';

/** The newest digest waits for the end of its Region. */
it.each([
  ['the oldest', 0],
  ['the newest', 1],
])('%s digest may name more logs than a call can have arguments', async (_, hour) => {
  const built = trail().hours(2).logs(1).build();
  const digest = readDigest(built, built.digests[hour]?.key ?? '');
  const logFiles = Array.from({ length: 200_000 }, () => digest.logFiles).flat();
  deliverDigest(built, { ...digest, logFiles }, built.signer);
  let claims = 0;
  for await (const tasks of judgeDigests(openSession(requestFor(built)), null))
    for (const { type } of tasks) if (type === 'claim') claims++;
  expect(claims).toBe(200_001);
});
