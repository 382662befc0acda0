import { describe, expect, it } from 'vitest';
import type { Outcome, Severity } from '../../src/report/finding.ts';
import { type RunFacts, tally } from '../../src/report/tally.ts';
import { CHAIN, CHAINS, FACTS, log, posture } from './sample.ts';

const ROWS: readonly [string, Parameters<typeof posture>[1][], Partial<RunFacts>, number][] = [
  ['all pass', ['pass', 'pass'], {}, 0],
  ['waived and not applicable', ['waived', 'not-applicable'], {}, 0],
  ['a failure', ['pass', 'fail'], {}, 1],
  ['an inconclusive', ['pass', 'inconclusive'], {}, 3],
  ['a failure beats an inconclusive', ['inconclusive', 'fail'], {}, 1],
  ['cut short', ['pass'], { complete: false }, 3],
  ['a failure beats a cut', ['fail'], { complete: false }, 1],
  ['nothing judged', [], {}, 3],
  ['SIGINT', ['fail'], { complete: false, interrupted: 130 }, 130],
  ['SIGTERM', ['pass'], { complete: false, interrupted: 143 }, 143],
  ['a failure below the threshold', ['pass', 'fail'], { failOn: 'critical' }, 0],
  ['an inconclusive whatever the threshold', ['fail', 'inconclusive'], { failOn: 'critical' }, 3],
];

describe('exit code', () => {
  it.each(ROWS)('%s', (_, outcomes, facts, code) => {
    const counts = tally();
    for (const [i, outcome] of outcomes.entries()) counts.add(posture(`C-${i}`, outcome));
    expect(counts.summary({ ...FACTS, ...facts }).exitCode).toBe(code);
  });

  it.each<[Severity, Severity | undefined, number]>([
    ['info', undefined, 1],
    ['info', 'low', 0],
    ['low', 'low', 1],
    ['medium', 'high', 0],
    ['high', 'high', 1],
    ['critical', 'high', 1],
  ])('posture failure of severity %s with --fail-on %s', (severity, failOn, code) => {
    const counts = tally();
    counts.add(posture('LOCK-02', 'fail', severity));
    expect(counts.summary({ ...FACTS, ...(failOn === undefined ? {} : { failOn }) }).exitCode).toBe(code);
  });

  it('an integrity failure counts whatever its severity and the threshold', () => {
    const added = tally();
    added.add({ ...log('k'), severity: 'info' });
    const counted = tally();
    counted.count('log-altered', 'fail', CHAIN);
    for (const each of [added, counted]) expect(each.summary({ ...FACTS, failOn: 'critical' }).exitCode).toBe(1);
  });
});

describe('counts', () => {
  it('counts listed findings and unlisted passes alike, in all and by chain', () => {
    const counts = tally();
    counts.add(log('k'));
    for (let i = 0; i < 95; i++) counts.count('log-intact', 'pass', CHAIN);
    counts.add(posture('LOCK-02', 'pass'));
    const summary = counts.summary(FACTS);
    expect(summary.outcomes).toEqual({ pass: 96, fail: 1, inconclusive: 0, 'not-applicable': 0, waived: 0 });
    expect(summary.verdicts).toEqual({ 'LOCK-02': 1, 'log-altered': 1, 'log-intact': 95 });
    expect(summary.chains.map(({ verdicts }) => verdicts)).toEqual([{ 'log-altered': 1, 'log-intact': 95 }, {}]);
    expect(summary.chains.map(({ region, coverage }) => [region, coverage?.length])).toEqual(
      CHAINS.map(({ region, coverage }) => [region, coverage?.length]),
    );
  });

  it('does not depend on the order in which verdicts were reached', () => {
    const [a, b] = [tally(), tally()];
    for (const kind of ['log-intact', 'digest-signed']) a.count(kind, 'pass', CHAIN);
    for (const kind of ['digest-signed', 'log-intact']) b.count(kind, 'pass', CHAIN);
    expect(JSON.stringify(a.summary(FACTS))).toBe(JSON.stringify(b.summary(FACTS)));
  });
});

describe('coverage', () => {
  const at = (hour: number) => `2026-03-01T${String(hour).padStart(2, '0')}:00:00Z`;
  const about = (hour: number, outcome: Outcome) => ({
    ...log(`k${hour}`, outcome),
    subject: { ...log('k').subject, hour: at(hour) },
  });

  it('an hour with a log that is not intact is not proven, whatever its digest is', () => {
    const counts = tally();
    const outcomes = [
      [9, 'inconclusive'],
      [4, 'inconclusive'],
      [2, 'fail'],
      [3, 'fail'],
      [4, 'fail'],
      [14, 'waived'],
    ];
    for (const [hour, outcome] of outcomes as [number, Outcome][]) counts.add(about(hour, outcome));
    const coverage = [
      { from: at(0), to: at(8), state: 'proven' },
      { from: at(8), to: at(12), state: 'gap' },
      { from: at(12), to: at(20), state: 'proven' },
    ] as const;
    const [chain, quiet] = counts.summary({
      ...FACTS,
      chains: CHAINS.map((each, i) => (i === 0 ? { ...each, coverage } : each)),
    }).chains;
    expect(chain?.coverage?.map(({ from, to, state }) => `${from.slice(11, 13)}-${to.slice(11, 13)} ${state}`)).toEqual(
      ['00-01 proven', '01-04 failed', '04-08 proven', '08-12 gap', '12-13 proven', '13-14 failed', '14-20 proven'],
    );
    expect(quiet?.coverage).toEqual(CHAINS[1]?.coverage);
  });

  it('begins anew where the intervals of a second place do', () => {
    const counts = tally();
    counts.add(about(2, 'inconclusive'));
    const coverage = [0, 1].map(() => ({ from: at(0), to: at(5), state: 'proven' as const }));
    const [chain] = counts.summary({
      ...FACTS,
      chains: CHAINS.slice(0, 1).map((each) => ({ ...each, coverage })),
    }).chains;
    expect(chain?.coverage?.map(({ state }) => state)).toEqual([
      'proven',
      'inconclusive',
      'proven',
      'proven',
      'inconclusive',
      'proven',
    ]);
  });
});
