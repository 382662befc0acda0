import { result } from '../chain-table.ts';
import { details, plain, retentionOf, subjectName } from '../detail.ts';
import { type Finding, OUTCOMES, SEVERITIES } from '../finding.ts';
import type { Gathered, Gathering } from '../gather.ts';
import { minute, number } from '../headline.ts';
import type { RunHeader, Summary } from '../report.ts';
import { chainKey, EXIT_MEANINGS } from '../tally.ts';
import { type Markup, markup, type Part } from './markup.ts';

/** Details that are sentences and not values. */
const PROSE: ReadonlySet<string> = new Set(['to do', 'see', 'waiver', 'accepted by']);

/** A block of one finding with all that is known about it. */
export function article(finding: Finding): Markup {
  const { id, outcome, severity, control, message } = finding;
  return markup`<article id="${id}" class="${outcome}"><p><span class="tag">${outcome} · ${severity}</span> <b>${control}</b> ${message}</p>
<dl>${details(finding).map(([label, value]) => markup`<dt>${label}</dt><dd>${PROSE.has(label) ? value : markup`<code>${value}</code>`}</dd>`)}</dl></article>
`;
}

export function list({ listed, unlisted, total }: Gathered, none: string): Markup {
  if (total === 0) return markup`<p class="soft">${none}</p>`;
  const more = leftOut([unlisted]);
  return markup`${listed.map(article)}${more === '' ? '' : markup`<p>… and ${more}: the JSON Lines output of this run (--output jsonl=FILE) has all of them.</p>`}`;
}

function leftOut(lists: readonly Gathered['unlisted'][]): string {
  return lists
    .flatMap((unlisted) => [...unlisted])
    .map(([control, n]) => `${number(n)} more ${control}`)
    .join(', ');
}

/** Findings of posture in order of what needs attention, each with its evidence folded. */
export function controlsTable(gathered: Gathering, titles: { readonly [control: string]: string }): Markup | null {
  const order = ['fail', 'inconclusive', 'waived', 'pass', 'not-applicable'] as const;
  const lists = [...order.map((outcome) => gathered.of(outcome)), gathered.notes];
  const findings = lists.flatMap(({ listed }) => listed).filter(({ kind }) => kind === 'posture');
  if (findings.length === 0) return null;
  const rows = SEVERITIES.map((severity) => ({ severity, n: gathered.severities[severity] }));
  const used = rows.filter(({ n }) => OUTCOMES.some((outcome) => n[outcome] > 0));
  return markup`
${table(
  ['Severity', ...order],
  used.map(({ severity, n }) => [severity, ...order.map((outcome) => number(n[outcome]))]),
  order.map((_, i) => i + 1),
  true,
)}
<div class="scroll" role="region" aria-label="Table of controls" tabindex="0"><table><thead><tr>${['Control', 'Demands', 'About', 'Outcome', 'Finding and evidence', 'Remedy', 'References'].map((name) => markup`<th scope="col">${name}</th>`)}</tr></thead>
<tbody>${findings.map(
    (
      finding,
    ) => markup`<tr class="${finding.outcome}"><th scope="row">${finding.control}</th><td>${titles[finding.control] ?? ''}</td>
<td><code>${subjectName(finding.subject)}</code></td><td><span class="tag">${finding.outcome} · ${finding.severity}</span></td>
<td>${finding.message}${evidence(finding)}</td><td>${finding.outcome === 'pass' ? '' : finding.remedy}</td><td>${finding.references.join(', ')}</td></tr>
`,
  )}</tbody></table></div>${moreControls(lists, titles)}`;
}

/** The lists hold integrity as well, of which other sections tell. */
function moreControls(lists: readonly Gathered[], titles: { readonly [control: string]: string }): Part {
  const more = leftOut(
    lists.map(({ unlisted }) => new Map([...unlisted].filter(([control]) => Object.hasOwn(titles, control)))),
  );
  return more === ''
    ? ''
    : markup`<p>… and ${more}: the JSON Lines output of this run (--output jsonl=FILE) has all of them.</p>`;
}

function evidence(finding: Finding): Part {
  const facts = Object.entries(finding.evidence);
  if (facts.length === 0) return '';
  return markup`<details><summary>evidence</summary><dl>${facts.map(([name, value]) =>
    value === undefined ? '' : markup`<dt>${name}</dt><dd><code>${plain(value)}</code></dd>`,
  )}</dl></details>`;
}

