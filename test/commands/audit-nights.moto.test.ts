import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HOUR } from '../../src/chain/location.ts';
import { type BuiltTrail, trail } from '../../src/demo/trail.ts';
import { hasOpenssl, openssl, selfSigned } from '../evidence/openssl.ts';
import { awsAt, GOOD_CONFIG, LOGS, makeAccount, REGION } from '../support/audited-account.ts';
import { servedKeys } from '../support/built-on-s3.ts';
import { type Front, startFront } from '../support/front.ts';
import { MOTO_ACCOUNT, type Moto, motoInstalled, startMoto } from '../support/moto.ts';
import { type MotoProxy, motoProxy } from '../support/moto-proxy.ts';
import { parseJsonl, runCli } from '../support/run-cli.ts';
import { type S3Server, startS3Server } from '../support/s3-server.ts';

const able = motoInstalled() && hasOpenssl;
if (!able) console.log('moto_server or openssl is not installed: the nights of audit are not played through');

const HOURS = 48;
const END = Math.floor(Date.now() / HOUR) * HOUR;
const LOCK = { mode: 'COMPLIANCE', retainUntil: END + 400 * 24 * HOUR, legalHold: false } as const;

/** Each night goes on from the one before, as in life: the order of the tests is the order of the nights. */
describe.skipIf(!able)('audit, with memory and evidence, night by night', { timeout: 120_000 }, () => {
  let folder: string;
  let moto: Moto;
  let proxy: MotoProxy;
  let store: S3Server;
  let front: Front;
  let built: BuiltTrail;
  let pair: { readonly key: string; readonly cert: string };

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'trailseal-nights-'));
    pair = selfSigned(folder, 'auditee');
    moto = await startMoto();
    proxy = await motoProxy(moto);
    await makeAccount(awsAt(proxy.url));
    const place = { bucket: LOGS, account: MOTO_ACCOUNT, region: REGION, start: END - HOURS * HOUR };
    built = trail(place).hours(HOURS).logs(1).build();
    proxy.json.set('ListPublicKeys', () => ({ PublicKeyList: servedKeys(built)[REGION] ?? [] }));
    store = await startS3Server({ buckets: { [LOGS]: {}, 'audit-state': {} } });
    for (const [key, object] of built.objects) store.bucket(LOGS).put(key, { ...object, lock: LOCK });
    front = await startFront(store, proxy, LOGS);
    writeFileSync(join(folder, 'trailseal.yaml'), JSON.stringify({ ...GOOD_CONFIG, endpointUrl: front.url }));
  });
  afterAll(async () => {
    await Promise.all([front?.close(), store?.close(), proxy?.close()]);
    await moto?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  async function night(name: string, ...more: string[]) {
    const bundle = join(folder, name);
    const evidence = ['--evidence', bundle, '--sign-key', pair.key, '--sign-cert', pair.cert];
    const config = ['--config', join(folder, 'trailseal.yaml'), '--region', REGION];
    const junit = `junit=${join(folder, `${name}.xml`)}`;
    const argv = [...config, '--checkpoint', 's3://audit-state/trailseal', ...evidence, '--output', junit, ...more];
    const { code, err } = await runCli(['audit', '--quiet', ...argv], { env: { CI: 'true' } });
    const { findings, summary } = parseJsonl(readFileSync(join(bundle, 'findings.jsonl'), 'utf8'));
    const bad = findings.filter(({ outcome }) => outcome === 'fail' || outcome === 'inconclusive');
    const manifest = JSON.parse(readFileSync(join(bundle, 'evidence.json'), 'utf8')) as Manifest;
    const roles = manifest.files.map((file) => `${file.role} ${file.name.split(' ')[0]}`).sort();
    return { code, err, bad: bad.map(({ control }) => control), roles, manifest, bundle, signed: summary.verdicts };
  }

  const remembered = (): string | null => {
    const bucket = store.bucket('audit-state');
    const [key] = [...bucket.keys('')];
    return key === undefined ? null : Buffer.from(bucket.find(key)?.object?.body ?? []).toString('utf8');
  };

  /** What docs/auditors.md has the auditor type. */
  function auditorAccepts(bundle: string): boolean {
    const verified = join(folder, 'sums.verified');
    const signed = (name: string, out: string) =>
      openssl([
        ...['cms', '-verify', '-binary', '-inform', 'DER', '-purpose', 'any', '-CAfile', pair.cert],
        ...['-in', join(bundle, `${name}.p7s`), '-content', join(bundle, name), '-out', out],
      ]).ok;
    if (!signed('evidence.json', join(folder, 'evidence.verified')) || !signed('SHA256SUMS', verified)) return false;
    try {
      execFileSync('sha256sum', ['--check', '--strict', '--quiet', verified], { cwd: bundle, stdio: 'ignore' });
      return true;
    } catch {
      return false;
    }
  }
  const weAccept = async (bundle: string) =>
    (await runCli(['evidence', 'verify', bundle, '--trust', pair.cert])).code === 0;

  it('the first night, which says that it is the first', async () => {
    const first = await night('first', '--init-checkpoint');
    expect(first).toMatchObject({ code: 0, err: '', bad: [] });
    expect(first.signed).toMatchObject({ 'digest-signed': HOURS, 'log-intact': HOURS, 'LOCK-02': 1 });
    expect(first.roles).toEqual([
      'input config',
      'input snapshot',
      ...['checkpoint', 'html', 'jsonl', 'junit'].map((name) => `output ${name}`),
    ]);
    expect(checkpointsOf(first.manifest)).toEqual([]);
    expect(remembered()).toContain('"sequence": 1');
    expect([auditorAccepts(first.bundle), await weAccept(first.bundle)]).toEqual([true, true]);
  });

  it('a quiet night: little is read, and the evidence names the checkpoint it went on from', async () => {
    const before = remembered() ?? '';
    const quiet = await night('quiet');
    expect(quiet).toMatchObject({ code: 0, err: '', bad: [] });
    expect(quiet.signed['digest-signed']).toBeLessThan(4);
    expect(checkpointsOf(quiet.manifest)).toEqual([createHash('sha256').update(before).digest('hex')]);
    expect([auditorAccepts(quiet.bundle), await weAccept(quiet.bundle)]).toEqual([true, true]);
  });

  it('an old log altered: exit 1, the checkpoint stays, and the bundle of a failed night is sound', async () => {
    const before = remembered();
    const [key = ''] = built.digests[5]?.logs ?? [];
    const bucket = store.bucket(LOGS);
    const original = bucket.find(key)?.object;
    bucket.erase(key);
    bucket.put(key, { body: gzipSync('{"Records":[]}'), lock: LOCK });
    const altered = await night('altered', '--resweep', '100%');
    expect(altered).toMatchObject({ code: 1, bad: ['log-altered'] });
    expect(remembered()).toBe(before);
    expect(altered.manifest.exitCode).toBe(1);
    expect([auditorAccepts(altered.bundle), await weAccept(altered.bundle)]).toEqual([true, true]);
    bucket.erase(key);
    if (original) bucket.put(key, original);
  });

  it('the checkpoint removed: exit 3, nothing is begun anew, and the evidence says so', async () => {
    const bucket = store.bucket('audit-state');
    for (const key of [...bucket.keys('')]) bucket.erase(key);
    const forgotten = await night('forgotten');
    expect(forgotten).toMatchObject({ code: 3, bad: ['checkpoint-absent'] });
    expect(remembered()).toBeNull();
    expect(forgotten.manifest.exitCode).toBe(3);
    expect([auditorAccepts(forgotten.bundle), await weAccept(forgotten.bundle)]).toEqual([true, true]);
  });

  it('one byte changed in any file of a night is refused, by the auditor and by us', async () => {
    const bundle = join(folder, 'quiet');
    const { files } = JSON.parse(readFileSync(join(bundle, 'evidence.json'), 'utf8')) as Manifest;
    const all = [...files.map(({ path }) => path), 'evidence.json', 'SHA256SUMS'];
    expect(all.length).toBeGreaterThan(6);
    for (const path of all) {
      const kept = readFileSync(join(bundle, path));
      const changed = Buffer.from(kept);
      changed[kept.length >> 1] = (kept[kept.length >> 1] ?? 0) ^ 1;
      writeFileSync(join(bundle, path), changed);
      expect([path, auditorAccepts(bundle), await weAccept(bundle)]).toEqual([path, false, false]);
      writeFileSync(join(bundle, path), kept);
    }
    expect([auditorAccepts(bundle), await weAccept(bundle)]).toEqual([true, true]);
  });
});

interface Manifest {
  readonly exitCode: number;
  /** SHA-256 by name of what was read and is not held. */
  readonly inputs: Readonly<Record<string, string>>;
  readonly files: readonly { readonly path: string; readonly role: string; readonly name: string }[];
}

/** SHA-256 of the checkpoints that a run found. */
function checkpointsOf({ inputs }: Manifest): string[] {
  return Object.entries(inputs).flatMap(([name, sha256]) => (name.startsWith('checkpoint ') ? [sha256] : []));
}
