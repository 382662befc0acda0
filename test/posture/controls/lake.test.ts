import { describe, expect, it } from 'vitest';
import { known, type Read } from '../../../src/posture/evidence.ts';
import type { PostureScope } from '../../../src/posture/scope.ts';
import type { EventDataStore, Snapshot } from '../../../src/posture/snapshot.ts';
import type { Outcome } from '../../../src/report/finding.ts';
import { ACCOUNT, DENIED, findingOf, scope, snapshot } from '../../support/snapshot.ts';

const ARN = `arn:aws:cloudtrail:eu-west-2:${ACCOUNT}:eventdatastore/1`;
const GOOD: EventDataStore = {
  Status: 'ENABLED',
  TerminationProtectionEnabled: true,
  RetentionPeriod: 365,
  MultiRegionEnabled: true,
  OrganizationEnabled: false,
  AdvancedEventSelectors: [{ FieldSelectors: [{ Field: 'eventCategory', Equals: ['Management'] }] }],
};
const reading = (detail: Read<EventDataStore>): Snapshot =>
  snapshot({ eventDataStores: known([{ arn: ARN, name: 'store', detail }]) });
const store = (patch: EventDataStore = {}) => reading(known({ ...GOOD, ...patch }));
const category = (name: string, ...fields: { Field: string; Equals: string[] }[]) =>
  store({ AdvancedEventSelectors: [{ FieldSelectors: [{ Field: 'eventCategory', Equals: [name] }, ...fields] }] });

type Row = [what: string, given: Snapshot, outcome: Outcome, demanded?: PostureScope];
const table = (id: string, rows: Row[]) =>
  describe(id, () => {
    const always: Row[] = [
      ['no store', snapshot(), 'not-applicable'],
      ['the list refused', snapshot({ eventDataStores: DENIED }), 'inconclusive'],
      ['the store refused', reading(DENIED), 'inconclusive'],
    ];
    it.each([...rows, ...always])('%s', (_, given, outcome, demanded = scope()) => {
      expect(findingOf(id, given, demanded).outcome).toBe(outcome);
    });
  });

table('LAKE-01', [
  ['enabled', store(), 'pass'],
  ['to be deleted', store({ Status: 'PENDING_DELETION' }), 'fail'],
]);
table('LAKE-02', [
  ['protected', store(), 'pass'],
  ['not protected', store({ TerminationProtectionEnabled: false }), 'fail'],
]);
table('LAKE-03', [
  ['long enough', store(), 'pass'],
  ['too short', store({ RetentionPeriod: 364 }), 'fail'],
]);
table('LAKE-04', [
  ['all Regions', store(), 'pass'],
  ['one Region', store({ MultiRegionEnabled: false }), 'fail'],
  ['one account of an organization', store(), 'fail', scope({ organization: true })],
  ['the organization', store({ OrganizationEnabled: true }), 'pass', scope({ organization: true })],
]);
table('LAKE-05', [
  ['all', store(), 'pass'],
  ['no selectors', store({ AdvancedEventSelectors: [] }), 'pass'],
  ['write events only', category('Management', { Field: 'readOnly', Equals: ['false'] }), 'fail'],
  [
    'filtered by user',
    category('Management', { Field: 'userIdentity.arn', Equals: ['arn:aws:iam::1:role/x'] }),
    'fail',
  ],
  ['configuration items', category('ConfigurationItem'), 'not-applicable'],
]);
