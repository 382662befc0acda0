import { fail, look, pass } from '../answer.ts';
import { eventDataStores } from '../around.ts';
import { control } from '../control.ts';
import { NO_STORE } from '../lake.ts';

export const lake03 = control({
  id: 'LAKE-03',
  title: 'the event data store keeps events long enough',
  severity: 'medium',
  remedy: 'aws cloudtrail update-event-data-store --retention-period',
  calls: ['ListEventDataStores', 'GetEventDataStore'],
  none: NO_STORE,
  over: eventDataStores,
  check: ({ detail }, { scope }) =>
    look({ detail }, ({ detail: { RetentionPeriod = null, BillingMode = null } }) => {
      const required = scope.logBucketDefaults.lock.days;
      const facts = { api: 'GetEventDataStore', RetentionPeriod, BillingMode, required };
      return RetentionPeriod !== null && RetentionPeriod >= required
        ? pass(`the store keeps events ${RetentionPeriod} days`, facts)
        : fail(
            `the store keeps events ${RetentionPeriod ?? 'an unknown number of'} days, ${required} are required`,
            facts,
          );
    }),
});
