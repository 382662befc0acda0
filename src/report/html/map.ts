import type { Finding } from '../finding.ts';
import { count, minute, number } from '../headline.ts';
import { type Span, spanOf } from '../hours.ts';
import type { ChainTotals, RunHeader } from '../report.ts';
import { chainKey, chainOf } from '../tally.ts';
import { type CellState, type Grid, gridOf, offsetOf, rangeOf, statesOf } from './coverage.ts';
import { type Markup, markup } from './markup.ts';

/** Class and sign of each state: no state is told by its colour alone. */
const CELLS: Readonly<Record<CellState, readonly [className: string, sign: string]>> = {
  proven: ['p', ''],
  failed: ['f', '×'],
  gap: ['g', '–'],
  inconclusive: ['i', '?'],
  pending: ['w', '…'],
  unknown: ['u', '·'],
  outside: ['o', ''],
};

const LEGEND: readonly (readonly [CellState, string])[] = [
  ['proven', 'proven'],
  ['failed', 'failed'],
  ['gap', 'gap: no digest covers it'],
  ['inconclusive', 'could not be verified'],
  ['pending', 'pending: within the grace'],
  ['unknown', 'this run does not say'],
];

/** Cells a page may hold before browsers grow slow. */
const MOST_CELLS = 60_000;

export interface MapTrouble {
  readonly chains: ReadonlyMap<string, unknown>;
  /** Listed findings of integrity that do not pass. */
  readonly findings: readonly Finding[];
}

/** Time × chain, coloured by the worst verdict of each cell. */
export function coverageMap(
  run: RunHeader | undefined,
  chains: readonly ChainTotals[],
  trouble: MapTrouble,
): Markup | null {
  const told = chains.filter(({ coverage }) => coverage !== undefined);
  const range = rangeOf(run?.window ?? null, told);
  if (told.length === 0 || range === null || range.to <= range.from) {
    return null;
  }
  const grid = gridOf(range, told.length, offsetOf(told));
  const columns = grid.blocks.reduce((total, block) => total + block.length, 0);
  const room = Math.max(1, Math.floor(MOST_CELLS / columns));
  const troubled = told.filter((chain) => trouble.chains.has(chainKey(chain)));
  const quiet = told.filter((chain) => !trouble.chains.has(chainKey(chain)));
  const shown = told.length <= room ? told : [...troubled, ...quiet].slice(0, room);
  const left = told.length - shown.length;
  const places = placesOf(trouble.findings);
  return markup`
<ul class="key">${LEGEND.map(([state, text]) => markup`<li><b class="${CELLS[state][0]}">${CELLS[state][1]}</b>${text}</li>`)}</ul>
<p class="hint soft">One cell is one ${grid.unit} (UTC). Arrow keys move, Home and End go to the ends, n and p to the next and the previous trouble, Enter to its finding.</p>
<p id="cell" role="status">Point at a cell or move to it with the keyboard.</p>
${grid.blocks.map((block, i) => blockOf(grid, block, i, shown, range, places))}
${left > 0 ? markup`<p>${count(left, 'more chain')} not drawn (${number(troubled.length)} with trouble come first); the table of chains names all.</p>` : ''}`;
}

function blockOf(
  { unit, blocks }: Grid,
  buckets: readonly Span[],
  index: number,
  chains: readonly ChainTotals[],
  range: Span,
  places: ReadonlyMap<string, readonly Placed[]>,
): Markup {
  const several = (part: 'account' | 'trail') => new Set(chains.map((chain) => chain[part])).size > 1;
  const shown = (['region', 'account', 'trail'] as const).filter((part) => part === 'region' || several(part));
  const marks = ticksOf(unit, buckets);
  const name = `Coverage ${index + 1} of ${blocks.length}`;
  return markup`<div class="scroll" role="region" aria-label="${name}" tabindex="0"><table class="map ${unit}" role="grid" aria-label="${name}: ${unit} by chain">
<thead><tr><td></td>${buckets.map((bucket, i) => head(unit, bucket, marks[i] ?? null))}</tr></thead>
<tbody>${chains.map((chain) => {
    const full = `${chain.region}, ${chain.account} ${chain.trail}`;
    const placed = places.get(chainKey(chain)) ?? [];
    const states = statesOf(chain.coverage ?? [], buckets, range);
    return markup`<tr><th scope="row" data-name="${full}">${shown.map((part) => chain[part]).join(' ')}</th>${states.map((state, i) => cell(state, buckets[i], placed))}</tr>
`;
  })}</tbody></table></div>
`;
}

function head(unit: Grid['unit'], bucket: Span, mark: string | null): Markup {
  const from = iso(bucket.from);
  const date = from.slice(0, 10);
  const span = unit === 'hour' ? `${from} to ${iso(bucket.to)}` : unit === 'day' ? date : `week from ${date}`;
  return markup`<th scope="col" class="${mark === null ? '' : 'tick'}" data-span="${span}"><span>${mark ?? span}</span></th>`;
}

/** Columns that a label needs to the right of its mark. */
const LABEL_WIDTH = { hour: 5, day: 6, week: 6 } as const;

/** The label over each column, `null` where there is none; the first of a block has the date. */
function ticksOf(unit: Grid['unit'], buckets: readonly Span[]): (string | null)[] {
  const dates = buckets.map(({ from }) => new Date(from));
  const round = dates.map((date) => {
    if (unit === 'hour') return date.getUTCHours() % 6 === 0;
    return date.getUTCDate() <= (unit === 'day' ? 1 : 7);
  });
  const next = round.indexOf(true);
  // The first column is told unless that would run into the first round one.
  const first = next >= 0 && next < LABEL_WIDTH[unit] ? next : 0;
  return dates.map((date, i) => {
    if (i !== first && !(round[i] && i > first)) return null;
    const text = date.toISOString();
    if (unit !== 'hour') return i === first && unit === 'day' && !round[i] ? text.slice(0, 10) : text.slice(0, 7);
    return i === first || date.getUTCHours() === 0
      ? `${text.slice(5, 10)} ${text.slice(11, 13)}h`
      : `${text.slice(11, 13)}h`;
  });
}

function cell(state: CellState, bucket: Span | undefined, placed: readonly Placed[]): Markup {
  const [className, sign] = CELLS[state];
  const here = bucket === undefined ? [] : placed.filter(({ from, to }) => from < bucket.to && to > bucket.from);
  if (here.length === 0) return markup`<td class="${className}">${sign}</td>`;
  const counts = new Map<string, number>();
  for (const { finding } of here) counts.set(finding.control, (counts.get(finding.control) ?? 0) + 1);
  const told = [...counts].map(([control, n]) => `${number(n)} ${control}`).join(', ');
  return markup`<td class="${className}" data-n="${told}" data-f="${here[0]?.finding.id ?? ''}">${sign}</td>`;
}

interface Placed extends Span {
  readonly finding: Finding;
}

/** Findings by chain and time. */
function placesOf(findings: readonly Finding[]): Map<string, Placed[]> {
  const places = new Map<string, Placed[]>();
  for (const finding of findings) {
    const [chain, span] = [chainOf(finding), spanOf(finding)];
    if (chain === undefined || span === null) continue;
    const key = chainKey(chain);
    places.set(key, [...(places.get(key) ?? []), { ...span, finding }]);
  }
  return places;
}

function iso(ms: number): string {
  return minute(new Date(ms).toISOString());
}
