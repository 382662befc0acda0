import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { awsSettings } from '../../src/commands/aws-settings.ts';
import { runCli } from '../support/run-cli.ts';
import { tempDir } from '../support/temp.ts';

beforeEach(() => {
  const directory = tempDir();
  const [config, credentials] = [join(directory, 'config'), join(directory, 'credentials')];
  writeFileSync(
    config,
    '[default]\nregion = eu-west-1\n[profile audit]\n[ profile "two words" ]\n[sso-session acme]\n',
  );
  writeFileSync(credentials, '[keys]\naws_access_key_id = x\n');
  vi.stubEnv('AWS_CONFIG_FILE', config);
  vi.stubEnv('AWS_SHARED_CREDENTIALS_FILE', credentials);
});
afterEach(() => {
  vi.unstubAllEnvs();
});

describe('a profile', () => {
  it.each(['default', 'audit', 'two words', 'keys'])('%s is known', (profile) => {
    expect(awsSettings({ profile })).toEqual({ profile });
  });
  it.each(['nope', 'acme', 'profile audit', 'Audit'])('%s is none', (profile) => {
    expect(() => awsSettings({ profile })).toThrow(`--profile ${profile}: there is no profile of this name in`);
  });
  it('that is misspelt is told its nearest', () => {
    expect(() => awsSettings({ profile: 'adit' })).toThrow('did you mean audit?');
  });
});

it.each(['foo', 'ftp://host', 'http://', 'https:///path', 'host:9000', '//host'])(
  '%s is no endpoint',
  (endpointUrl) => {
    expect(() => awsSettings({ endpointUrl })).toThrow(
      `--endpoint-url ${endpointUrl}: expected an http or https address`,
    );
  },
);

it.each(['http://127.0.0.1:9000', 'https://[::1]:9000/path', 'HTTPS://minio'])('%s is one', (endpointUrl) => {
  expect(awsSettings({ endpointUrl })).toEqual({ endpointUrl });
});

describe.each([
  ['--endpoint-url', 'foo'],
  ['--profile', 'nope'],
])('%s %s is a usage error of every command', (...wrong) => {
  it.each([
    ['verify', '--s3-bucket', 'logs'],
    ['verify', '--trail-arn', 'arn:aws:cloudtrail:eu-west-1:111122223333:trail/audit'],
    ['posture', '--output', 'jsonl=-'],
    ['audit'],
    ['doctor', '--output', 'jsonl=-'],
    ['init', '--file', '-'],
    ['keys', 'nowhere/keys.json', '--region', 'eu-west-1'],
    ['fetch', 'nowhere/copy', '--s3-bucket', 'logs'],
    ['status', '--checkpoint', 's3://state/here', '--max-age', '1d'],
    ['verify-query-results', '--s3-bucket', 'results'],
  ])('%s', async (...argv) => {
    const { code, out, err } = await runCli([...argv, ...wrong]);
    expect({ code, out, err }).toMatchObject({ code: 2, out: '', err: expect.stringContaining(wrong.join(' ')) });
    expect(err).not.toContain('    at ');
  });
});
