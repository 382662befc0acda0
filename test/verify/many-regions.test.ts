import { expect, test } from 'vitest';
import { trail } from '../../src/demo/trail.ts';
import type { Source } from '../../src/source/source.ts';
import { MemorySource } from '../support/memory-source.ts';
import { countKinds, requestFor, verdictsOf } from '../support/verify-trail.ts';

/** A store of which every answer takes a round trip; those that are asked for together take one together. */
class FarSource extends MemorySource {
  roundTrips = 0;
  #waiting: (() => void)[] = [];

  async #answer(): Promise<void> {
    await new Promise<void>((resolve) => {
      if (this.#waiting.length === 0) void this.#travel();
      this.#waiting.push(resolve);
    });
  }

  /** Whatever can be asked by now is asked, however many turns that takes. */
  async #travel(): Promise<void> {
    for (let before = -1; before !== this.#waiting.length; ) {
      before = this.#waiting.length;
      for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
    }
    this.roundTrips++;
    for (const resolve of this.#waiting.splice(0)) resolve();
  }

  override async folders(prefix: string) {
    await this.#answer();
    return super.folders(prefix);
  }

  override async *list(prefix: string, after?: string) {
    await this.#answer();
    yield* super.list(prefix, after);
  }

  override async *versions(prefix: string, after?: string) {
    await this.#answer();
    yield* super.versions(prefix, after);
  }

  override async open(...asked: Parameters<Source['open']>) {
    await this.#answer();
    return super.open(...asked);
  }
}

async function roundTrips(accounts: number): Promise<number> {
  const built = Array.from({ length: accounts }, (_, n) =>
    trail({ account: `${123456789012 + n}` })
      .hours(3)
      .logs(1)
      .build(),
  );
  const objects = Object.fromEntries(built.flatMap((one) => [...one.objects]));
  const [first] = built;
  if (!first) throw new Error('no account');
  const source = new FarSource(first.bucket, objects);
  const verdicts = await verdictsOf({ ...requestFor(first, source), concurrency: 256 });
  expect(countKinds(verdicts)).toMatchObject({ 'digest-signed': 3 * accounts, 'log-intact': 3 * accounts });
  return source.roundTrips;
}

test('quiet Regions are listed and read together, not one after the other', async () => {
  // Discovery, listing, digests, logs: each step of a single Region waits for the one before.
  expect(await roundTrips(2)).toBeLessThanOrEqual(7);
  expect(await roundTrips(62)).toBeLessThanOrEqual(15);
});
