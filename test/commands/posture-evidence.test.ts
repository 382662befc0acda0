import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { hasOpenssl, selfSigned } from '../evidence/openssl.ts';
import { runCli } from '../support/run-cli.ts';
import { snapshot } from '../support/snapshot.ts';
import { tempDir } from '../support/temp.ts';

function saved(): { file: string; directory: string; bundle: string } {
  const directory = tempDir();
  const file = join(directory, 'march.json');
  writeFileSync(file, JSON.stringify(snapshot()));
  return { file, directory, bundle: join(directory, 'evidence') };
}

const manifestIn = (bundle: string) => JSON.parse(readFileSync(join(bundle, 'evidence.json'), 'utf8'));

it('posture leaves a bundle with the snapshot and the config it judged', async () => {
  const { file, directory, bundle } = saved();
  const config = join(directory, 'trailseal.yaml');
  writeFileSync(config, 'regime: pci\n');
  await runCli(['posture', '--snapshot', file, '--config', config, '--evidence', bundle]);
  const manifest = manifestIn(bundle);
  expect(manifest.command).toBe('posture');
  expect(manifest.files.map(({ role, name, path }: Record<string, string>) => [role, name, path])).toEqual([
    ['output', 'jsonl', 'findings.jsonl'],
    ['input', 'snapshot', 'inputs/march.json'],
    ['input', 'config', 'inputs/trailseal.yaml'],
    ['output', 'html', 'report.html'],
  ]);
  expect(readFileSync(join(bundle, 'inputs/march.json'))).toEqual(readFileSync(file));
  expect((await runCli(['evidence', 'verify', bundle])).code).toBe(0);
});

it.skipIf(!hasOpenssl)('posture signs it', async () => {
  const { file, directory, bundle } = saved();
  const { key, cert } = selfSigned(directory, 'auditee');
  await runCli(['posture', '--snapshot', file, '--evidence', bundle, '--sign-key', key, '--sign-cert', cert]);
  expect((await runCli(['evidence', 'verify', bundle, '--trust', cert])).code).toBe(0);
});

it('a key that cannot sign is told before anything is judged', async () => {
  const { file, bundle } = saved();
  const signing = ['--evidence', bundle, '--sign-key', 'nowhere.key', '--sign-cert', 'nowhere.pem'];
  const { code, out, err } = await runCli(['posture', '--snapshot', file, ...signing]);
  expect({ code, out, err }).toMatchObject({
    code: 2,
    out: '',
    err: expect.stringContaining('--sign-key nowhere.key'),
  });
});
