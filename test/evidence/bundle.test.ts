import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type BundleOptions, writeBundle } from '../../src/evidence/bundle.ts';
import { loadSigner, readCertificates } from '../../src/evidence/cms.ts';
import { fetchTimestamp } from '../../src/evidence/timestamp.ts';
import { type Trust, verifyBundle } from '../../src/evidence/verify.ts';
import type { RunHeader, Summary } from '../../src/report/report.ts';
import { hasOpenssl, openssl, selfSigned, timestampAuthority } from './openssl.ts';

const RUN: RunHeader = {
  tool: 'trailseal',
  version: '0.1.0',
  command: 'verify',
  arguments: { directory: 'copy' },
  window: { start: '2026-03-01T00:00:00Z', end: '2026-03-02T00:00:00Z' },
  clock: '2026-03-02T06:00:00Z',
  identity: 'arn:aws:sts::111122223333:assumed-role/audit-reader/night',
  inputs: { config: 'c'.repeat(64), 'checkpoint-before': 'd'.repeat(64) },
};
const SUMMARY: Summary = {
  complete: true,
  exitCode: 0,
  outcomes: { pass: 120, fail: 0, inconclusive: 0, 'not-applicable': 0, waived: 0 },
  verdicts: { 'digest-signed': 24, 'log-intact': 96 },
  chains: [],
  requests: { list: 1, get: 120, bytes: 1000 },
  elapsedMs: 10,
};
/** What is told of a bundle that is in order. */
const NOTES: ReadonlySet<string> = new Set(['evidence-run', 'evidence-signer', 'evidence-time']);
const NO_TRUST: Trust = { signers: [], authorities: [] };

let root: string;
let folder: string;
let bundle: string;
let signed: { key: string; cert: string };

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'trailseal-evidence-'));
  if (hasOpenssl) signed = selfSigned(root, 'auditee');
});
afterAll(() => rmSync(root, { recursive: true }));

beforeEach(() => {
  folder = mkdtempSync(join(root, 'case-'));
  bundle = join(folder, 'bundle');
  mkdirSync(bundle);
  writeFileSync(join(bundle, 'findings.jsonl'), '{"type":"run"}\n');
  writeFileSync(join(folder, 'trailseal.yaml'), 'failOn: high\n');
  mkdirSync(join(folder, 'other'));
  writeFileSync(join(folder, 'other', 'trailseal.yaml'), 'failOn: low\n');
});

function write(options: Partial<BundleOptions> = {}): ReturnType<typeof writeBundle> {
  return writeBundle({
    directory: bundle,
    run: RUN,
    summary: SUMMARY,
    // The certificates made below begin now.
    signedAt: Date.now() + 3_600_000,
    enclosures: [
      { path: join(bundle, 'findings.jsonl'), role: 'output', name: 'jsonl' },
      { path: join(folder, 'trailseal.yaml'), role: 'input', name: 'config' },
      { path: join(folder, 'other', 'trailseal.yaml'), role: 'input', name: 'waivers' },
    ],
    ...options,
  });
}

const signer = () => loadSigner(readFileSync(signed.key, 'utf8'), readFileSync(signed.cert, 'utf8'));
const trusting = (cert: string): Trust => ({ signers: readCertificates(readFileSync(cert, 'utf8')), authorities: [] });

async function told(trust: Trust = NO_TRUST): Promise<string[]> {
  const lines: string[] = [];
  for await (const { control, subject, outcome } of verifyBundle(bundle, trust)) {
    if (outcome !== 'pass' && !NOTES.has(control)) lines.push(`${control} ${subject.key}`);
  }
  return lines;
}

function flip(name: string): void {
  const content = readFileSync(join(bundle, name));
  content[content.length >> 1] = (content[content.length >> 1] ?? 0) ^ 1;
  writeFileSync(join(bundle, name), content);
}