/** One bar a finding that knows its days, against a mark at the days demanded. */
export function retentionTimeline(gathered: Gathering): Markup | null {
  const all = (['fail', 'waived', 'inconclusive', 'pass'] as const)
    .flatMap((outcome) => gathered.of(outcome).listed)
    .flatMap((finding) => {
      const retention = retentionOf(finding);
      return retention === null ? [] : [{ finding, ...retention }];
    });
  if (all.length === 0) return null;
  const bars = all.slice(0, MOST_BARS);
  const widest = Math.max(...bars.flatMap(({ days, required }) => [days, required]), 1) * 1.05;
  const percent = (days: number) => `${((days / widest) * 100).toFixed(2)}%`;
  return markup`<div class="scroll" role="region" aria-label="Table of retention" tabindex="0"><table><thead><tr>${['Control', 'About', 'Kept', 'Required'].map((name) => markup`<th scope="col">${name}</th>`)}<th scope="col">Days from now; the mark is what is required</th></tr></thead>
<tbody>${bars.map(
    ({
      finding,
      days,
      required,
    }) => markup`<tr class="${finding.outcome}"><th scope="row">${finding.control}</th><td><code>${subjectName(finding.subject)}</code></td>
<td class="n">${number(days)}</td><td class="n">${number(required)}</td>
<td><div class="bar ${days < required ? 'short' : ''}" role="img" aria-label="${number(days)} of ${number(required)} days"><i style="width:${percent(days)}"></i><b style="left:${percent(required)}"></b></div></td></tr>
`,
  )}</tbody></table></div>${all.length > MOST_BARS ? markup`<p>… and ${number(all.length - MOST_BARS)} more that are not drawn: the findings tell of them.</p>` : ''}`;
}

const MOST_BARS = 200;

export function chainsTable({ chains, complete }: Summary, gathered: Gathering): Markup | null {
  if (chains.length === 0) return null;
  return table(
    ['Account', 'Region', 'Trail', 'Digests', 'Logs', 'Bytes read', 'Attested', 'Result'],
    chains.map((chain) => [
      chain.account,
      chain.region,
      chain.trail,
      number(chain.digests),
      number(chain.logs),
      number(chain.bytes),
      chain.from === null || chain.to === null ? '' : `${minute(chain.from)} … ${minute(chain.to)}`,
      result(gathered.chains.get(chainKey(chain)), chain, complete),
    ]),
    [3, 4, 5],
  );
}

/** What ran, on what, and what it counted: enough to run it again. */
export function runFacts(run: RunHeader | undefined, summary: Summary): Markup {
  const facts: [string, string][] = [];
  if (run !== undefined) {
    facts.push(['Tool', `${run.tool} ${run.version}`], ['Command', run.command], ['Options', plain(run.arguments)]);
    if (run.window !== null) facts.push(['Range', `${run.window.start} … ${run.window.end}`]);
    facts.push(['Clock', run.clock], ['Identity', run.identity ?? 'not known'], ['Host', run.host ?? 'not known']);
    for (const [name, sha256] of Object.entries(run.inputs)) facts.push([`SHA-256 of ${name}`, sha256]);
  }
  const { requests, exitCode, complete, elapsedMs } = summary;
  facts.push(
    ['Exit code', `${exitCode}: ${EXIT_MEANINGS[exitCode] ?? 'unknown'}`],
    ['Complete', complete ? 'yes' : 'no: the run was cut short'],
    ['Requests', `${number(requests.list)} list, ${number(requests.get)} get, ${number(requests.bytes)} bytes`],
    ['Time', `${(elapsedMs / 1000).toFixed(1)} s`],
  );
  return markup`<dl>${facts.map(([name, value]) => markup`<dt>${name}</dt><dd><code>${value}</code></dd>`)}</dl>
<h3>Every verdict reached</h3>
${table(
  ['Verdict or control', 'Count'],
  Object.entries(summary.verdicts).map(([kind, n]) => [kind, number(n)]),
  [1],
  true,
)}`;
}

function table(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  numbers: readonly number[],
  narrow = false,
): Markup {
  const align = (column: number) => (numbers.includes(column) ? 'n' : '');
  return markup`<div class="scroll" role="region" aria-label="${head.join(', ')}" tabindex="0"><table class="${narrow ? 'narrow' : ''}"><thead><tr>${head.map((name, i) => markup`<th scope="col" class="${align(i)}">${name}</th>`)}</tr></thead>
<tbody>${rows.map(
    (row) => markup`<tr>${row.map((cell, i) => markup`<td class="${align(i)}">${cell}</td>`)}</tr>
`,
  )}</tbody></table></div>`;
}
