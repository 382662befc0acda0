import { fail, look, pass } from '../answer.ts';
import { eventDataStores } from '../around.ts';
import { control } from '../control.ts';
import { NO_STORE } from '../lake.ts';

export const lake02 = control({
  id: 'LAKE-02',
  title: 'the event data store is protected from deletion',
  severity: 'medium',
  remedy: 'aws cloudtrail update-event-data-store --termination-protection-enabled',
  calls: ['ListEventDataStores', 'GetEventDataStore'],
  none: NO_STORE,
  over: eventDataStores,
  check: ({ detail }) =>
    look({ detail }, ({ detail: { TerminationProtectionEnabled = false } }) => {
      const facts = { api: 'GetEventDataStore', TerminationProtectionEnabled };
      return TerminationProtectionEnabled
        ? pass('termination protection is on', facts)
        : fail('termination protection is off', facts);
    }),
});
