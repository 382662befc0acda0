import { createHash } from 'node:crypto';
import { gather } from './gather.ts';
import { headline, number, type Verdict, verdictWord } from './headline.ts';
import { coverageMap } from './html/map.ts';
import { Markup, markup } from './html/markup.ts';
import { SCRIPT } from './html/script.ts';
import { chainsTable, controlsTable, list, retentionTimeline, runFacts } from './html/sections.ts';
import { STYLE } from './html/style.ts';
import type { Report, RunHeader, Summary } from './report.ts';
import { EXIT_MEANINGS } from './tally.ts';

const TONES: Readonly<Record<Verdict, string>> = {
  PROVEN: 'pass',
  PASSED: 'pass',
  FAILED: 'fail',
  INCONCLUSIVE: 'inconclusive',
  INTERRUPTED: 'inconclusive',
};

const POLICY = [
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  `script-src 'sha256-${createHash('sha256').update(SCRIPT).digest('base64')}'`,
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

/** For auditors: one page that needs no network, on the screen and on paper. */
export function html(): Report {
  const gathered = gather({ perControl: 200, perOutcome: 2_000 });
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
    end: (summary) => page(summary),
  };

  function page(summary: Summary): string {
    const word = verdictWord(summary);
    const facts = run === undefined ? [] : headline(run, summary);
    const [failed, open, waived] = [gathered.of('fail'), gathered.of('inconclusive'), gathered.of('waived')];
    const findings = [...failed.listed, ...open.listed, ...waived.listed].filter(({ kind }) => kind === 'integrity');
    const { notes } = gathered;
    const sections = [
      {
        id: 'coverage',
        title: 'Coverage',
        body: coverageMap(run, summary.chains, { chains: gathered.chains, findings }),
      },
      { id: 'failed', title: `Failed (${number(failed.total)})`, body: list(failed, 'Nothing failed.') },
      {
        id: 'open',
        title: `Could not be verified, and why (${number(open.total)})`,
        body: list(open, 'Everything in scope was verified.'),
      },
      {
        id: 'waivers',
        title: `Waivers (${number(waived.total)})`,
        body: markup`${list(waived, 'No finding is waived.')}${gathered.waivers.total > 0 ? list(gathered.waivers, '') : ''}`,
      },
      { id: 'controls', title: 'Controls', body: controlsTable(gathered, run?.titles ?? {}) },
      { id: 'retention', title: 'Retention against what is required', body: retentionTimeline(gathered) },
      { id: 'notes', title: `Notes (${number(notes.total)})`, body: notes.total === 0 ? null : list(notes, '') },
      { id: 'chains', title: `Chains (${number(summary.chains.length)})`, body: chainsTable(summary, gathered) },
      { id: 'run', title: 'The run', body: runFacts(run, summary) },
      // What the run had no part in is left out; that nothing failed is said.
    ].flatMap(({ id, title, body }) => (body === null ? [] : [{ id, title, body }]));
    return markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="generator" content="trailseal ${run?.version ?? ''}">
<link rel="icon" href="data:,">
<title>${word} ${facts[0] ?? ''} · trailseal</title>
<style>${new Markup(STYLE)}</style>
</head>
<body>
<header class="${TONES[word]}"><h1>${word}</h1>
<p>${facts.join(' · ')}</p>
<p class="soft">Exit code ${summary.exitCode}: ${EXIT_MEANINGS[summary.exitCode] ?? 'unknown'}</p></header>
<nav aria-label="Sections"><ul>${sections.map(({ id, title }) => markup`<li><a href="#${id}">${title}</a></li>`)}</ul></nav>
<main>
${sections.map(
  ({ id, title, body }) => markup`<section aria-labelledby="${id}"><h2 id="${id}">${title}</h2>
${body}</section>
`,
)}</main>
<script>${new Markup(SCRIPT)}</script>
</body>
</html>
`.source;
  }
}
