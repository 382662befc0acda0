import type { AdvancedSelector, FieldSelector } from '../trail-facts.ts';
import { type Domain, selectedShare } from './field.ts';

/** The fields whose values are known for the events in scope. Any other field narrows in a way that proves nothing. */
export interface ScopeFields {
  /** Must be named by the selector, as AWS demands. */
  readonly required: Readonly<Record<string, Domain>>;
  readonly optional: Readonly<Record<string, Domain>>;
}

/** What an advanced selector leaves out of the scope: `null` is everything, `[]` nothing. */
export function advancedGaps(selector: AdvancedSelector, scope: ScopeFields): readonly string[] | null {
  const domains = new Map([...Object.entries(scope.required), ...Object.entries(scope.optional)]);
  const fields = selector.FieldSelectors ?? [];
  const gaps = Object.keys(scope.required)
    .filter((name) => !fields.some(({ Field }) => Field === name))
    .map((name) => `${name} is not given`);
  for (const field of fields) {
    const name = field.Field ?? '';
    const domain = domains.get(name);
    const share = domain === undefined ? 'some' : selectedShare(field, domain);
    if (share === 'none') return null;
    if (share === 'some') gaps.push(describe(name, field));
  }
  return gaps;
}

function describe(name: string, field: FieldSelector): string {
  const { Field: _, ...operators } = field;
  const conditions = Object.entries(operators)
    .filter(([, values]) => (values?.length ?? 0) > 0)
    .map(([operator, values]) => `${operator} ${(values ?? []).join(', ')}`);
  return `only events with ${name} ${conditions.join(' and ')}`;
}
