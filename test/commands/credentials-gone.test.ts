import { chmodSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { formatTime, HOUR } from '../../src/chain/location.ts';
import { trail } from '../../src/demo/trail.ts';
import { servedKeys } from '../support/built-on-s3.ts';
import { parseJsonl, runCli } from '../support/run-cli.ts';
import { type Fault, startS3Server } from '../support/s3-server.ts';
import { serve } from '../support/served-trail.ts';
import { tempDir } from '../support/temp.ts';

const HOURS = 24;
const built = trail().hours(HOURS).logs(2).build();
const LOGS = /\/CloudTrail\//;
const DIGESTS = /CloudTrail-Digest\//;
const expired = (code = 'ExpiredToken', status = 400) => ({ status, code });

describe('credentials that are gone end the run with what is proven', () => {
  it.each<[string, Fault]>([
    ['ExpiredToken on a log', { operation: 'GetObject', key: LOGS, after: 20, answer: expired() }],
    [
      'ExpiredTokenException',
      { operation: 'GetObject', key: LOGS, after: 20, answer: expired('ExpiredTokenException') },
    ],
    ['InvalidToken', { operation: 'GetObject', key: LOGS, after: 20, answer: expired('InvalidToken') }],
    ['RequestExpired', { operation: 'GetObject', key: LOGS, after: 20, answer: expired('RequestExpired', 403) }],
    ['a key withdrawn', { operation: 'GetObject', key: LOGS, after: 20, answer: expired('InvalidAccessKeyId', 403) }],
    ['ExpiredToken on a digest', { operation: 'GetObject', key: DIGESTS, after: 12, answer: expired() }],
  ])('%s: one finding, exit 3', async (_, fault) => {
    const { server, verify } = await serve(built);
    server.fault(fault);
    const { code, findings, summary, out } = await verify('--concurrency', '4');
    expect({ code, complete: summary.complete }).toEqual({ code: 3, complete: false });
    expect(findings.map(({ control }) => control)).toEqual(['run-interrupted']);
    const [told] = findings;
    expect(told?.message).toContain('the credentials are not accepted any more');
    expect(told?.message).toMatch(/not reached: 123456789012 us-east-1 audit after 2026-\S+Z/);
    expect(told?.remedy).toContain('Renew the credentials');
    expect(summary.verdicts['digest-signed']).toBeGreaterThan(0);
    expect(summary.verdicts['log-intact']).toBeGreaterThan(0);
    expect(Object.keys(summary.verdicts).filter((kind) => /error|unread|missing|gap|stale/.test(kind))).toEqual([]);
    // The range of which everything was told: through the hour after which the rest begins.
    const [, through] = / after (\S+Z)/.exec(told?.message ?? '') ?? [];
    const from = formatTime(built.range.start);
    expect(summary.chains).toMatchObject([{ digests: summary.verdicts['digest-signed'], from, to: through }]);
    expect(summary.chains[0]?.coverage).toEqual([{ from, to: through, state: 'proven' }]);
    expect(out).not.toContain('log-error');
  });

  it.each<[string, Fault]>([
    ['a listing of folders', { operation: 'ListObjectsV2', answer: expired() }],
    ['a listing of years', { operation: 'ListObjectsV2', after: 5, answer: expired() }],
    ['a listing of digests', { operation: 'ListObjectsV2', after: 6, answer: expired() }],
    ['a listing of versions', { operation: 'ListObjectVersions', answer: expired() }],
    ['the public keys', { operation: 'ListPublicKeys', answer: expired('ExpiredTokenException') }],
  ])('during %s', async (_, fault) => {
    const { server, verify } = await serve(built);
    server.fault(fault);
    const { code, findings, summary } = await verify();
    expect({ code, complete: summary.complete }).toEqual({ code: 3, complete: false });
    expect(findings.map(({ control }) => control)).toEqual(['run-interrupted']);
    expect(findings[0]?.message).toContain('not reached: ');
  });

  it('after a chain is over, leave its counts as they are', async () => {
    const { server, verify } = await serve(built);
    server.fault({ operation: 'ListObjectVersions', answer: expired() });
    const { code, summary, findings } = await verify();
    expect(code).toBe(3);
    const { 'digest-signed': digests, 'log-intact': logs } = summary.verdicts;
    expect(summary.chains).toMatchObject([{ digests, logs }]);
    expect(findings[0]?.message).not.toMatch(/not reached: .*audit after/);
  });

  describe.each([['UnrecognizedClientException'], ['InvalidClientTokenId']])('%s from CloudTrail', (code) => {
    const refusal = { status: 400, code };
    const identity = {
      status: 403,
      body: '<ErrorResponse><Error><Code>InvalidClientTokenId</Code><Message>no</Message></Error></ErrorResponse>',
    };
    const known =
      '<GetCallerIdentityResponse><GetCallerIdentityResult><Account>123456789012</Account></GetCallerIdentityResult></GetCallerIdentityResponse>';
    const arn = 'arn:aws:cloudtrail:us-east-1:123456789012:trail/audit';

    it.each([
      ['ListPublicKeys', []],
      ['DescribeTrails', ['--trail-arn', arn]],
    ])('to %s ends the run where the credentials are not known at all', async (operation, more) => {
      const { server, verify } = await serve(built);
      server.fault({ operation, answer: refusal });
      server.fault({ operation: 'Write', answer: identity });
      const { code: exit, findings } = await verify(...more);
      expect({ exit, kinds: findings.map(({ control }) => control) }).toEqual({ exit: 3, kinds: ['run-interrupted'] });
      expect(findings[0]?.message).toContain('the credentials are not accepted any more');
      expect(findings[0]?.message).toContain(code);
    });

    it.each([
      ['who can be asked for it', { status: 200, body: known }],
      [
        'though nobody can be asked',
        { status: 403, body: '<ErrorResponse><Error><Code>AccessDenied</Code></Error></ErrorResponse>' },
      ],
    ])('is of that Region alone where the credentials are good, %s', async (_name, answer) => {
      const { server, verify } = await serve(built);
      server.fault({ operation: 'ListPublicKeys', answer: refusal });
      server.fault({ operation: 'Write', answer });
      const { code: exit, summary } = await verify();
      expect(exit).toBe(3);
      expect(summary.verdicts).toMatchObject({ 'digest-key-unknown': HOURS });
      expect(summary.verdicts).not.toHaveProperty('run-interrupted');
    });
  });

  it('the rest is not asked for', async () => {
    const { server, verify } = await serve(trail().hours(240).logs(2).build());
    server.fault({ operation: 'GetObject', key: LOGS, after: 20, answer: expired() });
    await verify('--concurrency', '4');
    expect(server.requests.filter(({ key }) => LOGS.test(key)).length).toBeLessThan(100);
  });

  it('a failure before it still fails the run', async () => {
    const { server, verify } = await serve(trail().hours(HOURS).logs(2).alterLog(3).build());
    server.fault({ operation: 'GetObject', key: LOGS, after: 20, answer: expired() });
    const { code, findings } = await verify('--concurrency', '4');
    expect({ code, kinds: findings.map(({ control }) => control) }).toEqual({
      code: 1,
      kinds: ['log-altered', 'run-interrupted'],
    });
  });

  it('trails whose bucket cannot be asked for any more are one finding', async () => {
    const { server, verify } = await serve(built);
    server.fault({ operation: 'DescribeTrails', answer: expired('ExpiredTokenException') });
    const arns = ['one', 'two'].flatMap((name) => [
      '--trail-arn',
      `arn:aws:cloudtrail:us-east-1:123456789012:trail/${name}`,
    ]);
    const { code, findings } = await verify(...arns);
    expect({ code, kinds: findings.map(({ control }) => control) }).toEqual({ code: 3, kinds: ['run-interrupted'] });
    expect(findings[0]?.message).toMatch(/trail\/one, .*trail\/two/);
  });

  it('refreshed credentials go on unseen', async () => {
    vi.stubEnv('AWS_ACCESS_KEY_ID', undefined);
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', undefined);
    const folder = tempDir();
    const script = join(folder, 'credentials.sh');
    const answer = '{"Version":1,"AccessKeyId":"call%d","SecretAccessKey":"s","SessionToken":"t"}';
    // As long as the file is not there the first session lives on.
    writeFileSync(script, `#!/bin/sh\n[ -e ${folder}/over ] && n=2 || n=1\nprintf '${answer}' $n\n`);
    chmodSync(script, 0o700);
    writeFileSync(join(folder, 'config'), `[profile turning]\ncredential_process = ${script}\nregion = us-east-1\n`);
    vi.stubEnv('AWS_CONFIG_FILE', join(folder, 'config'));
    vi.stubEnv('AWS_SHARED_CREDENTIALS_FILE', join(folder, 'none'));
    const { server, verify } = await serve(built);
    server.fault({ operation: 'GetObject', key: LOGS, after: 20, accessKeyId: 'call1', answer: expired() });
    const over = setInterval(() => {
      if (server.count('GetObject') > 10) writeFileSync(join(folder, 'over'), '');
    }, 1);
    const { code, findings } = await verify('--profile', 'turning', '--concurrency', '4');
    clearInterval(over);
    vi.unstubAllEnvs();
    expect({ code, findings }).toEqual({ code: 0, findings: [] });
    expect(new Set(server.requests.map(({ accessKeyId }) => accessKeyId))).toContain('call2');
  });
});

describe('the checkpoint', () => {
  const hour = (n: number) => formatTime(built.range.start + n * HOUR);

  it('goes no further than the last digest of which everything was proven, and the next run goes on from there', async () => {
    const state = tempDir();
    const server = await startS3Server({
      buckets: { [built.bucket]: { objects: Object.fromEntries(built.objects) } },
      publicKeys: servedKeys(built),
    });
    const night = async (...more: string[]) => {
      const where = ['--s3-bucket', built.bucket, '--endpoint-url', server.url, '--checkpoint', state, '--quiet'];
      const when = ['--now', hour(HOURS + 1), '--output', 'jsonl=-', '--concurrency', '4'];
      const { code, out } = await runCli(['verify', ...where, ...when, ...more]);
      return { code, ...parseJsonl(out) };
    };
    const folder = join(state, '123456789012/us-east-1');
    const kept = () => JSON.parse(readFileSync(join(folder, readdirSync(folder)[0] ?? ''), 'utf8'));
    try {
      server.fault({ operation: 'GetObject', key: LOGS, after: 21, answer: expired() });
      const first = await night('--init-checkpoint');
      expect(first.code).toBe(3);
      const logs = first.summary.verdicts['log-intact'] ?? 0;
      const { digest, totals } = kept() as { digest: { endTime: string }; totals: { logs: number } };
      // Two logs a digest: of the last one begun not everything was told.
      expect(totals.logs).toBeLessThanOrEqual(logs);
      expect(totals.logs).toBeGreaterThan(logs - 4);
      expect(digest.endTime < hour(HOURS)).toBe(true);
      server.healed();
      const second = await night();
      expect({ code: second.code, continuous: second.summary.verdicts['checkpoint-continuous'] }).toEqual({
        code: 0,
        continuous: 1,
      });
      expect(kept()).toMatchObject({ digest: { endTime: hour(HOURS) }, totals: { logs: HOURS * 2 } });
    } finally {
      await server.close();
    }
  });
});
