import { expect, test } from 'vitest';
import { logFolder } from '../../src/chain/location.ts';
import { trail } from '../../src/demo/trail.ts';
import { listedKeys } from '../../src/keys/key-source.ts';
import { parseSavedKeys } from '../../src/keys/saved-keys.ts';
import type { Source } from '../../src/source/source.ts';
import { createRegion } from '../../src/verify/region.ts';
import { openSession } from '../../src/verify/session.ts';
import { beginTask, finishTask, type Listings } from '../../src/verify/task.ts';
import { verify } from '../../src/verify/verify.ts';
import { MemorySource } from '../support/memory-source.ts';
import { countKinds, requestFor, sourceOf, verdictsOf } from '../support/verify-trail.ts';

/** A promise that is kept from outside. */
function gate() {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, opened };
}

const LOGS = 20;
const built = trail().hours(1).logs(LOGS).build();
const intact = { 'digest-signed': 1, 'log-intact': LOGS };

test('the keys of a Region are asked for while its first digest is read', { timeout: 5_000 }, async () => {
  const asked = gate();
  class Slow extends MemorySource {
    override async open(...[location, versionId]: Parameters<Source['open']>) {
      if (location.key.includes('CloudTrail-Digest')) await asked.opened;
      return super.open(location, versionId);
    }
  }
  let calls = 0;
  const saved = parseSavedKeys(JSON.stringify(built.publicKeys)).map(({ key }) => key);
  const keys = listedKeys(() => {
    calls++;
    asked.open();
    return Promise.resolve(saved);
  }, built.range);
  const source = new Slow(built.bucket, Object.fromEntries(built.objects));
  const verdicts = await verdictsOf({ ...requestFor(built, source), keys });
  expect(countKinds(verdicts)).toMatchObject(intact);
  expect(calls).toBe(1);
});

test('the logs of the last day are listed while logs are still read', { timeout: 5_000 }, async () => {
  const listed = gate();
  class Slow extends MemorySource {
    override async open(...[location, versionId]: Parameters<Source['open']>) {
      if (!location.key.includes('CloudTrail-Digest')) await listed.opened;
      return super.open(location, versionId);
    }

    override async *versions(prefix: string, after?: string) {
      if (prefix.startsWith(logFolder('AWSLogs/123456789012/', 'us-east-1'))) listed.open();
      yield* super.versions(prefix, after);
    }
  }
  const source = new Slow(built.bucket, Object.fromEntries(built.objects));
  const verdicts = await verdictsOf({ ...requestFor(built, source), concurrency: 8 });
  expect(countKinds(verdicts)).toMatchObject(intact);
});

/** Some of what is missing: nothing but folders of days to be listed, all of them due at once. */
const holey = trail()
  .hours(2)
  .logs(1)
  .stopAt(0, 300 * 24)
  .build();

test.each(['left', 'failed'] as const)('nothing is listed any more when a run is over that was %s', async (how) => {
  let listing = 0;
  let begun = 0;
  class Slow extends MemorySource {
    override async *versions(prefix: string, after?: string) {
      if (!prefix.includes('/CloudTrail/')) return;
      const isFirst = begun++ === 0;
      listing++;
      await new Promise((resolve) => setTimeout(resolve, isFirst ? 1 : 20));
      listing--;
      if (how === 'failed' && isFirst) throw new RangeError('a fault of the source');
      yield* super.versions(prefix, after);
    }
  }
  const source = new Slow(holey.bucket, Object.fromEntries(holey.objects));
  const run = async () => {
    for await (const _ of verify({ ...requestFor(holey, source), concurrency: 4 })) {
      if (how === 'left' && begun > 20) break;
    }
  };
  if (how === 'failed') await expect(run()).rejects.toThrow('a fault of the source');
  else await run();
  expect(listing).toBe(0);
  const atTheEnd = begun;
  await new Promise((resolve) => setTimeout(resolve, 60));
  expect(begun).toBe(atTheEnd);
});

test('what a listing tells is not held until its Region is over', async () => {
  const session = openSession(requestFor(built, sourceOf(built)));
  const { root, account, region: name } = built.chain;
  const tree = { root, account, region: name, digests: true, logs: true };
  const region = createRegion(tree, session.walk, { isJudged: () => true, presentKey: null });
  const listing: Listings = { started: [], refused: false };
  const task = beginTask(session, { type: 'day', region, day: '2026/03/01', listing });
  expect(await finishTask(session, task)).toEqual([]);
  expect(await Promise.all(listing.started)).toEqual([undefined]);
});
