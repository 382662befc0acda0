import { fail, look, pass } from '../answer.ts';
import { eventDataStores } from '../around.ts';
import { control } from '../control.ts';
import { NO_STORE } from '../lake.ts';

export const lake01 = control({
  id: 'LAKE-01',
  title: 'the event data store is enabled',
  severity: 'medium',
  remedy: 'aws cloudtrail restore-event-data-store within seven days, or start-event-data-store-ingestion',
  calls: ['ListEventDataStores', 'GetEventDataStore'],
  none: NO_STORE,
  over: eventDataStores,
  check: ({ detail }) =>
    look({ detail }, ({ detail: { Status = null, KmsKeyId = null } }) => {
      const facts = { api: 'GetEventDataStore', Status, KmsKeyId };
      return Status === 'ENABLED' ? pass('the store is enabled', facts) : fail(`the store is ${Status}`, facts);
    }),
});
