import { expect, it } from 'vitest';
import type { PublicAccessBlock } from '../../../src/posture/bucket-facts.ts';
import { absent, known, unknown } from '../../../src/posture/evidence.ts';
import type { Snapshot } from '../../../src/posture/snapshot.ts';
import { ACCOUNT, DENIED, findingOf, snapshot, withBucket } from '../../support/snapshot.ts';

const all = (on: boolean): PublicAccessBlock => ({
  BlockPublicAcls: on,
  IgnorePublicAcls: on,
  BlockPublicPolicy: on,
  RestrictPublicBuckets: on,
});
const NONE = absent('NoSuchPublicAccessBlockConfiguration');
type Block = Snapshot['accounts'][number]['publicAccessBlock'];
const blocks = (account: Block, bucket: Block): Snapshot => ({
  ...withBucket({ publicAccessBlock: bucket }),
  accounts: [{ account: ACCOUNT, publicAccessBlock: account, multiRegionAccessPoints: known([]) }],
});
const ELSEWHERE = unknown(
  'cross-account',
  { api: 'GetPublicAccessBlock', iamAction: 's3:GetAccountPublicAccessBlock' },
  'AccessDenied',
);

it.each([
  ['all four', blocks(known(all(true)), NONE), 'pass'],
  ['three', blocks(known({ ...all(true), BlockPublicPolicy: false }), known(all(true))), 'fail'],
  ['none', blocks(NONE, known(all(true))), 'fail'],
  ['denied', blocks(DENIED, known(all(true))), 'inconclusive'],
  ["another account's", blocks(ELSEWHERE, known(all(true))), 'inconclusive'],
  ['no log bucket', snapshot({ trails: [], trailLists: [] }), 'not-applicable'],
])('PAB-01, the account: %s', (_, given, outcome) => {
  expect(findingOf('PAB-01', given).outcome).toBe(outcome);
});

it.each([
  ['both', blocks(known(all(true)), known(all(true))), 'pass'],
  ['the account alone', blocks(known(all(true)), NONE), 'pass'],
  ['the bucket alone', blocks(NONE, known(all(true))), 'pass'],
  [
    'half and half',
    blocks(
      known({ BlockPublicAcls: true, IgnorePublicAcls: true }),
      known({ BlockPublicPolicy: true, RestrictPublicBuckets: true }),
    ),
    'pass',
  ],
  [
    'a flag in neither',
    blocks(known({ ...all(true), IgnorePublicAcls: false }), known({ ...all(true), IgnorePublicAcls: false })),
    'fail',
  ],
  ['none', blocks(NONE, NONE), 'fail'],
  ['the bucket is not readable but the account suffices', blocks(known(all(true)), DENIED), 'pass'],
  ['the account is not readable but the bucket suffices', blocks(DENIED, known(all(true))), 'pass'],
  ['the account is not readable and the bucket has none', blocks(DENIED, NONE), 'inconclusive'],
  ['neither is readable', blocks(DENIED, DENIED), 'inconclusive'],
  ['no log bucket', snapshot({ trails: [], trailLists: [] }), 'not-applicable'],
])('PAB-02, either: %s', (_, given, outcome) => {
  expect(findingOf('PAB-02', given).outcome).toBe(outcome);
});

const owned = (ObjectOwnership: string) => known({ Rules: [{ ObjectOwnership }] });
const NO_CONTROLS = absent('OwnershipControlsNotFoundError');
const OWNER = { Grantee: { Type: 'CanonicalUser', ID: 'owner' }, Permission: 'FULL_CONTROL' };
const acl = (...more: object[]) => known({ Owner: { ID: 'owner' }, Grants: [OWNER, ...more] });
const LOG_DELIVERY = {
  Grantee: { Type: 'Group', URI: 'http://acs.amazonaws.com/groups/s3/LogDelivery' },
  Permission: 'WRITE',
};
const PARTNER = { Grantee: { Type: 'CanonicalUser', ID: 'partner' }, Permission: 'READ' };

it.each([
  ['enforced', withBucket({ ownership: owned('BucketOwnerEnforced') }), 'pass'],
  ['preferred', withBucket({ ownership: owned('BucketOwnerPreferred') }), 'fail'],
  ['the writer', withBucket({ ownership: owned('ObjectWriter') }), 'fail'],
  ['none', withBucket({ ownership: NO_CONTROLS }), 'fail'],
  ['denied', withBucket({ ownership: DENIED }), 'inconclusive'],
  ['no log bucket', snapshot({ trails: [], trailLists: [] }), 'not-applicable'],
])('OWN-01, who owns objects: %s', (_, given, outcome) => {
  expect(findingOf('OWN-01', given).outcome).toBe(outcome);
});

it.each([
  ['ACLs are off', withBucket({ ownership: owned('BucketOwnerEnforced'), acl: acl(PARTNER) }), 'not-applicable'],
  ['the owner alone', withBucket({ ownership: owned('ObjectWriter'), acl: acl() }), 'pass'],
  ['another account', withBucket({ ownership: owned('ObjectWriter'), acl: acl(PARTNER) }), 'fail'],
  ['access logs', withBucket({ ownership: NO_CONTROLS, acl: acl(LOG_DELIVERY) }), 'fail'],
  ['ownership denied', withBucket({ ownership: DENIED, acl: acl(PARTNER) }), 'inconclusive'],
  ['ACL denied', withBucket({ ownership: NO_CONTROLS, acl: DENIED }), 'inconclusive'],
])('OWN-02, ACL grants: %s', (_, given, outcome) => {
  expect(findingOf('OWN-02', given).outcome).toBe(outcome);
});
