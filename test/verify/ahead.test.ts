import { expect, test } from 'vitest';
import { logFolder } from '../../src/chain/location.ts';
import { trail } from '../../src/demo/trail.ts';
import { listedKeys } from '../../src/keys/key-source.ts';
import { parseSavedKeys } from '../../src/keys/saved-keys.ts';
import type { Source } from '../../src/source/source.ts';
import { MemorySource } from '../support/memory-source.ts';
import { countKinds, requestFor, verdictsOf } from '../support/verify-trail.ts';

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
