import pc from 'picocolors';
import { chainTable, table } from './chain-table.ts';
import { type Checklist, checklist } from './checklist.ts';
import { details, REMEDY, type Row, subjectName } from './detail.ts';
import { terminal } from './escape.ts';
import type { Finding, Outcome } from './finding.ts';
import { OUTCOMES, SEVERITIES } from './finding.ts';
import { type Gathered, gather } from './gather.ts';
import { type Group, grouped } from './grouped.ts';
import { headline, number, verdictWord } from './headline.ts';
import type { Report, RunHeader, Summary } from './report.ts';
import { EXIT_MEANINGS } from './tally.ts';

export interface TextOptions {
  readonly color?: boolean | undefined;
  /** Lists passes too: those of `verify` as they come, before the verdict, so that memory does not grow with them. */
  readonly verbose?: boolean | undefined;
}

/**
 * For people, verdict first: the word, what failed, what could not be verified, waivers, notes, every chain, counts.
 * Lines are not wrapped: a key broken in two cannot be pasted.
 */
export function text({ color = false, verbose = false }: TextOptions = {}): Report {
  const paint = pc.createColors(color);
  const gathered = gather({ perControl: 50, perOutcome: 500 });
  const passed = checklist();
  const notApplicable = checklist();
  const judged = new Set<string>();
  let run: RunHeader | undefined;

  const tone = {
    pass: paint.green,
    fail: paint.red,
    inconclusive: paint.yellow,
    'not-applicable': paint.dim,
    waived: paint.cyan,
  };

  /** One finding in full; several that say the same, once and with a line for each thing. `unlisted`: more of them. */
  function item(group: Group, unlisted: number): string {
    const { of, findings } = group;
    const total = findings.length + unlisted;
    const times = total > 1 ? ` (×${number(total)})` : '';
    const head = `  ${tone[of.outcome](terminal(of.severity))}  ${paint.bold(terminal(of.control))}  ${terminal(of.message)}${times}`;
    const rows = shortened(rowsOf(group, total)).map(
      ([label, value]) => `      ${terminal(label).padEnd(11)} ${terminal(value)}`,
    );
    return [head, ...rows, ''].join('\n');
  }

  function rowsOf({ of, findings, common, each, remedy }: Group, total: number): readonly Row[] {
    if (findings.length === 1) return details(of).filter(([label]) => label !== REMEDY || remedy !== '');
    const toDo: Row[] = remedy === '' || of.outcome === 'pass' ? [] : [[REMEDY, remedy]];
    const things =
      CONSEQUENCES.has(of.control) && !verbose ? [`${number(total)}: --output jsonl=FILE lists each`] : each;
    return [...common, ...toDo, ...things.map((thing, index): Row => [index === 0 ? of.subject.type : '', thing])];
  }

  /** Auditors look numbers up in other formats; here a few are enough to find the rest. */
  function shortened(rows: readonly Row[]): readonly Row[] {
    return verbose ? rows : rows.map(([label, value]) => [label, label === 'see' ? firstOf(value) : value]);
  }

  function section(title: string, outcome: Outcome, { listed, unlisted, total }: Gathered): string[] {
    if (total === 0) return [];
    const gravest = [...listed].sort((a, b) => SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity));
    const groups = grouped(gravest);
    const isSplit = ({ of: { control } }: Group) => groups.filter((other) => other.of.control === control).length > 1;
    const counted = groups.filter((group) => CONSEQUENCES.has(group.of.control) && !verbose && !isSplit(group));
    const more = [...unlisted]
      .filter(([control]) => !counted.some(({ of }) => of.control === control))
      .map(([control, n]) => `  … and ${number(n)} more ${terminal(control)}: --output jsonl=FILE lists all of them\n`);
    const items = groups.map((group) =>
      item(group, counted.includes(group) ? (unlisted.get(group.of.control) ?? 0) : 0),
    );
    return [tone[outcome](paint.bold(`${title} (${number(total)})`)), '', ...items, ...more];
  }

  function whatWasJudged(): string[] {
    const [...names] = judged;
    const more = names.length - SHOWN_SUBJECTS;
    const lines = names.slice(0, SHOWN_SUBJECTS).map((name) => `  ${terminal(name)}`);
    return lines.length === 0 ? [] : [...lines, ...(more > 0 ? [`  … and ${number(more)} more`] : []), ''];
  }

  function checks(title: string, outcome: Outcome, { total, lines }: Checklist): string[] {
    return total === 0 ? [] : [tone[outcome](paint.bold(`${title} (${number(total)})`)), '', ...lines(), ''];
  }

  function severityTable(): string[] {
    const rows = SEVERITIES.filter((severity) =>
      OUTCOMES.some((outcome) => gathered.severities[severity][outcome] > 0),
    );
    if (rows.length === 0) return [];
    const head = ['severity', 'fail', 'inconclusive', 'waived', 'pass', 'not applicable'];
    const body = rows.map((severity) => {
      const n = gathered.severities[severity];
      return [severity, n.fail, n.inconclusive, n.waived, n.pass, n['not-applicable']].map(String);
    });
    return [...table([head, ...body], [0]), ''];
  }

  return {
    start(header) {
      run = header;
      return '';
    },
    step(finding) {
      if (verbose && finding.kind === 'integrity' && finding.outcome === 'pass') {
        return `${paint.green('pass')}  ${terminal(finding.control)}  ${terminal(passLine(finding))}\n`;
      }
      if (isCheck(finding) && JUDGED.has(finding.subject.type)) judged.add(subjectName(finding.subject));
      if (!verbose && isCheck(finding)) {
        if (finding.outcome === 'pass') passed.add(finding);
        if (finding.outcome === 'not-applicable') notApplicable.add(finding);
      }
      gathered.add(finding);
      return '';
    },
    end(summary) {
      const word = verdictWord(summary);
      const wordTone =
        word === 'FAILED' ? paint.red : word === 'PROVEN' || word === 'PASSED' ? paint.green : paint.yellow;
      const facts = run === undefined ? [] : headline(run, summary).map(terminal);
      const lines = [
        [wordTone(paint.bold(word)), facts.join(' · ')].join(' '),
        '',
        ...whatWasJudged(),
        ...severityTable(),
        ...section('FAILED', 'fail', gathered.of('fail')),
        ...section('COULD NOT BE VERIFIED', 'inconclusive', gathered.of('inconclusive')),
        ...section('WAIVED', 'waived', gathered.of('waived')),
        ...section('WAIVERS TO LOOK AT', 'inconclusive', gathered.waivers),
        ...checks('PASSED', 'pass', passed),
        ...checks('NOT APPLICABLE', 'not-applicable', notApplicable),
        ...section('NOTES', 'not-applicable', without(gathered.notes, notApplicable.total)),
        ...(verbose ? section('PASSED', 'pass', gathered.of('pass')) : []),
        ...chainTable(summary, gathered.chains, verbose),
        ...counts(summary),
      ];
      return `${lines.join('\n')}\n`;
    },
  };

  function counts(summary: Summary): string[] {
    const byOutcome = OUTCOMES.map((outcome) => `${number(summary.outcomes[outcome])} ${outcome}`).join(' · ');
    const { list, get, bytes } = summary.requests;
    return [
      `counts     ${byOutcome}`,
      `requests   ${number(list)} list · ${number(get)} get · ${number(bytes)} bytes · ${(summary.elapsedMs / 1000).toFixed(1)} s`,
      `exit code  ${summary.exitCode}: ${EXIT_MEANINGS[summary.exitCode] ?? 'unknown'}`,
    ];
  }
}

