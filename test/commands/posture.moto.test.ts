import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { UpdateTrailCommand } from '@aws-sdk/client-cloudtrail';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  AUDITORS,
  type Aws,
  awsAt,
  LOGS,
  type Made,
  makeAccount,
  READER,
  REGION,
  type Shape,
  STATE,
  TRAIL,
} from '../support/audited-account.ts';
import { MOTO_ACCOUNT, type Moto, motoInstalled, startMoto } from '../support/moto.ts';
import { type MotoProxy, motoProxy } from '../support/moto-proxy.ts';
import { controlsThat, type Given, type Ran, runPosture } from '../support/posture-run.ts';

const installed = motoInstalled();
if (!installed) console.log('moto_server is not installed (pip install "moto[server]"): posture is not run end to end');

const CONFIG = `
trails: [${TRAIL}]
logBuckets:
  - name: ${LOGS}
    account: "${MOTO_ACCOUNT}"
    readers: [${READER}]
    admins: [arn:aws:iam::${MOTO_ACCOUNT}:role/break-glass]
stateBuckets:
  - { name: ${STATE}, account: "${MOTO_ACCOUNT}" }
auditReaderRole: { role: "${READER}", trustedPrincipals: ["${AUDITORS}"] }
keyReaders: [${READER}]
posture: { objects: { sample: all } }
`;

describe.skipIf(!installed)('posture against moto', () => {
  let moto: Moto;
  let proxy: MotoProxy;
  let aws: Aws;

  beforeAll(async () => {
    vi.stubEnv('AWS_ACCESS_KEY_ID', 'test');
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'test');
    moto = await startMoto();
    proxy = await motoProxy(moto.url);
    aws = awsAt(proxy.url);
  });
  afterAll(async () => {
    await proxy.close();
    await moto.stop();
  });
  beforeEach(async () => {
    await moto.reset();
    proxy.clear();
  });

  const judged = (options: Given = {}): Promise<Ran> =>
    runPosture(CONFIG, { region: REGION, endpointUrl: proxy.url, ...options });

  it('a trail and bucket set up right pass every applicable control', async () => {
    await makeAccount(aws);
    const ran = await judged();
    const wrong = ran.findings.filter(({ outcome }) => outcome === 'fail' || outcome === 'inconclusive');
    expect(wrong.map(({ control, outcome, message }) => `${control} ${outcome}: ${message}`)).toEqual([]);
    expect(ran.exitCode).toBe(0);
  });

  it('a saved snapshot gives the same findings, byte for byte, and asks nothing', async () => {
    await makeAccount(aws);
    const file = join(await mkdtemp(join(tmpdir(), 'snapshot-')), 'snapshot.json');
    const live = await judged({ saveSnapshot: file });
    const asked = proxy.seen.length;
    const saved = await judged({ snapshot: file });
    expect(saved.lines).toEqual(live.lines);
    expect(saved.lines.length).toBeGreaterThan(0);
    expect(proxy.seen.length).toBe(asked);
    expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({ v: 1, partition: 'aws' });
  });

  interface Misconfiguration {
    readonly name: string;
    readonly fails: readonly string[];
    readonly shape?: Shape;
    readonly spoil?: (aws: Aws, made: Made) => Promise<unknown>;
  }

  const MISCONFIGURATIONS: readonly Misconfiguration[] = [
    {
      name: 'validation off',
      fails: ['TRAIL-07'],
      spoil: ({ cloudtrail }) =>
        cloudtrail.send(new UpdateTrailCommand({ Name: 'audit', EnableLogFileValidation: false })),
    },
    {
      name: 'GOVERNANCE',
      fails: ['LOCK-02', 'LOCK-05', 'OBJ-01', 'OBJ-02'],
      shape: { retention: { Mode: 'GOVERNANCE', Days: 365 } },
    },
  ];

  it.each(MISCONFIGURATIONS)('$name fails $fails and nothing else', async ({ fails, shape, spoil }) => {
    const made = await makeAccount(aws, shape);
    await spoil?.(aws, made);
    const ran = await judged();
    expect(controlsThat('fail', ran)).toEqual(fails);
    expect(ran.exitCode).toBe(1);
  });

  it.each(['DescribeTrails', 'GetObjectLockConfiguration'])(
    '%s refused is inconclusive, never pass or fail',
    async (operation) => {
      await makeAccount(aws);
      const well = await judged();
      proxy.denied.add(operation);
      const ran = await judged();
      expect(controlsThat('fail', ran)).toEqual([]);
      expect(controlsThat('inconclusive', ran).length).toBeGreaterThan(0);
      expect(ran.exitCode).toBe(3);
      expect(controlsThat('pass', well)).toEqual(expect.arrayContaining([...controlsThat('pass', ran)]));
    },
  );
});
