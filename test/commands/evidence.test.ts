import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { writeBundle } from '../../src/evidence/bundle.ts';
import { loadSigner } from '../../src/evidence/cms.ts';
import { hasOpenssl, selfSigned } from '../evidence/openssl.ts';
import { runCli } from '../support/run-cli.ts';

let root: string;
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'trailseal-evidence-cli-'));
});
afterAll(() => rmSync(root, { recursive: true }));

async function bundle(pair?: { key: string; cert: string }): Promise<string> {
  const directory = mkdtempSync(join(root, 'case-'));
  writeFileSync(join(directory, 'findings.jsonl'), '{}\n');
  await writeBundle({
    directory,
    run: {
      tool: 'trailseal',
      version: '0.1.0',
      command: 'verify',
      arguments: {},
      window: null,
      clock: '2026-03-02T06:00:00Z',
      identity: null,
      inputs: {},
    },
    summary: {
      complete: true,
      exitCode: 1,
      outcomes: { pass: 1, fail: 1, inconclusive: 0, 'not-applicable': 0, waived: 0 },
      verdicts: {},
      chains: [],
      requests: { list: 0, get: 0, bytes: 0 },
      elapsedMs: 0,
    },
    signedAt: Date.now() + 60_000,
    enclosures: [{ path: join(directory, 'findings.jsonl'), role: 'output', name: 'jsonl' }],
    ...(pair ? { signer: loadSigner(readFileSync(pair.key, 'utf8'), readFileSync(pair.cert, 'utf8')) } : {}),
  });
  return directory;
}

it('an intact bundle of a failed run: the bundle is whole, and the run is told', async () => {
  const { code, out } = await runCli(['evidence', 'verify', await bundle()]);
  expect(out).toContain('exit code 1');
  expect(code).toBe(0);
});

it('an altered file fails', async () => {
  const directory = await bundle();
  appendFileSync(join(directory, 'findings.jsonl'), ' ');
  const { code, out } = await runCli(['evidence', 'verify', directory]);
  expect(code).toBe(1);
  expect(out).toContain('findings.jsonl');
});

it.skipIf(!hasOpenssl)('a signature that was demanded', async () => {
  const pair = selfSigned(root, 'auditee');
  const stranger = selfSigned(root, 'stranger');
  const signed = await bundle(pair);
  expect(await runCli(['evidence', 'verify', signed, '--trust', pair.cert])).toMatchObject({
    code: 0,
    out: expect.stringContaining('signed by CN=auditee'),
  });
  expect(await runCli(['evidence', 'verify', signed, '--trust', stranger.cert])).toMatchObject({ code: 1 });
  expect(await runCli(['evidence', 'verify', await bundle(), '--trust', pair.cert])).toMatchObject({ code: 1 });
});

it.each<[string[], string]>([
  [['evidence'], 'Not enough non-option arguments'],
  [['evidence', 'verify'], 'Not enough non-option arguments'],
  [['evidence', 'verfy', 'x'], 'Invalid values'],
  [['evidence', 'verify', 'x', '--trust', 'nowhere.pem'], '--trust nowhere.pem'],
  [['evidence', 'verify', 'x', '--trsut', 'a'], 'did you mean --trust'],
])('%j is a usage error', async (argv, message) => {
  expect(await runCli(argv)).toMatchObject({ code: 2, err: expect.stringContaining(message) });
});