describe('a bundle', () => {
  it('lists outputs and inputs with their hashes; two of one name do not collide', async () => {
    expect(await write()).toEqual({ problems: [] });
    const manifest = JSON.parse(readFileSync(join(bundle, 'evidence.json'), 'utf8'));
    expect(manifest.files.map(({ path, role, name }: Record<string, string>) => [path, role, name])).toEqual([
      ['findings.jsonl', 'output', 'jsonl'],
      ['inputs/2-trailseal.yaml', 'input', 'waivers'],
      ['inputs/trailseal.yaml', 'input', 'config'],
    ]);
    expect(manifest.inputs).toEqual({ 'checkpoint-before': 'd'.repeat(64) });
    expect(manifest).toMatchObject({ clock: RUN.clock, identity: RUN.identity, exitCode: 0, complete: true });
    expect(await told()).toEqual(['evidence-unsigned evidence.json.p7s']);
  });

  it('is the same bytes for the same run', async () => {
    await write();
    const before = readFileSync(join(bundle, 'evidence.json'));
    await write();
    expect(readFileSync(join(bundle, 'evidence.json')).equals(before)).toBe(true);
    expect(readdirSync(bundle).filter((name) => name.includes('tmp'))).toEqual([]);
  });

  it('is read by sha256sum', async () => {
    await write();
    expect(execFileSync('sha256sum', ['--check', '--strict', 'SHA256SUMS'], { cwd: bundle }).toString()).toContain(
      'evidence.json: OK',
    );
  });

  it('drops the signature of an earlier run', async () => {
    writeFileSync(join(bundle, 'evidence.json.p7s'), 'old');
    await write();
    expect(await told()).toEqual(['evidence-unsigned evidence.json.p7s']);
  });
});

describe('what is no regular file is never waited for', () => {
  const OWN = ['evidence.json', 'evidence.json.tsr', 'SHA256SUMS', 'SHA256SUMS.p7s', 'findings.jsonl'];

  it.each(OWN)('a pipe in the place of %s', async (name) => {
    await write();
    rmSync(join(bundle, name), { force: true });
    execFileSync('mkfifo', [join(bundle, name)]);
    expect(await told()).toContain(`evidence-file-altered ${name}`);
  });

  it.each(OWN)('a link to a device in the place of %s', async (name) => {
    await write();
    rmSync(join(bundle, name), { force: true });
    symlinkSync('/dev/zero', join(bundle, name));
    expect(await told()).toContain(`evidence-file-altered ${name}`);
  });

  // A folder stands for what the system refuses to read, which root is never refused.
  it.each(OWN)('a folder in the place of %s cannot be read, and ends nothing', async (name) => {
    await write();
    rmSync(join(bundle, name), { force: true });
    mkdirSync(join(bundle, name));
    expect(await told()).toContain(`evidence-file-unreadable ${name}`);
  });
});

it('a manifest that lists nothing is evidence of nothing', async () => {
  await write();
  const manifest = JSON.parse(readFileSync(join(bundle, 'evidence.json'), 'utf8'));
  writeFileSync(join(bundle, 'evidence.json'), JSON.stringify({ ...manifest, files: [] }));
  expect(await told()).toEqual(['evidence-manifest-malformed evidence.json']);
});

it.skipIf(!hasOpenssl)('a signer whose certificate was over is told by that, not as a stranger', async () => {
  await write({
    signer: loadSigner(readFileSync(signed.key, 'utf8'), readFileSync(signed.cert, 'utf8')),
    signedAt: Date.parse('2001-01-01T00:00:00Z'),
  });
  const messages: string[] = [];
  for await (const { outcome, message } of verifyBundle(bundle, trusting(signed.cert))) {
    if (outcome === 'fail') messages.push(message);
  }
  expect(messages).toHaveLength(2);
  expect(messages[0]).toMatch(
    /not valid at 2001-01-01T00:00:00.000Z, when it was signed: that of CN=auditee is from 20/,
  );
});

