import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { configSchema } from '../../src/config/schema.ts';
import { postureScope } from '../../src/config/scope.ts';
import { postureCalls } from '../../src/posture/needs.ts';
import { awsAt, GOOD_CONFIG, makeAccount, REGION } from '../support/audited-account.ts';
import { MOTO_ACCOUNT, type Moto, motoInstalled, startMoto } from '../support/moto.ts';
import { type MotoProxy, motoProxy } from '../support/moto-proxy.ts';
import { controlsThat, type Ran, runPosture } from '../support/posture-run.ts';

const installed = motoInstalled();
if (!installed)
  console.log('moto_server is not installed (pip install "moto[server]"): refusals are not run end to end');

/** Calls whose answer others make up for: the outcome is the same for every value of what they say. */
const UNNEEDED = new Set<string>([
  // A multi-Region trail covers every enabled Region, whatever their names.
  'ListRegions',
  // One says where a bucket is where the other is refused.
  'HeadBucket',
  'GetBucketLocation',
  // What the account blocks is blocked, whatever the bucket says.
  'GetPublicAccessBlock',
  // Nothing in the good config asks for these; below they are asked for.
  'DescribeOrganization',
  'GetBucketReplication',
  'GetEventDataStore',
  'GetMultiRegionAccessPointPolicy',
]);

const LOG_BUCKETS = GOOD_CONFIG.logBuckets.map((bucket) => ({ ...bucket, replication: {} }));

describe.skipIf(!installed)('a call that is refused', () => {
  const operations = [...postureCalls(postureScope(configSchema.parse(GOOD_CONFIG)))];
  const well = new Map<string, string>();
  let moto: Moto;
  let proxy: MotoProxy;

  const judged = (config: object = {}): Promise<Ran> =>
    runPosture(JSON.stringify({ ...GOOD_CONFIG, ...config }), { region: REGION, endpointUrl: proxy.url });

  beforeAll(async () => {
    vi.stubEnv('AWS_ACCESS_KEY_ID', 'test');
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'test');
    moto = await startMoto();
    proxy = await motoProxy(moto.url);
    await makeAccount(awsAt(proxy.url));
    for (const { id, outcome } of (await judged()).findings) well.set(id, outcome);
  });
  afterAll(async () => {
    await proxy.close();
    await moto.stop();
  });
  beforeEach(() => {
    proxy.denied.clear();
  });

  it.each(operations)('%s: what hangs on it is inconclusive, all else stays as it was', async (operation) => {
    proxy.denied.add(operation);
    const ran = await judged();
    const changed = ran.findings.filter(({ id, outcome }) => outcome !== well.get(id));
    expect(changed.map(({ control, outcome }) => `${control} ${outcome}`)).toEqual(
      changed.map(({ control }) => `${control} inconclusive`),
    );
    expect(ran.exitCode).toBe(UNNEEDED.has(operation) ? 0 : 3);
  });

  it.each([
    ['DescribeOrganization', { organization: true }, ['TRAIL-05']],
    ['GetInsightSelectors', { posture: { optIn: ['TRAIL-11'] } }, ['TRAIL-11']],
    ['GetBucketReplication', { logBuckets: LOG_BUCKETS }, ['REP-01', 'REP-02']],
    ['ListEventDataStores', {}, ['LAKE-01', 'LAKE-02', 'LAKE-03', 'LAKE-04', 'LAKE-05']],
  ])('%s, where the config %j asks for it', async (operation, config, controls) => {
    proxy.denied.add(operation);
    const ran = await judged(config);
    expect(controlsThat('inconclusive', ran)).toEqual(controls);
    expect(ran.exitCode).toBe(3);
  });

  it('GetEventDataStore, where there is a store', async () => {
    const EventDataStoreArn = `arn:aws:cloudtrail:${REGION}:${MOTO_ACCOUNT}:eventdatastore/1234`;
    proxy.json.set('ListEventDataStores', () => ({ EventDataStores: [{ EventDataStoreArn, Name: 'lake' }] }));
    proxy.denied.add('GetEventDataStore');
    expect(controlsThat('inconclusive', await judged())).toContain('LAKE-03');
    proxy.json.delete('ListEventDataStores');
  });

  it('all of them: nothing passes that was not read', async () => {
    for (const operation of operations) proxy.denied.add(operation);
    const ran = await judged();
    expect([controlsThat('pass', ran), controlsThat('fail', ran)]).toEqual([[], []]);
    expect(ran.exitCode).toBe(3);
  });
});
