import type { Range } from '../chain/coverage.ts';
import { dayPath, digestFolder, HOUR, logFolder } from '../chain/location.ts';
import type { Source } from '../source/source.ts';
import { isMarker, type RegionTree } from './discover.ts';
import { FIRST_YEAR, walkOver } from './list-digests.ts';

/** An object, or a folder with all that lies in it, where CloudTrail puts none. */
export interface Stray {
  readonly key: string;
  readonly reason: string;
}

/** Epoch milliseconds; `null` where there is no end to that side. */
export interface Stretch {
  readonly from: number | null;
  readonly to: number | null;
}

/** A folder of a Region's that is walked from day to day. */
export interface Walked {
  readonly tree: 'digests' | 'logs';
  readonly folder: string;
  readonly stretch: Stretch;
  /** The walk comes by, whatever the key. */
  readonly isWalked: (key: string) => boolean;
}

/** The folders of a Region in which there may be strays, for a run over the range. */
export function walkedFolders({ root, region, digests, logs }: RegionTree, range: Range, now: number): Walked[] {
  const folder = digestFolder(root, region);
  const { isBefore, isBehind, stretch } = walkOver(folder, range, now);
  const isWalked = (key: string) => !(isBefore(key) || isBehind(key));
  const found: Walked[] = [];
  // Everything is walked where the whole history is asked for.
  if (digests && (stretch.from !== null || stretch.to !== null))
    found.push({ tree: 'digests', folder, stretch, isWalked });
  if (logs) found.push({ tree: 'logs', folder: logFolder(root, region), stretch, isWalked: () => false });
  return found;
}

const UNITS = ['year', 'month', 'day'] as const;

/**
 * What lies in a Region's folder of digests or logs and in no folder of a day, so that no walk from day to day comes by.
 * Lists folders only: that of the Region, and those of the years and months that the stretch touches, which are asked for at
 * once. Throws `SourceError`.
 */
export async function findStrays(source: Source, walked: Walked, now: number): Promise<Stray[]> {
  const { folder, stretch, isWalked } = walked;
  const from = stretch.from === null ? '' : dayPath(stretch.from);
  const to = stretch.to === null ? '\uffff' : dayPath(stretch.to);

  const answers = new Map<string, ReturnType<Source['folders']>>();
  function list(date: string): ReturnType<Source['folders']> {
    const answer = answers.get(date) ?? source.folders(`${folder}${date}`);
    answers.set(date, answer);
    return answer;
  }

  async function look(date: string): Promise<Stray[]> {
    const unit = UNITS[date.split('/').length - 1] ?? 'day';
    const { folders, objects } = await list(date);
    const strays = objects
      .filter((object) => !isMarker(object))
      .map(({ key }): Stray => ({ key, reason: `it lies beside the folders of the ${unit}s` }));
    const deeper: string[] = [];
    for (const key of folders) {
      const there = key.slice(folder.length, -1);
      if (!isDate(there, now)) strays.push({ key, reason: `no ${unit} has this name` });
      else if (unit !== 'day' && there >= from.slice(0, there.length) && there <= to) deeper.push(`${there}/`);
    }
    // Twelve at most.
    return [...strays, ...(await Promise.all(deeper.map(look))).flat()];
  }

  // An error is thrown where the answer is looked at, if it is.
  for (const date of yearsAndMonths(stretch, now)) list(date).catch(() => undefined);
  return (await look('')).filter(({ key }) => !isWalked(key));
}

/** A longer stretch is seldom there to its beginning. */
const ASKED_AT_ONCE = 366 * 24 * HOUR;

/** `YYYY/` and `YYYY/MM/` of a stretch, where it is known and short. */
function yearsAndMonths({ from, to }: Stretch, now: number): Set<string> {
  const dates = new Set<string>();
  const end = to ?? now;
  if (from === null || end - from > ASKED_AT_ONCE) return dates;
  for (let day = from; day < end + 24 * HOUR; day += 24 * HOUR) {
    const path = dayPath(Math.min(day, end));
    dates.add(path.slice(0, 5)).add(path.slice(0, 8));
  }
  return dates;
}

/** Whether the key lies in the folder of a day on which CloudTrail can have written. */
export function liesInDay(folder: string, key: string, now: number): boolean {
  const date = /^\d{4}\/\d{2}\/\d{2}(?=\/)/.exec(key.slice(folder.length))?.[0];
  return date !== undefined && isDate(date, now);
}

/** `YYYY`, `YYYY/MM` or `YYYY/MM/DD` of a calendar that begins with CloudTrail and ends with the coming year. */
function isDate(text: string, now: number): boolean {
  if (!/^\d{4}(?:\/\d{2}){0,2}$/.test(text)) return false;
  const [year = 0, month = 1, day = 1] = text.split('/').map(Number);
  const isReal = dayPath(Date.UTC(year, month - 1, day)).startsWith(text);
  return isReal && year >= FIRST_YEAR && year <= new Date(now).getUTCFullYear() + 1;
}
