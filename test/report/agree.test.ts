import { describe, expect, it } from 'vitest';
import type { Finding } from '../../src/report/finding.ts';
import { number } from '../../src/report/headline.ts';
import type { Summary } from '../../src/report/report.ts';
import { readJunit } from './junit-reader.ts';
import { hostileFindings, log, posture, render } from './sample.ts';

const SETS: readonly [string, Finding[], Parameters<typeof render>[2]][] = [
  ['hostile names', hostileFindings(), {}],
  ['nothing wrong', [posture('LOCK-02', 'pass')], {}],
  ['one altered log', [log('k')], {}],
  ['one unreadable log', [log('k', 'inconclusive', 'log-unreadable')], {}],
  ['nothing at all', [], { facts: { chains: [] } }],
];

describe.each(SETS)('%s: every format tells the same', (_, findings, how) => {
  const lines = render('jsonl', findings, how)
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  const summary: Summary = lines.at(-1);
  const { outcomes } = summary;

  it('JSON Lines: header, findings, summary', () => {
    expect(lines.map(({ type }) => type)).toEqual(['run', ...findings.map(() => 'finding'), 'summary']);
    expect(lines.slice(1, -1)).toEqual(findings.map((each) => ({ type: 'finding', ...each })));
  });

  it('JUnit', () => {
    const { cases } = readJunit(render('junit', findings, how));
    const count = (outcome: string) => cases.filter((each) => each.outcome === outcome).length;
    expect([count('failure'), count('error'), count('skipped')]).toEqual([
      outcomes.fail,
      outcomes.inconclusive,
      outcomes.waived + outcomes['not-applicable'],
    ]);
  });

  it('text', () => {
    const written = render('text', findings, how);
    const counts = Object.entries(outcomes).map(([outcome, n]) => `${number(n)} ${outcome}`);
    expect(written).toContain(`counts     ${counts.join(' · ')}\n`);
    expect(written).toContain(`exit code  ${summary.exitCode}: `);
    const inFull = findings.filter(({ outcome }) => outcome !== 'pass' && outcome !== 'not-applicable');
    for (const each of inFull) expect(written).toContain(each.id);
  });

  const listed = (outcome: string) => findings.filter((each) => each.outcome === outcome).length;

  it('SARIF', () => {
    const [run] = JSON.parse(render('sarif', findings, how)).runs;
    const count = (kind: string) => run.results.filter((each: Record<string, unknown>) => each['kind'] === kind).length;
    const suppressed = run.results.filter((each: Record<string, unknown>) => 'suppressions' in each).length;
    expect([count('fail') - suppressed, count('open'), suppressed]).toEqual([
      outcomes.fail,
      outcomes.inconclusive,
      outcomes.waived,
    ]);
    expect(run.invocations[0].exitCode).toBe(summary.exitCode);
  });

  it('OCSF and CSV', () => {
    const events = render('ocsf', findings, how)
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    const rows = render('csv', findings, how).trimEnd().split('\r\n');
    for (const outcome of Object.keys(outcomes)) {
      expect(events.filter(({ unmapped }) => unmapped.outcome === outcome)).toHaveLength(listed(outcome));
      expect(rows.filter((row) => row.split('","')[3] === outcome)).toHaveLength(listed(outcome));
    }
    expect(events.at(-1).unmapped).toMatchObject({ exit_code: summary.exitCode, outcomes });
  });

  it('Markdown and HTML', () => {
    const order = [outcomes.pass, outcomes.fail, outcomes.inconclusive, outcomes['not-applicable'], outcomes.waived];
    expect(render('markdown', findings, how)).toContain(`| ${order.map(number).join(' | ')} |`);
    const page = render('html', findings, how);
    expect(page).toContain(`>Failed (${number(outcomes.fail)})<`);
    expect(page).toContain(`>Could not be verified, and why (${number(outcomes.inconclusive)})<`);
    expect(page).toContain(`Exit code ${summary.exitCode}: `);
  });
});
