import type { EventDataStore } from './snapshot.ts';

export const NO_STORE = 'there is no event data store (CloudTrail Lake takes no new customers since 2026-05-31)';

/** Stores may also be for data events, configuration items or events from outside of AWS; without selectors they take management events. */
export function isForManagementEvents({ AdvancedEventSelectors: selectors = [] }: EventDataStore): boolean {
  return (
    selectors.length === 0 ||
    selectors.some(({ FieldSelectors = [] }) =>
      FieldSelectors.some(({ Field, Equals = [] }) => Field === 'eventCategory' && Equals.includes('Management')),
    )
  );
}
