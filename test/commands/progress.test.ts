import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Io } from '../../src/commands/command.ts';
import { forecast } from '../../src/commands/forecast.ts';
import { progressLine, startProgress } from '../../src/commands/progress.ts';

describe('progressLine', () => {
  it.each([
    ['the beginning', { done: 0, also: [] }, 0, '0 objects · 0/s · 0 s'],
    ['one', { done: 1, also: ['2 failed'] }, 1000, '1 object · 2 failed · 1/s · 1 s'],
    ['a rate', { done: 60_000, also: [] }, 30_000, '60,000 objects · 2,000/s · 30 s'],
    [
      'an estimate',
      { done: 100, also: [], share: 0.25 },
      100_000,
      '100 objects · 1/s · 1 min 40 s · 25 %, about 5 min 0 s left',
    ],
    ['too early for one', { done: 100, also: [], share: 0.25 }, 2_000, '100 objects · 50/s · 2 s'],
    ['too little for one', { done: 100, also: [], share: 0.01 }, 10_000, '100 objects · 10/s · 10 s'],
    [
      'all but the last',
      { done: 100, also: [], share: 1, waiting: { first: 'a/b\u001b/log.json.gz', more: 0 } },
      10_000,
      '100 objects · 10/s · 10 s · the last are being read; waiting for log.json.gz',
    ],
    ['nothing known', { done: 100, also: [], share: null }, 7_200_000, '100 objects · 0/s · 2 h 0 min'],
  ])('%s', (_name, measure, ms, expected) => {
    expect(progressLine(measure, ms)).toBe(expected);
  });
});

it.each([
  ['an object', { first: 'a/log.json.gz', more: 1200 }, '; waiting for log.json.gz and 1,200 more'],
  ['a key that would write elsewhere', { first: 'a/\u001b[2Jx', more: 0 }, '; waiting for \\u001b[2Jx'],
  ['an answer', null, ''],
])('says that it waits for %s', (_name, waiting, expected) => {
  const line = progressLine({ done: 10, also: [], share: 1, waiting }, 20_000, 12_000);
  expect(line).toBe(`10 objects · 1/s · 20 s · nothing came for 12 s${expected}`);
});

describe('startProgress', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  function told(errIsTerminal: boolean, quiet: boolean, ms: number): string[] {
    const lines: string[] = [];
    const io = { err: (text: string) => void lines.push(text), errIsTerminal, now: Date.now } as unknown as Io;
    const progress = startProgress(io, quiet, () => ({ done: 5, also: [] }));
    vi.advanceTimersByTime(ms);
    progress.stop();
    vi.advanceTimersByTime(ms);
    return lines;
  }

  it('writes a line a minute where nobody watches', () => {
    expect(told(false, false, 180_000)).toEqual([
      'trailseal: 5 objects · 0/s · 1 min 0 s\n',
      'trailseal: 5 objects · 0/s · 2 min 0 s · nothing came for 1 min 0 s\n',
      'trailseal: 5 objects · 0/s · 3 min 0 s · nothing came for 2 min 0 s\n',
    ]);
  });

  it('rewrites one line on a terminal and clears it', () => {
    const lines = told(true, false, 1000);
    expect(lines).toHaveLength(5);
    expect(lines.slice(0, 4).every((line) => line.startsWith('\r\u001b[K5 objects'))).toBe(true);
    expect(lines.at(-1)).toBe('\r\u001b[K');
  });

  it('tells a silence once it lasts, and the estimate again when something came', () => {
    const lines: string[] = [];
    const io = { err: (text: string) => void lines.push(text), errIsTerminal: true, now: Date.now } as unknown as Io;
    let done = 0;
    const waiting = { first: 'a/slow.json.gz', more: 0 };
    const progress = startProgress(io, false, () => ({ done, also: [], share: 0.5, waiting }));
    vi.advanceTimersByTime(4_000);
    expect(lines.at(-1)).toContain('50 %');
    vi.advanceTimersByTime(4_000);
    expect(lines.at(-1)).toMatch(/nothing came for \d s; waiting for slow\.json\.gz/);
    done++;
    vi.advanceTimersByTime(1_000);
    expect(lines.at(-1)).toContain('50 %');
    progress.stop();
  });

  it('says nothing when it should be quiet', () => {
    expect(told(true, true, 180_000)).toEqual([]);
  });
});

describe('forecast', () => {
  it('goes by Region trees and by time within them, once it is known what there is', () => {
    const ahead = forecast(1, { start: 1000, end: 2000 });
    const pace = ahead.next();
    expect(ahead.share()).toBeNull();
    pace.found();
    pace.found();
    pace.reached(1500);
    expect(ahead.share()).toBeNull();
    pace.foundAll();
    expect(ahead.share()).toBe(0.25);
    pace.closed();
    expect(ahead.share()).toBe(0.5);
    pace.reached(2500);
    expect(ahead.share()).toBe(1);
  });

  it('takes the first digest for the start where none was asked for', () => {
    const ahead = forecast(1, { start: null, end: 2000 });
    const pace = ahead.next();
    pace.found();
    pace.foundAll();
    pace.reached(1000);
    expect(ahead.share()).toBe(0);
    pace.reached(1500);
    expect(ahead.share()).toBe(0.5);
  });

  it('counts each of several buckets alike', () => {
    const ahead = forecast(2, { start: 1000, end: 2000 });
    const first = ahead.next();
    first.found();
    first.foundAll();
    first.closed();
    expect(ahead.share()).toBe(0.5);
    const second = ahead.next();
    second.found();
    second.foundAll();
    second.reached(1500);
    expect(ahead.share()).toBe(0.75);
  });

  it('knows what is asked for, the oldest first', () => {
    const ahead = forecast(1, { start: 1000, end: 2000 });
    const pace = ahead.next();
    expect(ahead.waiting()).toBeNull();
    for (const key of ['a', 'b', 'c']) pace.asked(key);
    pace.answered('a');
    expect(ahead.waiting()).toEqual({ first: 'b', more: 1 });
  });
});
