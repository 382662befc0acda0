import type { AdvancedSelector, BasicSelector, EventSelectors } from '../trail-facts.ts';

/** The selectors of one trail or event data store. */
export interface SelectorOwner {
  /** ARN of the trail or store. */
  readonly owner: string;
  readonly selectors: EventSelectors;
}

export type Operation = 'read' | 'write';
export const OPERATIONS = ['read', 'write'] as const satisfies readonly Operation[];

/** One selector and where it stands, so that a finding can name it. */
export type PlacedSelector = { readonly owner: string; readonly index: number } & (
  | { readonly form: 'basic'; readonly selector: BasicSelector }
  | { readonly form: 'advanced'; readonly selector: AdvancedSelector }
  /** None set: AWS then records all management events and no data events. */
  | { readonly form: 'default' }
  /** Both lists filled, which AWS excludes: one is stale and nothing says which. */
  | { readonly form: 'unclear' }
);

export function placeSelectors(owners: readonly SelectorOwner[]): PlacedSelector[] {
  return owners.flatMap(({ owner, selectors }): PlacedSelector[] => {
    const advanced = selectors.AdvancedEventSelectors ?? [];
    const basic = selectors.EventSelectors ?? [];
    if (advanced.length > 0 && basic.length > 0) return [{ owner, index: 0, form: 'unclear' }];
    if (advanced.length > 0) return advanced.map((selector, index) => ({ owner, index, form: 'advanced', selector }));
    if (basic.length > 0) return basic.map((selector, index) => ({ owner, index, form: 'basic', selector }));
    return [{ owner, index: 0, form: 'default' }];
  });
}
