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
    ['nothing known', { done: 100, also: [], share: null }, 7_200_000, '100 objects · 0/s · 2 h 0 min'],
  ])('%s', (_name, measure, ms, expected) => {
    expect(progressLine(measure, ms)).toBe(expected);
  });
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
      'trailseal: 5 objects · 0/s · 2 min 0 s\n',
      'trailseal: 5 objects · 0/s · 3 min 0 s\n',
    ]);
  });

  it('rewrites one line on a terminal and clears it', () => {
    const lines = told(true, false, 1000);
    expect(lines).toHaveLength(5);
    expect(lines.slice(0, 4).every((line) => line.startsWith('\r\u001b[K5 objects'))).toBe(true);
    expect(lines.at(-1)).toBe('\r\u001b[K');
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
});
