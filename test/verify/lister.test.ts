import { expect, it } from 'vitest';
import type { ListedVersion } from '../../src/source/source.ts';
import { judgeVersions } from '../../src/verify/judge-versions.ts';
import { createLister, type Observed } from '../../src/verify/lister.ts';
import { collect } from '../support/heap.ts';
import { MemorySource } from '../support/memory-source.ts';

const PAGES = 100;
const PAGE = 1000;

it('a key of many versions is told whole, and most of them are not remembered', async () => {
  const heap: number[] = [];
  const source = new MemorySource();
  source.versions = async function* () {
    for (let page = 0; page < PAGES; page++) {
      if (page === 1 || page === PAGES - 1) heap.push(collected());
      yield await Promise.resolve(Array.from({ length: PAGE }, (_, n) => version(page * PAGE + n)));
    }
  };
  const all: Observed[] = [];
  for await (const page of createLister(source, true).history('')) all.push(...page);
  const [first = 0, last = 0] = heap;
  expect((last - first) / 2 ** 20).toBeLessThan(2);
  const verdicts = all.flatMap((observed) => judgeVersions(observed, { type: 'object' }));
  // Every third is a delete marker, and so is the one on top.
  const kept = PAGES * PAGE - Math.ceil((PAGES * PAGE) / 3);
  expect(verdicts.map(({ kind, facts }) => [kind, facts])).toEqual([
    [
      'object-overwritten',
      { versions: kept, versionIds: [1, 2, 4, 5, 7, 8, 10, 11, 13, 14].map((n) => `version-${n}`) },
    ],
    ['object-hidden', { versionId: 'version-0', since: '1970-01-01T00:00:00.000Z', kept }],
  ]);
});

function version(n: number): ListedVersion {
  const versionId = `version-${n}`;
  return { key: 'k', size: 1, lastModified: n, versionId, isLatest: n === 0, deleteMarker: n % 3 === 0 };
}

function collected(): number {
  collect();
  return process.memoryUsage().heapUsed;
}
