import { describe, expect, it } from 'vitest';
import { type FormatName, formats } from '../../src/report/formats.ts';
import { jsonl } from '../../src/report/jsonl.ts';
import { SavedRunError, savedRun } from '../../src/report/parse.ts';
import type { Report } from '../../src/report/report.ts';
import { hostileFindings, log, makers, posture, RUN, render, yearInRegions } from './sample.ts';

function replay(text: string, report: Report): string {
  const reader = savedRun();
  let out = '';
  for (const line of text.trimEnd().split('\n')) {
    const entry = reader.read(line);
    if (entry.type === 'run') out += report.start(entry.run);
    else if (entry.type === 'finding') out += report.step(entry.finding);
    else out += report.end(entry.summary);
  }
  reader.end();
  return out;
}

const year = yearInRegions();
const NAMES = Object.keys(formats) as FormatName[];

describe('a saved run', () => {
  it.each(NAMES)('gives the very bytes of %s that the run gave', (format) => {
    expect(replay(render('jsonl', hostileFindings()), makers[format]({}))).toBe(render(format, hostileFindings()));
    const { findings, facts, run } = year;
    expect(replay(render('jsonl', findings, { facts, run }), makers[format]({}))).toBe(
      render(format, findings, { facts, run }),
    );
  });

  it('takes a range without a beginning', () => {
    const text = render('jsonl', [], { run: { ...RUN, window: { start: 'beginning', end: '2026-03-02T00:00:00Z' } } });
    expect(replay(text, jsonl())).toBe(text);
  });

  it('keeps keys it does not know', () => {
    const text = render('jsonl', [
      { ...log('k'), later: { a: 1 }, evidence: { ['__proto__']: 'x', b: null } } as never,
    ]);
    expect(replay(text, jsonl())).toBe(text);
  });
});

const WHOLE = render('jsonl', [
  log('a'),
  log('b', 'inconclusive', 'log-unreadable'),
  posture('K', 'waived'),
  posture('P', 'pass'),
]);
const LINES = WHOLE.trimEnd().split('\n');
const without = (index: number) => LINES.filter((_, i) => i !== index);
const changed = (index: number, from: string, to: string) =>
  LINES.map((line, i) => (i === index ? line.replace(from, to) : line));

describe('a file that is not a whole run is refused', () => {
  it.each<[string, string[], RegExp]>([
    ['the summary is missing', LINES.slice(0, -1), /^line 6: the run was cut off/],
    ['the last line is cut', [...LINES.slice(0, -1), LINES.at(-1)?.slice(0, -10) ?? ''], /^line 6: not a JSON object/],
    ['nothing', [], /^line 1: the run was cut off|not a JSON object/],
    ['the header is missing', without(0), /^line 1: not a saved run/],
    ['a failing finding is taken out', without(1), /counts 1 findings with outcome fail, the file lists 0/],
    ['an inconclusive one is taken out', without(2), /outcome inconclusive/],
    ['a failure is called a pass', changed(1, '"outcome":"fail"', '"outcome":"pass"'), /outcome fail/],
    ['a finding is repeated', [...LINES.slice(0, 2), ...LINES.slice(1)], /the file lists 2/],
    ['a pass is listed and not counted', changed(5, '"pass":63', '"pass":0'), /counts 0 findings with outcome pass/],
    ['counts are below nothing', changed(5, '"pass":63', '"pass":-1'), /^line 6: outcomes.pass: /],
    ['a kind is counted less often than listed', changed(5, '"log-altered":1', '"log-altered":0'), /0 of log-altered/],
    [
      'passes are added that no kind counts',
      changed(5, '"pass":63', '"pass":99'),
      /102 findings by outcome and 66 by kind/,
    ],
    ['an exit code that is green', changed(5, '"exitCode":1', '"exitCode":0'), /exit code 0 does not follow/],
    ['an exit code that is milder', changed(5, '"exitCode":1', '"exitCode":3'), /exit code 3 does not follow/],
    ['an exit code that is none', changed(5, '"exitCode":1', '"exitCode":7'), /exit code 7 does not follow/],
    ['the code of a signal in a whole run', changed(5, '"exitCode":1', '"exitCode":143'), /exit code 143 does not/],
    ['something follows', [...LINES, LINES[1] ?? ''], /something follows the summary/],
    ['a second header', [...LINES.slice(0, 1), ...LINES], /a second header/],
    ['another version of findings', changed(1, '"v":1', '"v":2'), /^line 2: v: /],
    ['an unknown outcome', changed(1, '"outcome":"fail"', '"outcome":"ok"'), /^line 2: outcome: /],
    ['another kind of file', ['{"hello":1}'], /^line 1: /],
    ['not JSON', ['PROVEN'], /^line 1: not a JSON object/],
  ])('%s', (_, lines, message) => {
    const attempt = () => replay(lines.join('\n'), jsonl());
    expect(attempt).toThrow(SavedRunError);
    expect(attempt).toThrow(message);
  });
});
