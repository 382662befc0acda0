import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PutObjectCommand } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { formatTime, HOUR } from '../../src/chain/location.ts';
import { type BuiltTrail, trail } from '../../src/demo/trail.ts';
import { writePublicKeys } from '../../src/demo/write-trail.ts';
import { readJunit } from '../report/junit-reader.ts';
import { type Aws, awsAt, LOGS, makeAccount, REGION, TRAIL } from '../support/audited-account.ts';
import { MOTO_ACCOUNT, type Moto, motoInstalled, startMoto } from '../support/moto.ts';
import { type MotoProxy, motoProxy } from '../support/moto-proxy.ts';
import { parseJsonl, runCli } from '../support/run-cli.ts';
import { tempDir } from '../support/temp.ts';

const installed = motoInstalled();

describe.skipIf(!installed)('audit against moto', () => {
  let moto: Moto;
  let proxy: MotoProxy;
  let aws: Aws;
  let built: BuiltTrail;

  beforeAll(async () => {
    moto = await startMoto();
    proxy = await motoProxy(moto);
    aws = awsAt(proxy.url);
    await makeAccount(aws);
    // The newest digest must be as fresh as posture wants it to be.
    const start = Math.floor(Date.now() / HOUR) * HOUR - 3 * HOUR;
    built = trail({ bucket: LOGS, account: MOTO_ACCOUNT, region: REGION, name: 'audit', start }).hours(3).build();
    for (const [Key, { body, metadata }] of built.objects) {
      await aws.s3.send(new PutObjectCommand({ Bucket: LOGS, Key, Body: body, Metadata: metadata }));
    }
  });
  afterAll(async () => {
    await proxy?.close();
    await moto?.stop();
  });

  async function audit(more: readonly string[] = []) {
    const directory = tempDir();
    const at = (name: string) => join(directory, name);
    writePublicKeys(at('keys.json'), built);
    writeFileSync(
      at('trailseal.yaml'),
      `trails: [${TRAIL}]\nlogBuckets: [{ name: ${LOGS}, account: "${MOTO_ACCOUNT}" }]\noutputs: [junit=${at('report.xml')}, jsonl=-]\n`,
    );
    const range = ['--start-time', formatTime(built.range.start), '--end-time', formatTime(built.range.end)];
    const argv = [
      'audit',
      '--config',
      at('trailseal.yaml'),
      '--endpoint-url',
      proxy.url,
      '--public-keys',
      at('keys.json'),
    ];
    const result = await runCli([...argv, ...range, '--quiet', ...more]);
    return { ...result, ...parseJsonl(result.out), cases: readJunit(readFileSync(at('report.xml'), 'utf8')).cases };
  }

  it('judges the logs and the configuration in one run, with one report set', async () => {
    const { run, summary, findings, cases } = await audit();
    expect(run.command).toBe('audit');
    expect(run.identity).toContain(MOTO_ACCOUNT);
    expect(summary.verdicts).toMatchObject({ 'digest-signed': 3, 'log-intact': 6, 'TRAIL-07': 1, 'LOCK-02': 1 });
    expect(
      findings.filter(({ kind, outcome }) => kind === 'integrity' && outcome === 'fail').map(({ control }) => control),
    ).toEqual([]);
    expect(findings.find(({ control }) => control === 'LOCK-02')?.outcome).toBe('pass');
    const suites = new Set(cases.map(({ suite }) => suite.split(' ')[0]));
    expect([...suites]).toEqual(expect.arrayContaining(['run', 'integrity', 'posture']));
  });

  it('fails for an altered log as for a failed control', async () => {
    const [key = ''] = built.digests[1]?.logs ?? [];
    await aws.s3.send(new PutObjectCommand({ Bucket: LOGS, Key: key, Body: Buffer.from('other') }));
    const { code, summary } = await audit(['--fail-on', 'critical']);
    expect(code).toBe(1);
    expect(summary.verdicts).toMatchObject({ 'log-recoverable': 1, 'object-overwritten': 1 });
  });
});
