import { fail, look, notApplicable, pass } from '../answer.ts';
import { eventDataStores } from '../around.ts';
import { control } from '../control.ts';
import { isForManagementEvents, NO_STORE } from '../lake.ts';
import { missingManagementEvents } from '../management-events.ts';

export const lake05 = control({
  id: 'LAKE-05',
  title: 'the event data store takes in management events in full',
  severity: 'medium',
  remedy: 'give the store a Management selector without readOnly, eventSource or other filters',
  calls: ['ListEventDataStores', 'GetEventDataStore'],
  none: NO_STORE,
  over: eventDataStores,
  check: ({ arn, detail }, { scope }) =>
    look({ detail }, (seen) => {
      if (!isForManagementEvents(seen.detail)) return notApplicable('the store is for other events');
      const missing = missingManagementEvents([{ owner: arn, selectors: seen.detail }], scope);
      const facts = { api: 'GetEventDataStore', missing };
      return missing.length === 0
        ? pass('the store takes in management events in full', facts)
        : fail(`the store leaves out management events: ${missing.join(', ')}`, facts);
    }),
});
