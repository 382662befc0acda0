import type { PlacedSelector } from './shapes.ts';

/** What one selector does for the scope asked about. `reason` says what it leaves out, or a hint where it leaves nothing. */
export interface SelectorNote {
  readonly owner: string;
  readonly form: PlacedSelector['form'];
  /** Position in the list of the API's answer, from 0. */
  readonly index: number;
  readonly reason: string;
}

/** `full` is proof that no event of the scope is left out; `none` that every one is; `partial` claims neither. */
export type Coverage =
  | { readonly kind: 'full'; readonly by: readonly SelectorNote[] }
  | { readonly kind: 'partial'; readonly by: readonly SelectorNote[] }
  | { readonly kind: 'none' };

export const NO_COVERAGE: Coverage = { kind: 'none' };

/** Coverage by one selector: `null` where it selects nothing of the scope, else the reasons why it is not all of it. */
export function coverageOf(placed: PlacedSelector, gaps: readonly string[] | null, hint = ''): Coverage {
  if (gaps === null) return NO_COVERAGE;
  const note = (reason: string): SelectorNote => ({
    owner: placed.owner,
    form: placed.form,
    index: placed.index,
    reason,
  });
  return gaps.length === 0 ? { kind: 'full', by: [note(hint)] } : { kind: 'partial', by: gaps.map(note) };
}

/** Selectors are alternatives: an event is recorded when any of them selects it. */
export function anyOf(coverages: readonly Coverage[]): Coverage {
  const full = coverages.find(({ kind }) => kind === 'full');
  if (full !== undefined) return full;
  const by = coverages.flatMap((coverage) => (coverage.kind === 'partial' ? coverage.by : []));
  return by.length === 0 ? NO_COVERAGE : { kind: 'partial', by };
}

/** Parts that make up a scope: the whole is covered when each part is. */
export function allOf(parts: readonly Coverage[]): Coverage {
  if (parts.every(({ kind }) => kind === 'none')) return NO_COVERAGE;
  const by = parts.flatMap((part) => (part.kind === 'none' ? [] : part.by));
  return { kind: parts.every(({ kind }) => kind === 'full') ? 'full' : 'partial', by };
}
