import { beforeEach, expect, it } from 'vitest';
import type { CheckpointStore } from '../../src/state/store.ts';

const NAME = '111122223333/eu-west-2/audit_eu-west-2_00000000.json';
const OTHER = '111122223333/eu-west-1/audit_eu-west-2_00000000.json';
const text = (content: string): Buffer => Buffer.from(content);

/** What every place for checkpoints has to do. `open` gives one store on the same, empty, place each time it is called. */
export function storeContract(open: () => Promise<() => CheckpointStore>): void {
  let again: () => CheckpointStore;
  let store: CheckpointStore;
  beforeEach(async () => {
    again = await open();
    store = again();
  });

  it('knows nothing at first', async () => {
    expect(await store.load(NAME)).toBeNull();
    expect(await store.names()).toEqual([]);
  });

  it('gives back what was saved, to another run too', async () => {
    expect(await store.save(NAME, text('one'), null)).toBe(true);
    expect(await store.save(OTHER, text('other'), null)).toBe(true);
    const stored = await again().load(NAME);
    expect(stored?.bytes.toString()).toBe('one');
    expect(await again().names()).toEqual([OTHER, NAME]);
  });

  it('goes forward from the version that was read', async () => {
    await store.save(NAME, text('one'), null);
    const first = await store.load(NAME);
    expect(await store.save(NAME, text('two'), first?.version ?? '')).toBe(true);
    expect((await store.load(NAME))?.bytes.toString()).toBe('two');
  });

  it('two runs at once: the second changes nothing', async () => {
    await store.save(NAME, text('one'), null);
    const seen = (await store.load(NAME))?.version ?? '';
    expect(await again().save(NAME, text('theirs'), seen)).toBe(true);
    expect(await store.save(NAME, text('ours'), seen)).toBe(false);
    expect((await store.load(NAME))?.bytes.toString()).toBe('theirs');
  });

  it('two first runs at once: the second changes nothing', async () => {
    expect(await again().save(NAME, text('theirs'), null)).toBe(true);
    expect(await store.save(NAME, text('ours'), null)).toBe(false);
    expect((await store.load(NAME))?.bytes.toString()).toBe('theirs');
  });

  it('of many at once exactly one wins', async () => {
    const all = Array.from({ length: 8 }, (_, n) => again().save(NAME, text(`run ${n}`), null));
    const won = (await Promise.all(all)).flatMap((saved, n) => (saved ? [`run ${n}`] : []));
    expect(won).toEqual([(await store.load(NAME))?.bytes.toString()]);
  });

  it('a checkpoint that was removed in the meantime does not come back unseen', async () => {
    expect(await store.save(NAME, text('two'), '"0123"')).toBe(false);
    expect(await store.load(NAME)).toBeNull();
  });
}