/** What follows from a finding that is listed too: the logs of a digest that is not attested. Their number is enough. */
const CONSEQUENCES: ReadonlySet<string> = new Set(['log-unattested', 'lake-file-unattested']);

/** What of posture's subjects says what the run was about. */
const JUDGED: ReadonlySet<string> = new Set(['trail', 'bucket']);
const SHOWN_SUBJECTS = 10;
const SHOWN_REFERENCES = 5;

function firstOf(references: string): string {
  const all = references.split(', ');
  const more = all.length - SHOWN_REFERENCES;
  return more > 1 ? `${all.slice(0, SHOWN_REFERENCES).join(', ')} and ${more} more` : references;
}

/** A check of posture: one of a known list, which may be told in a word. */
const isCheck = ({ kind, subject }: Finding): boolean => kind === 'posture' && subject.type !== 'waiver';

/** What is left to list once that many checks are told. */
function without({ listed, unlisted, total }: Gathered, told: number): Gathered {
  if (told === 0) return { listed, unlisted, total };
  const checks = new Set(listed.filter(isCheck).map(({ control }) => control));
  return {
    listed: listed.filter((finding) => !isCheck(finding)),
    unlisted: new Map([...unlisted].filter(([control]) => !checks.has(control))),
    total: total - told,
  };
}

function passLine(finding: Finding): string {
  const [[, subject] = ['', '']] = details(finding);
  return finding.subject.key === undefined ? `${subject}  ${finding.message}` : subject;
}
