import { fail, look, pass } from '../answer.ts';
import { eventDataStores } from '../around.ts';
import { control } from '../control.ts';
import { NO_STORE } from '../lake.ts';

export const lake04 = control({
  id: 'LAKE-04',
  title: 'the event data store takes in all Regions',
  severity: 'medium',
  remedy: 'aws cloudtrail update-event-data-store --multi-region-enabled, --organization-enabled',
  calls: ['ListEventDataStores', 'GetEventDataStore'],
  none: NO_STORE,
  over: eventDataStores,
  check: ({ detail }, { scope: { organization } }) =>
    look({ detail }, ({ detail: { MultiRegionEnabled = false, OrganizationEnabled = false } }) => {
      const facts = { api: 'GetEventDataStore', MultiRegionEnabled, OrganizationEnabled, organization };
      if (!MultiRegionEnabled) return fail('the store takes in one Region only', facts);
      return organization && !OrganizationEnabled
        ? fail('the store takes in one account only', facts)
        : pass('the store takes in all Regions', facts);
    }),
});
