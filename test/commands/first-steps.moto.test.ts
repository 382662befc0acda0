import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { parseConfig, problemLine } from '../../src/config/load.ts';
import { awsAt, LOGS, READER, REGION, TRAIL } from '../support/audited-account.ts';
import { MOTO_ACCOUNT, type Moto, motoInstalled, startMoto } from '../support/moto.ts';
import { type MotoProxy, motoProxy } from '../support/moto-proxy.ts';
import { parseJsonl, runCli } from '../support/run-cli.ts';
import { type StandingAccount, standingAccount } from '../support/standing-account.ts';
import { tempDir } from '../support/temp.ts';

const installed = motoInstalled();
if (!installed) console.log('moto_server is not installed (pip install "moto[server]"): init and doctor are not run');

describe.skipIf(!installed)('the first steps in an account', () => {
  let moto: Moto;
  let proxy: MotoProxy;
  let account: StandingAccount;
  beforeAll(async () => {
    vi.stubEnv('AWS_ACCESS_KEY_ID', 'test');
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'test');
    moto = await startMoto();
    proxy = await motoProxy(moto);
    account = standingAccount(awsAt(proxy.url), proxy);
  });
  afterAll(async () => {
    await proxy.close();
    await moto.stop();
  });
  beforeEach(() => proxy.clear());

  const at = () => ['--endpoint-url', proxy.url, '--region', REGION];

  describe('init', () => {
    const made = (text: string) => {
      const result = parseConfig(Buffer.from(text), 'trailseal.yaml', Date.now());
      if (!result.ok) throw new Error(result.problems.map(problemLine).join('\n'));
      return result.loaded.config;
    };

    it('writes what is there, once, as a config that is read back', async () => {
      await account.good({ retention: { Mode: 'GOVERNANCE', Days: 400 } });
      const file = join(tempDir(), 'trailseal.yaml');
      expect(await runCli(['init', '--file', file, ...at()])).toMatchObject({ code: 0 });
      const text = readFileSync(file, 'utf8');
      expect(made(text)).toMatchObject({
        trails: [TRAIL],
        logBuckets: [
          { name: LOGS, account: MOTO_ACCOUNT, region: REGION, retention: { lock: 'COMPLIANCE', days: 400 } },
        ],
      });
      expect(text).toContain('# found: GOVERNANCE, 400 days');
    });

    it('does not write over a file unless told to', async () => {
      await account.good();
      const file = join(tempDir(), 'trailseal.yaml');
      writeFileSync(file, 'mine');
      expect(await runCli(['init', '--file', file, ...at()])).toMatchObject({
        code: 2,
        err: expect.stringContaining('--force'),
      });
      expect(readFileSync(file, 'utf8')).toBe('mine');
      expect((await runCli(['init', '--file', file, '--force', ...at()])).code).toBe(0);
      expect(made(readFileSync(file, 'utf8')).trails).toEqual([TRAIL]);
    });

    it('writes nothing when no trail may be seen, and says why', async () => {
      await account.good();
      proxy.denied.add('DescribeTrails');
      const file = join(tempDir(), 'trailseal.yaml');
      const { code, err } = await runCli(['init', '--file', file, ...at()]);
      expect({ code, err }).toMatchObject({
        code: 3,
        err: expect.stringContaining('DescribeTrails answered AccessDenied'),
      });
      expect(existsSync(file)).toBe(false);
    });

    it('says so in the file when the lock could not be read', async () => {
      await account.good();
      proxy.denied.add('GetObjectLockConfiguration');
      const { out } = await runCli(['init', '--file', '-', ...at()]);
      expect(made(out).logBuckets?.[0]?.retention?.days).toBe(365);
      expect(out).toContain('# found: could not be read');
    });
  });

  describe('doctor', () => {
    const examined = async (...more: string[]) => {
      const config = join(tempDir(), 'trailseal.yaml');
      writeFileSync(config, `auditReaderRole: ${READER}\nposture: { objects: { sample: all } }\n`);
      const { code, out } = await runCli(['doctor', '--config', config, '--output', 'jsonl=-', ...at(), ...more]);
      const { findings } = parseJsonl(out);
      const of = (control: string) => findings.filter((finding) => finding.control === control);
      return { code, of, findings };
    };

    it('is content where every call is answered', async () => {
      await account.good();
      const { code, of } = await examined();
      expect([...of('permission-missing'), ...of('permission-unclear')].map(({ message }) => message)).toEqual([]);
      expect(of('identity-known')).toHaveLength(1);
      const granted = of('permission-granted').map(({ message }) => message);
      expect(granted).toEqual(expect.arrayContaining(['s3:GetObject', 'kms:Decrypt', 'cloudtrail:ListPublicKeys']));
      expect(code).toBe(0);
    });

    it.each([
      ['ListPublicKeys', 'cloudtrail:ListPublicKeys', 'no digest can be attested'],
      ['GetObjectLockConfiguration', 's3:GetBucketObjectLockConfiguration', 'LOCK-01, LOCK-02, LOCK-03'],
      ['GetBucketPolicy', 's3:GetBucketPolicy', 'POL-01'],
      ['ListObjectVersions', 's3:ListBucketVersions', 'delete markers'],
      ['ListObjectsV2', 's3:ListBucket', 'verify finds no digests'],
      ['DescribeTrails', 'cloudtrail:DescribeTrails', 'TRAIL-01'],
      ['GetRole', 'iam:GetRole', 'IAM-01'],
    ])('%s refused: names the permission and what it costs', async (operation, action, cost) => {
      await account.good();
      proxy.denied.add(operation);
      const { code, of } = await examined();
      const told = of('permission-missing').map(({ message }) => message);
      expect(told).toEqual(expect.arrayContaining([expect.stringContaining(`${action}: `)]));
      expect(told.find((message) => message.startsWith(action))).toContain(cost);
      expect(code).toBe(3);
    });

    it('asks for a command only what that needs', async () => {
      await account.good();
      const { findings } = await examined('--for', 'verify', '--s3-bucket', LOGS);
      const told = findings.map(({ message }) => message).join('\n');
      expect(told).toContain('s3:GetObject');
      expect(told).not.toContain('s3:GetBucketPolicy');
      expect(proxy.seen).not.toContain('GetBucketPolicy');
    });

    it('changes nothing', async () => {
      await account.good();
      proxy.seen.length = 0;
      await examined();
      expect(
        proxy.seen.filter((operation) => /^(PUT|POST|DELETE) |^(Put|Create|Delete|Update)/.test(operation)),
      ).toEqual([]);
    });
  });
});
