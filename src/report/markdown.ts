import { result } from './chain-table.ts';
import { details, subjectName } from './detail.ts';
import { markdown as plainText } from './escape.ts';
import type { Finding } from './finding.ts';
import { OUTCOMES, SEVERITIES } from './finding.ts';
import { type Gathered, gather } from './gather.ts';
import { headline, minute, number, verdictWord } from './headline.ts';
import type { Report, RunHeader, Summary } from './report.ts';
import { chainKey, EXIT_MEANINGS } from './tally.ts';

/** GitHub drops a step summary of 1 MiB and more as a whole; some room is left for what other steps write. */
const LIMIT = 1_000_000;

export interface MarkdownOptions {
  /** Bytes of UTF-8 that there is room for. */
  readonly limit?: number;
}

/** For `GITHUB_STEP_SUMMARY` and merge requests: verdict, tables, one folded block a finding. */
export function markdown({ limit = LIMIT }: MarkdownOptions = {}): Report {
  const gathered = gather({ perControl: 50, perOutcome: 500 });
  let run: RunHeader | undefined;
  return {
    start(header) {
      run = header;
      return '';
    },
    step(finding) {
      gathered.add(finding);
      return '';
    },
    end(summary) {
      const facts = run === undefined ? '' : headline(run, summary).map(plainText).join(' · ');
      const page = bounded(Math.min(limit, LIMIT));
      page.put(`## ${MARKS[verdictWord(summary)]} ${verdictWord(summary)}\n\n${facts}\n`);
      page.put(`Exit code ${summary.exitCode}: ${EXIT_MEANINGS[summary.exitCode] ?? 'unknown'}.\n`);
      page.put(countsTable(summary));
      page.put(severityTable());
      section(page, 'Failed', gathered.of('fail'));
      section(page, 'Could not be verified', gathered.of('inconclusive'));
      section(page, 'Waived', gathered.of('waived'));
      section(page, 'Waivers to look at', gathered.waivers);
      section(page, 'Notes', gathered.notes);
      chains(page, summary);
      return page.text();
    },
  };

  function severityTable(): string {
    const rows = SEVERITIES.filter((severity) =>
      OUTCOMES.some((outcome) => gathered.severities[severity][outcome] > 0),
    );
    if (rows.length === 0) return '';
    return tableOf(
      ['Severity', 'Failed', 'Inconclusive', 'Waived', 'Passed', 'Not applicable'],
      rows.map((severity) => {
        const n = gathered.severities[severity];
        return [severity, n.fail, n.inconclusive, n.waived, n.pass, n['not-applicable']].map(String);
      }),
    );
  }

  function chains(page: Page, { chains: list, complete }: Summary): void {
    if (list.length === 0) return;
    page.put(`### Chains (${number(list.length)})\n`);
    page.put(HEAD);
    for (const chain of list) {
      page.row([
        chain.account,
        chain.region,
        chain.trail,
        number(chain.digests),
        number(chain.logs),
        chain.from === null || chain.to === null ? '' : `${minute(chain.from)} … ${minute(chain.to)}`,
        result(gathered.chains.get(chainKey(chain)), chain, complete),
      ]);
    }
  }
}

const MARKS = { PROVEN: '✅', PASSED: '✅', FAILED: '❌', INCONCLUSIVE: '⚠️', INTERRUPTED: '⚠️' } as const;
const HEAD =
  '| Account | Region | Trail | Digests | Logs | Attested | Result |\n| --- | --- | --- | --: | --: | --- | --- |';

function countsTable({ outcomes }: Summary): string {
  return tableOf(
    ['Passed', 'Failed', 'Inconclusive', 'Not applicable', 'Waived'],
    [[outcomes.pass, outcomes.fail, outcomes.inconclusive, outcomes['not-applicable'], outcomes.waived].map(number)],
  );
}

function tableOf(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(plainText).join(' | ')} |`;
  return `${[line(head), `| ${head.map(() => '---').join(' | ')} |`, ...rows.map(line)].join('\n')}\n`;
}

function section(page: Page, title: string, { listed, unlisted, total }: Gathered): void {
  if (total === 0) return;
  page.put(`### ${title} (${number(total)})\n`);
  for (const finding of listed) page.put(block(finding));
  const more = [...unlisted].map(([control, n]) => `${number(n)} more ${plainText(control)}`);
  if (more.length > 0)
    page.put(`… and ${more.join(', ')}: the JSON Lines output (--output jsonl=FILE) has all of them.\n`);
}

function block(finding: Finding): string {
  const { severity, control, message, subject } = finding;
  const head = `<b>${plainText(control)}</b> (${plainText(severity)}) <code>${plainText(subjectName(subject))}</code>: ${plainText(message)}`;
  const rows = details(finding).map(([label, value]) => `| ${plainText(label)} | <code>${plainText(value)}</code> |`);
  return `<details><summary>${head}</summary>\n\n| | |\n| --- | --- |\n${rows.join('\n')}\n\n</details>\n`;
}

interface Page {
  put(part: string): void;
  row(cells: readonly string[]): void;
  text(): string;
}

/** Takes whole parts while they fit into that many bytes of UTF-8 and says at the end how many did not. */
function bounded(limit: number): Page {
  const parts: string[] = [];
  let room = limit - 200;
  let dropped = 0;
  function put(part: string): void {
    if (part === '') return;
    const size = Buffer.byteLength(part) + 1;
    if (size > room) {
      dropped += 1;
      return;
    }
    room -= size;
    parts.push(part);
  }
  return {
    put,
    row: (cells) => put(`| ${cells.map(plainText).join(' | ')} |`),
    text() {
      if (dropped > 0)
        parts.push(
          `\n${number(dropped)} more parts did not fit: the JSON Lines output (--output jsonl=FILE) has all of them.`,
        );
      return `${parts.join('\n')}\n`;
    },
  };
}
