import { details, subjectName } from './detail.ts';
import type { Finding, Outcome } from './finding.ts';
import { number, sum } from './headline.ts';
import type { ChainTotals, Summary } from './report.ts';

export interface Case {
  readonly classname: string;
  readonly name: string;
  readonly outcome: Outcome;
  readonly type: string;
  readonly message: string;
  readonly lines: readonly string[];
}

/** One stable testcase of a chain (`logs.integrity`): how many of each outcome, and the first finding of each. */
export interface Group {
  readonly counts: Record<Outcome, number>;
  readonly heads: Map<Outcome, Finding>;
}

export interface Suite {
  readonly name: string;
  readonly groups: Map<string, Group>;
  readonly listed: Finding[];
  readonly unlisted: Record<Outcome, number>;
}

/** The testcase a verdict kind belongs to, by what stands before its first hyphen. */
const CASES: { readonly [prefix: string]: string } = {
  digest: 'digest.signature',
  link: 'digest.continuity',
  coverage: 'coverage',
  log: 'logs.integrity',
  object: 'logs.undigested',
  lock: 'lock.retention',
  checkpoint: 'checkpoint',
};

/** The worst outcome decides what a testcase of many objects is. */
const WORST_FIRST = ['fail', 'inconclusive', 'waived', 'not-applicable', 'pass'] as const satisfies readonly Outcome[];

export function zeroes(): Record<Outcome, number> {
  return { pass: 0, fail: 0, inconclusive: 0, 'not-applicable': 0, waived: 0 };
}

export function caseName(kind: string): string {
  return CASES[kind.slice(0, kind.indexOf('-'))] ?? kind;
}

export function casesOf(
  suite: Suite,
  chain: ChainTotals | undefined,
  titles: { readonly [control: string]: string },
): Case[] {
  const classname = suite.name.replaceAll(' ', '.');
  const groups = new Map(suite.groups);
  const judged = new Map<string, number>();
  for (const [kind, n] of Object.entries(chain?.verdicts ?? {})) {
    const name = caseName(kind);
    judged.set(name, (judged.get(name) ?? 0) + n);
    if (!groups.has(name)) groups.set(name, { counts: zeroes(), heads: new Map() });
  }
  const stable: Case[] = [];
  const rest: Finding[] = [];
  for (const [name, { counts, heads }] of [...groups].sort(([a], [b]) => order(a) - order(b))) {
    const outcome = WORST_FIRST.find((each) => counts[each] > 0) ?? 'pass';
    const of = Math.max(judged.get(name) ?? 0, sum(Object.values(counts)));
    stable.push(stableCase(classname, name, outcome, counts, of, heads.get(outcome)));
    for (const [other, finding] of heads) if (other !== outcome) rest.push(finding);
  }
  const own = [...rest, ...suite.listed].map((finding) => findingCase(classname, finding, titles));
  const more = WORST_FIRST.find((outcome) => suite.unlisted[outcome] > 0);
  return more === undefined ? [...stable, ...own] : [...stable, ...own, moreCase(classname, more, suite.unlisted)];
}

function order(name: string): number {
  const place = Object.values(CASES).indexOf(name);
  return place < 0 ? Number.MAX_SAFE_INTEGER : place;
}

function stableCase(
  classname: string,
  name: string,
  outcome: Outcome,
  counts: Readonly<Record<Outcome, number>>,
  of: number,
  first: Finding | undefined,
): Case {
  const parts = WORST_FIRST.filter((each) => counts[each] > 0).map((each) => `${number(counts[each])} ${each}`);
  const tallied = `${parts.join(', ')} of ${number(of)}`;
  if (first === undefined) return { classname, name, outcome, type: name, message: `${number(of)} pass`, lines: [] };
  const message = `${tallied}; first: ${subjectName(first.subject)}: ${first.message}`;
  return { classname, name, outcome, type: first.control, message, lines: [tallied, ...detailLines(first)] };
}

function findingCase(suite: string, finding: Finding, titles: { readonly [control: string]: string }): Case {
  const { control, outcome, message, kind } = finding;
  const title = titles[control];
  const subject = subjectName(finding.subject);
  const named = kind === 'integrity' ? `${control} ${subject}` : title === undefined ? control : `${control} ${title}`;
  const classname = kind === 'integrity' ? suite : `${suite}.${subject}`;
  return { classname, name: named, outcome, type: control, message, lines: detailLines(finding) };
}

function detailLines(finding: Finding): string[] {
  return details(finding).map(([label, value]) => `${label}: ${value}`);
}

function moreCase(classname: string, outcome: Outcome, unlisted: Readonly<Record<Outcome, number>>): Case {
  const parts = WORST_FIRST.filter((each) => unlisted[each] > 0).map((each) => `${number(unlisted[each])} ${each}`);
  const message = `${number(sum(Object.values(unlisted)))} more are not listed here (${parts.join(', ')})`;
  const lines = ['findings.jsonl (--output jsonl=findings.jsonl) has all of them; its SHA-256 is in the properties'];
  return { classname, name: 'more', outcome, type: 'more', message, lines };
}

export function completed(summary: Summary, interruption: Finding | undefined): Case {
  const shared = { classname: 'run', name: 'run.completed', type: 'run-interrupted' };
  if (interruption !== undefined && interruption.outcome !== 'pass') {
    return { ...shared, outcome: 'inconclusive', message: interruption.message, lines: detailLines(interruption) };
  }
  if (summary.complete) return { ...shared, outcome: 'pass', message: 'the run was completed', lines: [] };
  return { ...shared, outcome: 'inconclusive', message: 'the run was cut short; this report is partial', lines: [] };
}

/** Keeps what is troubled and drops passing suites from the end until the file fits, saying how many. */
export function within(suites: readonly [string, Case[]][], limit: number): readonly [string, Case[]][] {
  let excess = sum(suites.map(([, cases]) => cases.length)) - limit;
  if (excess <= 0) return suites;
  const kept: [string, Case[]][] = [];
  const dropped = zeroes();
  let droppedCases = 0;
  // Two rounds: passing testcases go first; troubled ones only where they alone are too many.
  const drop = new Set<Case>();
  for (const passing of [true, false]) {
    for (const [name, cases] of [...suites].reverse()) {
      if (name === 'run') continue;
      for (const each of [...cases].reverse()) {
        if (excess < 0) break;
        if ((each.outcome === 'pass') !== passing || drop.has(each)) continue;
        drop.add(each);
        dropped[each.outcome] += 1;
        droppedCases += 1;
        excess -= 1;
      }
    }
  }
  for (const [name, cases] of suites) {
    const own = cases.filter((each) => !drop.has(each));
    if (own.length > 0) kept.push([name, own]);
  }
  const outcome = WORST_FIRST.find((each) => dropped[each] > 0) ?? 'pass';
  const message = `${number(droppedCases)} testcases of further chains are not listed here`;
  kept[0]?.[1].push({ ...moreCase('run', outcome, dropped), message });
  return kept;
}
