import type { RunHeader, Summary } from './report.ts';

export type Verdict = 'PROVEN' | 'PASSED' | 'FAILED' | 'INCONCLUSIVE' | 'INTERRUPTED';

/** The run in one word. Only a whole run with exit code 0 is called proven or passed. */
export function verdictWord(summary: Summary): Verdict {
  if (summary.exitCode === 1) return 'FAILED';
  if (summary.exitCode === 130 || summary.exitCode === 143) return 'INTERRUPTED';
  if (summary.exitCode !== 0 || !summary.complete) return 'INCONCLUSIVE';
  return summary.chains.length > 0 ? 'PROVEN' : 'PASSED';
}

/** What the word is said of, unescaped: range, extent, counts. */
export function headline(run: RunHeader, summary: Summary): readonly string[] {
  const { outcomes, chains } = summary;
  const parts: string[] = [];
  if (run.window !== null) parts.push(stretch(run.window, summary));
  if (run.arguments['shard'] !== undefined) parts.push(`shard ${run.arguments['shard']} only`);
  if (chains.length > 0) {
    parts.push(count(new Set(chains.map(({ region }) => region)).size, 'Region'));
    parts.push(
      count(sum(chains.map(({ logs }) => logs)), 'log'),
      count(sum(chains.map(({ digests }) => digests)), 'digest'),
    );
  }
  if (outcomes.fail > 0) parts.push(`${number(outcomes.fail)} failed`);
  if (outcomes.inconclusive > 0) parts.push(`${number(outcomes.inconclusive)} could not be verified`);
  if (outcomes.waived > 0) parts.push(`${number(outcomes.waived)} waived`);
  if (chains.length === 0) parts.push(`${number(outcomes.pass)} passed`);
  if (!summary.complete) parts.push('the run was cut short');
  return parts;
}

/**
 * The range that the word is said of. Where digests are still due it is not said of the hours they will cover, and where
 * no start was asked for it is said from the first digest on.
 */
function stretch(window: { readonly start: string; readonly end: string }, summary: Summary): string {
  const { chains, verdicts } = summary;
  const firsts = chains.flatMap(({ from }) => (from === null ? [] : [from])).sort();
  const lasts = chains.flatMap(({ to }) => (to === null ? [] : [to])).sort();
  const start = window.start === 'beginning' ? (firsts[0] ?? window.start) : window.start;
  const pending = (verdicts['coverage-pending'] ?? 0) > 0 && lasts[0] !== undefined && summary.exitCode === 0;
  if (!pending) return `${minute(start)} … ${minute(window.end)}`;
  return `${minute(start)} … ${minute(lasts[0] ?? window.end)} (digests after it are still due)`;
}

/** `2026-03-01T00:00Z`; with seconds only where they are not zero. */
export function minute(iso: string): string {
  return iso.replace(/\.000Z$/, 'Z').replace(/^(.{16}):00Z$/, '$1Z');
}

/** `12,480`, whatever the locale of the machine. */
export function number(n: number): string {
  return String(n).replace(/\B(?=(\d{3})+$)/g, ',');
}

/** `1 log`, `12,480 logs`. */
export function count(n: number, noun: string): string {
  return `${number(n)} ${noun}${n === 1 ? '' : 's'}`;
}

export function sum(numbers: Iterable<number>): number {
  let total = 0;
  for (const n of numbers) total += n;
  return total;
}
