import { expect, test } from 'vitest';
import { createInventory, type Heard } from '../../src/chain/inventory.ts';
import { HOUR } from '../../src/chain/location.ts';
import { collect } from '../support/heap.ts';

const ALL: Heard = { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY, deaf: [], doubtful: [] };
const log = (day: string, n = 0) =>
  `AWSLogs/111111111111/CloudTrail/us-east-1/${day}/111111111111_CloudTrail_us-east-1_${day.replaceAll('/', '')}T1200Z_${`${n}`.padStart(16, '0')}.json.gz`;
const at = (day: string) => Date.parse(`${day.replaceAll('/', '-')}T01:00:00Z`);

/** Lists the days as they become due, and says which logs no digest names. */
function undigested(there: readonly string[], claims: readonly (readonly [digest: string, log: string])[]): string[] {
  const inventory = createInventory();
  const list = (days: readonly string[]) => {
    for (const day of days) {
      for (const key of there) if (key.includes(`/${day}/`)) inventory.listed({ key, lastModified: 0 }, []);
      inventory.listedAll(day);
    }
  };
  for (const [digest, key] of claims) {
    inventory.claim(key);
    list(inventory.dueDays(at(digest)));
  }
  list(inventory.remainingDays());
  return inventory.undigested(ALL).map(({ key }) => key);
}

const DAYS = ['2026/03/02', '2026/03/03', '2026/03/04', '2026/03/05', '2026/03/06'] as const;

test.each<[string, string, string]>([
  ['by its own day', DAYS[2], DAYS[2]],
  ['by the day after', DAYS[3], DAYS[2]],
  ['late, after its day was listed', DAYS[4], DAYS[1]],
  ['by the first digest, for the day before', DAYS[0], '2026/03/01'],
  ['late, for a day before the first digest', DAYS[4], '2026/03/01'],
])('a log that is named %s is digested', (_, digest, day) => {
  const [named, other] = [log(day), log(day, 1)];
  const claims = DAYS.flatMap((each) => [
    [each, log(each, 2)] as const,
    ...(each === digest ? [[each, named] as const] : []),
  ]);
  const there = [named, other, ...DAYS.map((each) => log(each, 2))];
  expect(undigested(there, claims)).toEqual([other]);
});

test('no log is remembered of hours in which no digest could be heard; all of other hours are', () => {
  const [before, day] = [DAYS[0], DAYS[2]];
  // The name of each log says noon.
  const noon = at(day) + 11 * HOUR;
  const deaf: Heard['deaf'] = [{ from: noon - HOUR, to: noon + HOUR, state: 'inconclusive' }];
  const inventory = createInventory();
  const list = (count: number, of: string) => {
    for (let n = 0; n < count; n++) expect(inventory.listed({ key: log(of, n), lastModified: 0 }, deaf)).toBe(true);
  };
  list(100, day);
  collect();
  const heap = process.memoryUsage().heapUsed;
  list(20_000, day);
  collect();
  expect((process.memoryUsage().heapUsed - heap) / 20_000).toBeLessThan(60);
  list(10, before);
  expect(inventory.undigested({ ...ALL, deaf })).toHaveLength(10);
});
