import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { CONTROLS } from '../../src/posture/controls/index.ts';
import { type Aws, awsAt, GOOD_CONFIG, REGION } from '../support/audited-account.ts';
import { MISCONFIGURATIONS } from '../support/misconfigurations.ts';
import { type Moto, motoInstalled, startMoto } from '../support/moto.ts';
import { type MotoProxy, motoProxy } from '../support/moto-proxy.ts';
import { controlsThat, type Given, type Ran, runPosture } from '../support/posture-run.ts';
import { type StandingAccount, standingAccount } from '../support/standing-account.ts';

const installed = motoInstalled();
if (!installed) console.log('moto_server is not installed (pip install "moto[server]"): posture is not run end to end');

/** Those first that leave an account to be made anew: the others share one. */
const IN_ORDER = [
  ...MISCONFIGURATIONS.filter(({ undo }) => undo === undefined),
  ...MISCONFIGURATIONS.filter(({ undo }) => undo !== undefined),
];

/** Only count. */
const NEVER_FAILS = ['OBJ-07'];

describe.skipIf(!installed)('posture against moto', () => {
  let moto: Moto;
  let proxy: MotoProxy;
  let aws: Aws;
  let account: StandingAccount;

  beforeAll(async () => {
    vi.stubEnv('AWS_ACCESS_KEY_ID', 'test');
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'test');
    moto = await startMoto();
    proxy = await motoProxy(moto);
    aws = awsAt(proxy.url);
    account = standingAccount(aws, proxy);
  });
  afterAll(async () => {
    await proxy.close();
    await moto.stop();
  });
  beforeEach(() => proxy.clear());

  const judged = (options: Given = {}, config: object = {}): Promise<Ran> =>
    runPosture(JSON.stringify({ ...GOOD_CONFIG, ...config }), { region: REGION, endpointUrl: proxy.url, ...options });

  it('a trail and bucket set up right pass every applicable control', async () => {
    await account.good();
    const ran = await judged();
    const wrong = ran.findings.filter(({ outcome }) => outcome === 'fail' || outcome === 'inconclusive');
    expect(wrong.map(({ control, outcome, message }) => `${control} ${outcome}: ${message}`)).toEqual([]);
    expect(ran.exitCode).toBe(0);
  });

  it('a saved snapshot gives the same findings, byte for byte, and asks nothing', async () => {
    await account.good();
    const file = join(await mkdtemp(join(tmpdir(), 'snapshot-')), 'snapshot.json');
    const live = await judged({ saveSnapshot: file });
    const asked = proxy.seen.length;
    const saved = await judged({ snapshot: file });
    expect(saved.lines).toEqual(live.lines);
    expect(saved.lines.length).toBeGreaterThan(0);
    expect(proxy.seen.length).toBe(asked);
    expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({ v: 1, partition: 'aws' });
  });

  it('the evidence holds what AWS answered, to be judged again', async () => {
    await account.good();
    const evidence = join(await mkdtemp(join(tmpdir(), 'bundle-')), 'evidence');
    // A bundle is of files; the report on stdout is not in it.
    const live = await judged({ evidence });
    const again = await judged({ snapshot: join(evidence, 'inputs/snapshot.json') });
    expect(again.lines).toEqual(live.lines);
    expect(again.lines.length).toBeGreaterThan(0);
  });

  it.each(IN_ORDER)('$name fails $fails and nothing else', async ({ fails, shape, spoil, config, undo }) => {
    const made = await account.good(shape);
    await spoil?.(aws, made, proxy);
    const ran = await judged({}, config);
    expect(controlsThat('fail', ran)).toEqual(fails);
    expect(ran.exitCode).toBe(1);
    if (undo === undefined) return;
    await undo(aws, made);
    account.isGoodAgain(made);
  });

  it('what was put back is right again', async () => {
    await account.good();
    const ran = await judged();
    expect([controlsThat('fail', ran), controlsThat('inconclusive', ran)]).toEqual([[], []]);
  });

  it('every control is turned to fail by one of the misconfigurations', () => {
    const turned = new Set(MISCONFIGURATIONS.flatMap(({ fails }) => fails));
    expect(CONTROLS.map(({ id }) => id).filter((id) => !turned.has(id))).toEqual([...NEVER_FAILS]);
  });
});
