import { expect, test } from 'vitest';
import { objectPages, type Page, type VersionPage, versionPages } from '../../src/source/s3/listing.ts';

const OBJECT = { key: 'a', size: 1, lastModified: 0 };
const VERSION = { ...OBJECT, versionId: 'v', isLatest: true, deleteMarker: false };

/** A store that says on each page, under a new name, that more is to come; `last` is the page after so many. */
function pages<P>(page: (n: number) => P, last: P, after: number) {
  let asked = 0;
  return {
    ask: () => Promise.resolve(++asked > after ? last : page(asked)),
    asked: () => asked,
  };
}

async function keys(listing: AsyncIterable<{ objects: Page['objects'] } | { versions: VersionPage['versions'] }>) {
  const found: string[] = [];
  for await (const page of listing)
    found.push(...('objects' in page ? page.objects : page.versions).map(({ key }) => key));
  return found;
}

test.each<[string, Page['objects']]>([
  ['that repeat one object', [OBJECT]],
  ['of nothing', []],
])('pages without end %s, each under a new name, end', async (_, objects) => {
  const store = pages<Page>(
    (n) => ({ objects, folders: [], token: `${n}` }),
    { objects, folders: [], token: null },
    5_000,
  );
  await expect(keys(objectPages(store.ask, { prefix: '' }))).rejects.toThrow('have no end');
  expect(store.asked()).toBeLessThan(1_100);
});

test('so do those of versions', async () => {
  const page = (n: number): VersionPage => ({ versions: [VERSION], next: { key: 'a', versionId: `${n}` } });
  const store = pages(page, { versions: [], next: null }, 5_000);
  await expect(keys(versionPages(store.ask, { prefix: '' }))).rejects.toThrow('have no end');
  expect(store.asked()).toBeLessThan(1_100);
});

test('hundreds of pages of nothing may stand before something', async () => {
  const store = pages<Page>(
    (n) => ({ objects: [], folders: [], token: `${n}` }),
    { objects: [OBJECT], folders: [], token: null },
    900,
  );
  expect(await keys(objectPages(store.ask, { prefix: '' }))).toEqual(['a']);
});
