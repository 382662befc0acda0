import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readSnapshot, SnapshotError, snapshotBytes } from '../../src/state/snapshot-file.ts';
import { snapshot } from '../support/snapshot.ts';
import { tempDir } from '../support/temp.ts';

const GOOD = snapshotBytes(snapshot()).toString();
const [TRAIL] = snapshot().trails;

function read(text: string) {
  const file = join(tempDir(), 'snapshot.json');
  writeFileSync(file, text);
  return readSnapshot(file);
}

it('a snapshot reads back as it was written', async () => {
  expect((await read(GOOD)).snapshot).toEqual(snapshot());
});

it.each<[string, string, object]>([
  ['a trail that is none', 'trails[0]', { trails: [null] }],
  ['a bucket that is none', 'buckets[0]', { buckets: ['x'] }],
  ['no trails', 'trails', { trails: null }],
  ['a state nobody knows', 'trails[0].status', { trails: [{ ...TRAIL, status: { state: 'wonderful' } }] }],
  ['a value that is not there', 'trails[0].status', { trails: [{ ...TRAIL, status: { state: 'known' } }] }],
  [
    'a value of nothing',
    'trails[0].description',
    { trails: [{ ...TRAIL, description: { state: 'known', value: null } }] },
  ],
  ['an absence without a code', 'organization', { organization: { state: 'absent' } }],
  ['no identity', 'identity', { identity: null }],
])('%s is refused', async (_, what, change) => {
  const reading = read(JSON.stringify({ ...snapshot(), ...change }));
  await expect(reading).rejects.toThrow(SnapshotError);
  await expect(reading).rejects.toThrow(what);
});

it('a name given twice is refused: a person may read the first', async () => {
  await expect(read(GOOD.replace('"trails":', '"trails": [], "trails":'))).rejects.toThrow('"trails" twice');
});