describe('one changed byte', () => {
  it.each([
    ['findings.jsonl', ['evidence-file-altered findings.jsonl']],
    ['inputs/trailseal.yaml', ['evidence-file-altered inputs/trailseal.yaml']],
    ['inputs/2-trailseal.yaml', ['evidence-file-altered inputs/2-trailseal.yaml']],
    ['SHA256SUMS', ['evidence-file-altered SHA256SUMS']],
  ])('of %s is found', async (name, expected) => {
    await write();
    flip(name);
    expect(await told()).toEqual([...expected, 'evidence-unsigned evidence.json.p7s']);
  });

  it('of evidence.json is found', async () => {
    await write();
    const path = join(bundle, 'evidence.json');
    writeFileSync(path, readFileSync(path, 'utf8').replace('"exitCode": 0', '"exitCode": 1'));
    expect(await told()).toContain('evidence-file-altered SHA256SUMS');
  });
});

describe('what else may be wrong', () => {
  it('a file that is not there', async () => {
    await write();
    rmSync(join(bundle, 'findings.jsonl'));
    expect(await told()).toContain('evidence-file-missing findings.jsonl');
  });
  it('a file nobody listed', async () => {
    await write();
    writeFileSync(join(bundle, 'inputs', 'more.txt'), '');
    expect(await told()).toContain('evidence-file-unlisted inputs/more.txt');
  });
  it('a link instead of a file', async () => {
    await write();
    rmSync(join(bundle, 'findings.jsonl'));
    writeFileSync(join(folder, 'outside'), '{"type":"run"}\n');
    symlinkSync(join(folder, 'outside'), join(bundle, 'findings.jsonl'));
    expect(await told()).toContain('evidence-file-altered findings.jsonl');
  });
  it.each(['../outside', '/etc/hostname', 'a/../../outside', 'a//b', 'a\nb'])(
    'a path that leads out: %j',
    async (path) => {
      await write();
      const file = join(bundle, 'evidence.json');
      writeFileSync(file, readFileSync(file, 'utf8').replace('"findings.jsonl"', JSON.stringify(path)));
      expect(await told()).toEqual(['evidence-manifest-malformed evidence.json']);
    },
  );
  it('a manifest that gives a key twice', async () => {
    await write();
    const file = join(bundle, 'evidence.json');
    writeFileSync(file, readFileSync(file, 'utf8').replace('{', '{"exitCode":0,'));
    expect(await told()).toEqual(['evidence-manifest-malformed evidence.json']);
  });
  it.each(['', '{}', '[]', '{"v":2}', '\0'])('no manifest: %j', async (text) => {
    writeFileSync(join(bundle, 'evidence.json'), text);
    expect(await told()).toEqual(['evidence-manifest-malformed evidence.json']);
  });
  it('no bundle at all', async () => {
    bundle = join(folder, 'nowhere');
    expect(await told()).toEqual(['evidence-manifest-absent evidence.json']);
  });
  it('a run that was cut short', async () => {
    await write({ summary: { ...SUMMARY, complete: false, exitCode: 3 } });
    expect(await told()).toContain('evidence-run-incomplete evidence.json');
  });
  it('a signature that was demanded', async () => {
    await write();
    const [someone] = hasOpenssl ? readCertificates(readFileSync(signed.cert, 'utf8')) : [];
    if (someone === undefined) return;
    expect(await told({ signers: [someone], authorities: [] })).toContain(
      'evidence-signature-missing evidence.json.p7s',
    );
  });
});

