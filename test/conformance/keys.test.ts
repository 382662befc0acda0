import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { parseDigest } from '../../src/chain/digest.ts';
import { formatTime, HOUR } from '../../src/chain/location.ts';
import { attest, dataToSign, loadPublicKey } from '../../src/chain/signing.ts';
import { sharedBucket } from '../../src/demo/shared-bucket.ts';
import { signer } from '../../src/demo/signer.ts';
import { type TrailBuilder, trail } from '../../src/demo/trail.ts';
import { emptyDigest, signingText } from '../../src/demo/world.ts';
import { listedKeys, type ServedKey } from '../../src/keys/key-source.ts';
import { serve, servedKeys } from '../support/served-trail.ts';

/** Spec "conformance", 2.3 and 2.4: public keys, and the signature made with them. */

const DAY = 24 * HOUR;
const T0 = Date.parse('2026-03-01T00:00:00Z');

/** `ListPublicKeys` of one Region: keys live 30 days. */
function service(names: readonly string[]) {
  const asked: [number, number][] = [];
  const all = names.map((name, i): ServedKey => {
    const { publicDer, fingerprint } = signer(name);
    const validFrom = T0 + i * 100 * DAY;
    return { value: publicDer, fingerprint, validFrom, validTo: validFrom + 30 * DAY };
  });
  const list = (_region: string, from: number, to: number) => {
    asked.push([from, to]);
    return Promise.resolve(all.filter((key) => key.validFrom <= to && key.validTo >= from));
  };
  return { asked, all, list };
}

it('22: the keys of the range by fingerprint, asked for once, with room on both sides', async () => {
  const { asked, all, list } = service(['one']);
  const keys = listedKeys(list, { start: T0, end: T0 + DAY });
  const found = await Promise.all(
    [0, 1, 2].map((h) => keys.find('us-east-1', all[0]?.fingerprint ?? '', T0 + h * HOUR)),
  );
  expect(found.map(({ ok }) => ok)).toEqual([true, true, true]);
  expect(asked).toEqual([[T0 - 35 * DAY, T0 + 36 * DAY]]);
});

const unsigned = { 'digest-key-unknown': 6, 'log-unattested': 12 };

// Differs on purpose: what cannot be checked is inconclusive. It is neither an error of the run nor INVALID.
it('23: no keys at all', async () => {
  const { verify } = await serve(trail().build(), { publicKeys: {} });
  const { code, summary, findings } = await verify();
  expect([code, summary.verdicts]).toEqual([3, unsigned]);
  expect(findings[0]?.message).toContain('lists no such key in us-east-1 around that time');
});

it('24: the fingerprint is not among the keys', async () => {
  const stranger = trail({ signer: signer('another') }).build();
  const { verify } = await serve(trail().build(), { publicKeys: servedKeys(stranger.publicKeys) });
  const { code, summary, findings } = await verify();
  expect([code, summary.verdicts]).toEqual([3, unsigned]);
  expect(findings[0]?.message).toContain(signer('cloudtrail us-east-1').fingerprint);
});

it('25: the same, for an hourly and a backfill digest', async () => {
  const both = sharedBucket(trail().hours(1).build(), trail({ backfill: true }).hours(1).build());
  const { verify } = await serve(both, { publicKeys: {} });
  const { code, findings } = await verify();
  const unknown = findings.filter(({ control }) => control === 'digest-key-unknown').map(({ subject }) => subject.key);
  expect([code, unknown.length, unknown.filter((key) => key?.endsWith('_backfill.json.gz')).length]).toEqual([3, 2, 1]);
});

describe('backfill digests are generated long after their hours', () => {
  it('26: each key is looked for around that time', async () => {
    const names = ['one', 'two', 'three'];
    const { asked, all, list } = service(names);
    const keys = listedKeys(list, { start: T0, end: T0 + HOUR });
    for (const { fingerprint, validFrom } of all)
      expect(await keys.find('us-east-1', fingerprint, validFrom)).toMatchObject({ ok: true });
    expect(asked).toHaveLength(3);
  });

  it('27: once only where the first look-up gave them all', async () => {
    const { asked, all, list } = service(['one', 'two']);
    const keys = listedKeys(list, { start: T0, end: T0 + 200 * DAY });
    for (const { fingerprint, validFrom } of all)
      expect(await keys.find('us-east-1', fingerprint, validFrom)).toMatchObject({ ok: true });
    expect(asked).toHaveLength(1);
  });
});

