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
    proxy = await motoProxy(moto);
    await makeAccount(awsAt(proxy.url));
    for (const { id, outcome } of (await judged()).findings) well.set(id, outcome);
  });
  afterAll(async () => {
    await proxy.close();
    await moto.stop();
  });
  beforeEach(() => {
    proxy.denied.clear();
    proxy.raw.clear();
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

  const others = (ran: Ran): string[] =>
    ran.findings
      .filter(({ id, outcome }) => outcome !== 'inconclusive' && outcome !== well.get(id))
      .map(({ control, outcome }) => `${control} ${outcome}`);

  describe('answered with 200 by something else', () => {
    const JSON_TYPE = { 'content-type': 'application/x-amz-json-1.1' };
    const isJson = (operation: string) =>
      /Trail|Event(Sel|Data)|InsightSel|Regions|Log[G]roups|Key|Organization$/.test(operation);

    it.each(operations)('%s: a page, or nothing at all, is no configuration', async (operation) => {
      const body = '<html><body>Welcome</body></html>';
      const nothing = isJson(operation) ? '{}' : '<Welcome/>';
      for (const answer of [
        { status: 200, body, headers: { 'content-type': 'text/html' } },
        { status: 200, body: nothing, headers: isJson(operation) ? JSON_TYPE : {} },
      ]) {
        proxy.raw.set(operation, answer);
        const ran = await judged();
        expect([answer.body, ...others(ran)]).toEqual([answer.body]);
        expect([answer.body, ran.exitCode]).toEqual([answer.body, UNNEEDED.has(operation) ? 0 : 3]);
      }
    });
  });

  describe('a list without an end', () => {
    const xml = (body: string) => ({ status: 200, body, headers: { 'content-type': 'application/xml' } });
    const json = (body: object) => ({ status: 200, body: JSON.stringify(body), headers: {} });

    it.each<[string, { status: number; body: string; headers: object }, string]>([
      ['ListEventDataStores', json({ EventDataStores: [], NextToken: 'again' }), 'LAKE-01'],
      ['DescribeLogGroups', json({ logGroups: [], nextToken: 'again' }), 'CWL-02'],
      [
        'ListAccessPoints',
        xml('<ListAccessPointsResult><NextToken>again</NextToken></ListAccessPointsResult>'),
        'AP-01',
      ],
      [
        'ListMultiRegionAccessPoints',
        xml('<ListMultiRegionAccessPointsResult><NextToken>again</NextToken></ListMultiRegionAccessPointsResult>'),
        'AP-02',
      ],
      ...['<Marker>again</Marker>', ''].map(
        (marker): [string, { status: number; body: string; headers: object }, string] => [
          'ListAttachedRolePolicies',
          xml(
            `<ListAttachedRolePoliciesResponse><ListAttachedRolePoliciesResult><IsTruncated>true</IsTruncated>${marker}<AttachedPolicies/></ListAttachedRolePoliciesResult></ListAttachedRolePoliciesResponse>`,
          ),
          'IAM-01',
        ],
      ),
      ...['<NextKeyMarker>again</NextKeyMarker>', ''].map(
        (marker): [string, { status: number; body: string; headers: object }, string] => [
          'ListObjectVersions',
          xml(`<ListVersionsResult><IsTruncated>true</IsTruncated>${marker}</ListVersionsResult>`),
          'OBJ-03',
        ],
      ),
    ])('%s %j: is given up, and %s is inconclusive', async (operation, answer, control) => {
      proxy.raw.set(operation, answer as never);
      const ran = await judged();
      expect(others(ran)).toEqual([]);
      expect(controlsThat('inconclusive', ran)).toContain(control);
      expect(ran.exitCode).toBe(3);
    });
  });
});
