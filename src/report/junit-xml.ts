import { create } from 'xmlbuilder2';
import { xml } from './escape.ts';
import type { Outcome } from './finding.ts';
import type { Case } from './junit-cases.ts';
import type { RunHeader, Summary } from './report.ts';

export function propertiesOf(run: RunHeader, summary: Summary, sha256: string): [string, string][] {
  const { outcomes, exitCode } = summary;
  return [
    ['trailseal.version', run.version],
    ['trailseal.command', run.command],
    ['exit.code', String(exitCode)],
    ['window', run.window === null ? '' : `${run.window.start}/${run.window.end}`],
    ['identity', run.identity ?? ''],
    ...Object.entries(outcomes).map(([outcome, n]): [string, string] => [`outcomes.${outcome}`, String(n)]),
    ...Object.entries(run.inputs).map(([name, hex]): [string, string] => [`input.${name}.sha256`, hex]),
    ['findings.jsonl.sha256', sha256],
  ];
}

export function writeXml(
  suites: readonly [string, readonly Case[]][],
  properties: readonly [string, string][],
  run: RunHeader,
  summary: Summary,
): string {
  const root = create({ version: '1.0', encoding: 'UTF-8' }).ele('testsuites');
  const timestamp = run.clock.slice(0, 19);
  const unique = new Set<string>();
  for (const [id, [name, cases]] of suites.entries()) {
    const has = (outcomes: readonly Outcome[]) =>
      String(cases.filter(({ outcome }) => outcomes.includes(outcome)).length);
    const suite = root.ele('testsuite', {
      package: 'trailseal',
      id: String(id),
      name: xml(name),
      hostname: xml(run.host ?? 'localhost'),
      timestamp,
      tests: String(cases.length),
      failures: has(['fail']),
      errors: has(['inconclusive']),
      skipped: has(['waived', 'not-applicable']),
      time: id === 0 ? (summary.elapsedMs / 1000).toFixed(3) : '0.000',
    });
    const list = suite.ele('properties');
    for (const [key, value] of id === 0 ? properties : []) list.ele('property', { name: xml(key), value: xml(value) });
    for (const each of cases) {
      const element = suite.ele('testcase', { ...identify(each, unique), time: '0.000' });
      const tag = ELEMENTS[each.outcome];
      if (tag === null) continue;
      const message = xml(each.message);
      element
        .ele(tag, tag === 'skipped' ? { message } : { type: xml(each.type), message })
        .txt([message, ...each.lines.map(xml)].join('\n'));
    }
    suite.ele('system-out');
    suite.ele('system-err');
  }
  return `${root.end({ prettyPrint: true })}\n`;
}

const ELEMENTS = {
  pass: null,
  fail: 'failure',
  inconclusive: 'error',
  waived: 'skipped',
  'not-applicable': 'skipped',
} as const satisfies Record<Outcome, string | null>;

/** A duplicate would hide a failure; readers collapse white space, so names that differ only in it are the same. */
function identify({ classname, name }: Case, unique: Set<string>): { classname: string; name: string } {
  const [className, base] = [xml(`trailseal.${classname}`), xml(name)];
  for (let n = 1; ; n++) {
    const candidate = n === 1 ? base : `${base} (${n})`;
    const identity = `${className}\n${candidate}`.replace(/ +/g, ' ');
    if (unique.has(identity)) continue;
    unique.add(identity);
    return { classname: className, name: candidate };
  }
}