describe('times that strangers wrote cost a bounded number of calls', () => {
  it('of stretches, told where the bound hits', async () => {
    const { asked, list } = service(['one']);
    const keys = listedKeys(list, { start: T0, end: T0 + DAY });
    const answers = [];
    for (let n = 0; n < 3000; n++) answers.push(await keys.find('us-east-1', 'f'.repeat(32), T0 - n * 7 * DAY));
    expect(asked).toHaveLength(16);
    expect(answers.at(-1)).toMatchObject({ ok: false, reason: expect.stringContaining('more times than keys are') });
    expect(await keys.find('eu-west-1', 'f'.repeat(32), T0)).toMatchObject({
      reason: expect.stringContaining('lists no such key in eu-west-1'),
    });
    expect(await keys.find('us-east-1', service(['one']).all[0]?.fingerprint ?? '', 0)).toMatchObject({ ok: true });
  });

  it('of which names of digests that cannot be read use up one', async () => {
    const { asked, all, list } = service(['one']);
    const keys = listedKeys(list, { start: null, end: T0 + DAY });
    for (let n = 20; n >= 0; n--) {
      keys.expect?.('us-east-1', T0);
      keys.expect?.('us-east-1', T0 - n * 183 * DAY);
    }
    expect(asked).toHaveLength(1);
    const { fingerprint = '' } = all[0] ?? {};
    expect(await keys.find('us-east-1', fingerprint, T0)).toMatchObject({ ok: true });
    expect(await keys.find('us-east-1', 'f'.repeat(32), T0 - 20 * 183 * DAY)).toMatchObject({
      reason: expect.stringContaining('lists no such key'),
    });
  });

  it.each([
    ['of hourly digests', trail().hours(12).build()],
    ['of backfill digests', sharedBucket(trail().hours(1).build(), trail({ backfill: true }).hours(12).build())],
  ])('%s', async (_name, built) => {
    const objects = [...built.objects].map(([key, object], n) => {
      const far = formatTime(T0 - 10_000 * DAY + n * 300 * DAY);
      const metadata = { ...object.metadata, 'backfill-generation-timestamp': far };
      return [key, key.includes('Digest') ? { ...object, metadata } : object] as const;
    });
    const { server, verify } = await serve({ ...built, objects: new Map(objects) });
    const { summary } = await verify();
    expect(summary.verdicts['digest-signed']).toBeGreaterThan(1);
    expect(summary.verdicts['digest-key-unknown']).toBeUndefined();
    expect(server.count('ListPublicKeys')).toBe(1);
  });
});

function signedDigest() {
  const world = trail().hours(1).build();
  const json = emptyDigest(world, T0, T0 + HOUR);
  const content = Buffer.from(JSON.stringify(json));
  const { publicDer, fingerprint } = world.signer;
  return {
    digest: parseDigest(content),
    sha256: createHash('sha256').update(content).digest(),
    signature: world.signer.sign(signingText(json, content)),
    key: loadPublicKey(publicDer, fingerprint, 0, 4e12),
  };
}

it('28: a right signature', () => {
  const { digest, sha256, signature, key } = signedDigest();
  expect(attest(digest, sha256, signature, key)).toBe(digest);
});

// Differs on purpose: a key that is no key proves nothing against the digest, so inconclusive.
it('29: a key that cannot be loaded', async () => {
  const { publicKeys } = trail().build();
  const spoilt = servedKeys(publicKeys)['us-east-1']?.map((key) => ({ ...key, Value: 'YQo=' })) ?? [];
  const { verify } = await serve(trail().build(), { publicKeys: { 'us-east-1': spoilt } });
  const { code, summary, findings } = await verify();
  expect([code, summary.verdicts]).toEqual([3, unsigned]);
  expect(findings[0]?.message).toContain('has the fingerprint');
});

it('30: a wrong signature', () => {
  const { digest, sha256, signature, key } = signedDigest();
  for (const wrong of [
    '00'.repeat(256),
    signature.slice(2),
    `${signature}00`,
    '',
    'zz',
    signer('stranger').sign('x'),
  ]) {
    expect(attest(digest, sha256, wrong, key)).toBeNull();
  }
});

it('31: without a signature before it, the signed bytes end in the four letters null', () => {
  const { digest } = signedDigest();
  const abc = createHash('sha256').update('abc').digest();
  const bytes = dataToSign({ ...digest, endTimeText: 'a', bucket: 'b', key: 'c', previous: null }, abc);
  expect(String(bytes)).toBe('a\nb/c\nba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad\nnull');
});

it('32: a bad signature in the middle is told, and the others are judged', async () => {
  const { verify } = await serve(trail().editDigest(2).build());
  const { code, summary, findings } = await verify();
  expect([code, summary.verdicts['digest-signature-invalid'], summary.verdicts['digest-signed']]).toEqual([1, 1, 5]);
  const at = formatTime(trail().build().digests[2]?.end ?? 0);
  expect(findings.find(({ control }) => control === 'digest-signature-invalid')?.subject.hour).toBe(at);
});

describe('49: there is no way around the gate', () => {
  it.each<[string, (t: TrailBuilder) => TrailBuilder]>([
    ['an edited digest', (t) => t.editDigest(2)],
    ['a stranger’s signature', (t) => t.signByStranger(2)],
    ['the signature of another digest', (t) => t.swapSignature(2, 1)],
  ])('%s yields no log claim', async (_name, change) => {
    const { verify } = await serve(change(trail()).build());
    const { summary } = await verify('--verbose');
    expect(summary.verdicts['digest-signed']).toBe(5);
    expect(summary.verdicts['log-intact']).toBe(10);
  });
});

it('50: the signature binds bucket, key, time and content', () => {
  const { digest, sha256, signature, key } = signedDigest();
  for (const other of [{ bucket: 'b' }, { key: 'k' }, { endTimeText: '2026-03-01T02:00:00Z' }]) {
    expect(attest({ ...digest, ...other }, sha256, signature, key)).toBeNull();
  }
  expect(attest(digest, createHash('sha256').update('x').digest(), signature, key)).toBeNull();
});