describe.skipIf(!hasOpenssl)('the signature', () => {
  const verifyWith = (signature: string, content: string): boolean =>
    openssl([
      ...['cms', '-verify', '-binary', '-inform', 'DER', '-purpose', 'any', '-CAfile', signed.cert],
      ...['-in', join(bundle, signature), '-content', join(bundle, content), '-out', join(folder, 'out')],
    ]).ok;
  /** What the documentation tells an auditor to type: hashes made anew, held against the signed ones. */
  const auditor = (): boolean => {
    const command = [
      "cut -c67- SHA256SUMS | xargs -d '\\n' sha256sum |",
      'openssl cms -verify -binary -inform DER -purpose any -in SHA256SUMS.p7s -content /dev/stdin',
      `-CAfile '${signed.cert}' -out /dev/null`,
    ].join(' ');
    try {
      execFileSync('sh', ['-c', command], { cwd: bundle, stdio: 'pipe' });
      return true;
    } catch {
      return false;
    }
  };

  it('is accepted by openssl and by us', async () => {
    await write({ signer: signer() });
    expect(verifyWith('evidence.json.p7s', 'evidence.json')).toBe(true);
    expect(verifyWith('SHA256SUMS.p7s', 'SHA256SUMS')).toBe(true);
    expect(auditor()).toBe(true);
    expect(await told(trusting(signed.cert))).toEqual([]);
  });

  it.each(['findings.jsonl', 'inputs/trailseal.yaml', 'inputs/2-trailseal.yaml', 'evidence.json'])(
    'is refused by openssl after one changed byte of %s',
    async (name) => {
      await write({ signer: signer() });
      flip(name);
      expect(auditor()).toBe(false);
      expect(await told(trusting(signed.cert))).not.toEqual([]);
    },
  );

  it.each(['evidence.json.p7s', 'SHA256SUMS.p7s'])('%s of other bytes is refused', async (name) => {
    await write({ signer: signer() });
    const kept = readFileSync(join(bundle, name));
    await write({ signer: signer(), run: { ...RUN, clock: '2026-03-03T06:00:00Z' } });
    writeFileSync(join(bundle, name), kept);
    expect(await told(trusting(signed.cert))).toContain(`evidence-signature-invalid ${name}`);
    expect(verifyWith(name, name.replace('.p7s', ''))).toBe(false);
  });

  it('any cut or changed byte of the signature never verifies and never crashes', async () => {
    await write({ signer: signer() });
    const path = join(bundle, 'evidence.json.p7s');
    const der = readFileSync(path);
    const altered = [0, 1, 2, 5, 20, der.length >> 1, der.length - 1].map((at) => {
      const copy = Buffer.from(der);
      copy[at] = (copy[at] ?? 0) ^ 0x55;
      return copy;
    });
    for (const bytes of [...altered, der.subarray(0, -1), Buffer.concat([der, Buffer.of(0)]), Buffer.alloc(0)]) {
      writeFileSync(path, bytes);
      const lines = await told(trusting(signed.cert));
      expect(lines.some((line) => /evidence-sign(ature-invalid|er-unknown) evidence\.json\.p7s/.test(line))).toBe(true);
    }
  });

  it('made before the certificate began is not trusted', async () => {
    await write({ signer: signer(), signedAt: Date.parse('2020-01-01T00:00:00Z') });
    expect(await told(trusting(signed.cert))).toContain('evidence-signer-unknown evidence.json.p7s');
  });

  it('of somebody else is told apart', async () => {
    await write({ signer: signer() });
    const other = selfSigned(folder, 'auditee');
    expect(await told(trusting(other.cert))).toContain('evidence-signer-unknown evidence.json.p7s');
  });

  it('of a certificate that a trusted one issued is accepted', async () => {
    const ca = selfSigned(folder, 'ca', ['rsa:2048'], ['-addext', 'keyUsage=critical,keyCertSign']);
    const leaf = selfSigned(
      folder,
      'leaf',
      ['rsa:2048'],
      ['-CA', ca.cert, '-CAkey', ca.key, '-addext', 'basicConstraints=critical,CA:false'],
    );
    await write({ signer: loadSigner(readFileSync(leaf.key, 'utf8'), readFileSync(leaf.cert, 'utf8')) });
    expect(await told(trusting(ca.cert))).toEqual([]);
    // A leaf is no authority: what it "issued" is not trusted.
    expect(await told(trusting(signed.cert))).toContain('evidence-signer-unknown evidence.json.p7s');
  });

  it.each<[string, () => { key: string; cert: string }, string]>([
    ['another certificate', () => ({ key: signed.key, cert: selfSigned(folder, 'x').cert }), 'does not belong to'],
    [
      'a key that is not RSA',
      () => selfSigned(folder, 'ec', ['ec', '-pkeyopt', 'ec_paramgen_curve:P-256']),
      'must be RSA',
    ],
    ['no key', () => ({ key: signed.cert, cert: signed.cert }), 'not a PEM private key'],
    ['no certificate', () => ({ key: signed.key, cert: signed.key }), 'not a PEM certificate'],
  ])('cannot be made with %s', (_, files, message) => {
    const { key, cert } = files();
    expect(() => loadSigner(readFileSync(key, 'utf8'), readFileSync(cert, 'utf8'))).toThrow(message);
  });
});

describe.skipIf(!hasOpenssl)('the timestamp', () => {
  let tsa: { url: string; cert: string; server: Server };
  beforeAll(async () => {
    tsa = await timestampAuthority(mkdtempSync(join(root, 'tsa-')));
  });
  afterAll(() => tsa.server.close());
  const openAccepts = (): boolean =>
    openssl([
      ...['ts', '-verify', '-data', join(bundle, 'evidence.json')],
      ...['-in', join(bundle, 'evidence.json.tsr'), '-CAfile', tsa.cert],
    ]).ok;

  it('is accepted by openssl and by us, and not for other bytes', async () => {
    expect(await write({ tsa: tsa.url })).toEqual({ problems: [] });
    const trust: Trust = { signers: [], authorities: readCertificates(readFileSync(tsa.cert, 'utf8')) };
    expect(openAccepts()).toBe(true);
    expect(await told(trust)).toEqual(['evidence-unsigned evidence.json.p7s']);
    const kept = readFileSync(join(bundle, 'evidence.json.tsr'));
    await write({ run: { ...RUN, clock: '2026-03-03T06:00:00Z' } });
    expect(await told(trust)).toContain('evidence-timestamp-missing evidence.json.tsr');
    writeFileSync(join(bundle, 'evidence.json.tsr'), kept);
    expect(openAccepts()).toBe(false);
    expect(await told(trust)).toContain('evidence-timestamp-invalid evidence.json.tsr');
  });

  it('of an authority nobody trusts is refused', async () => {
    await write({ tsa: tsa.url });
    const authorities = readCertificates(readFileSync(signed.cert, 'utf8'));
    expect(await told({ signers: [], authorities })).toContain('evidence-timestamp-invalid evidence.json.tsr');
  });

  it('that never answers is waited for no longer than it may take', async () => {
    const server = createServer(() => undefined);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const asking = fetchTimestamp(url, Buffer.from('x'), new AbortController().signal, 200);
    await expect(asking).rejects.toThrow('could not be asked: no answer in 0.2 s');
    server.closeAllConnections();
    server.close();
  });

  it.each<[string, number, string, string]>([
    ['an error', 503, '', 'answered HTTP 503'],
    ['a page', 200, '<html>', 'not a timestamp response'],
    ['a flood', 200, 'x'.repeat(100_000), 'too large'],
  ])('that answers %s is told and stores nothing', async (_, status, body, problem) => {
    const server = createServer((_request, response) => response.writeHead(status).end(body));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { problems } = await write({ tsa: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` });
    server.close();
    expect(problems).toEqual([expect.stringContaining(problem)]);
    expect(readdirSync(bundle)).not.toContain('evidence.json.tsr');
    expect(await told()).toEqual(['evidence-unsigned evidence.json.p7s']);
  });
});
