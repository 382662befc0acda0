import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, type TestContext } from 'vitest';
import { formatTime, HOUR } from '../../src/chain/location.ts';
import { trail } from '../../src/demo/trail.ts';
import { readJunit } from '../report/junit-reader.ts';
import { servedKeys } from '../support/built-on-s3.ts';
import { parseJsonl } from '../support/run-cli.ts';
import { type Fault, type S3Server, startS3Server } from '../support/s3-server.ts';
import { tempDir } from '../support/temp.ts';

const BIN = fileURLToPath(new URL('../../bin/trailseal.js', import.meta.url));
const built = trail().hours(48).logs(2).build();

// The runs wait more than they work: they wait side by side, each with a server and a folder of its own.

interface Started {
  readonly server: S3Server;
  readonly directory: string;
  readonly process: ChildProcess;
  /** So far. */
  readonly said: { readonly out: string; readonly err: string };
  /** Resolves when the process has ended. */
  readonly ended: Promise<{ code: number | null; signal: string | null; out: string; err: string; ms: number }>;
}

/** Over a bucket of which the logs answer late or never. */
async function start(test: TestContext, answer: 'hang' | { delayMs: number }, ...more: string[]): Promise<Started> {
  const server = await startS3Server({
    buckets: { [built.bucket]: { objects: Object.fromEntries(built.objects) } },
    publicKeys: servedKeys(built),
  });
  test.onTestFinished(() => server.close());
  server.fault({ operation: 'GetObject', key: /\/CloudTrail\//, after: 20, answer });
  return launch(test, server, ['verify', '--s3-bucket', built.bucket, '--concurrency', '8'], ...more);
}

function launch(test: TestContext, server: S3Server, command: readonly string[], ...more: string[]): Started {
  const range = ['--start-time', formatTime(built.range.start), '--end-time', formatTime(built.range.end)];
  const reports = ['--now', formatTime(built.range.end + HOUR), '--output', 'jsonl=-', '--output', 'junit=report.xml'];
  return bare(test, server, [...command, ...range, ...reports, ...more]);
}

/** The built command as a user starts it. */
function bare(test: TestContext, server: S3Server, command: readonly string[]): Started {
  const directory = tempDir(test.onTestFinished);
  const argv = [...command, '--endpoint-url', server.url];
  const began = Date.now();
  const child = spawn(process.execPath, [BIN, ...argv], { cwd: directory, stdio: ['ignore', 'pipe', 'pipe'] });
  test.onTestFinished(() => {
    child.kill('SIGKILL');
  });
  const said = { out: '', err: '' };
  child.stdout.on('data', (chunk) => {
    said.out += chunk;
  });
  child.stderr.on('data', (chunk) => {
    said.err += chunk;
  });
  const ended = once(child, 'close').then(([code, signal]) => ({ code, signal, ...said, ms: Date.now() - began }));
  return { server, directory, process: child, said, ended };
}

/** Until so many log files were asked for, so that there is something to tell and something under way. */
async function asked({ server }: Started, logs: number): Promise<void> {
  const count = () => server.requests.filter(({ key }) => key.includes('/CloudTrail/')).length;
  while (count() < logs) await new Promise((resolve) => setTimeout(resolve, 10));
}

function expectWholePartialReports(directory: string, out: string, exitCode: number, reason: string): void {
  const { summary, findings } = parseJsonl(out);
  expect(summary).toMatchObject({ complete: false, exitCode, verdicts: { 'run-interrupted': 1 } });
  expect(summary.verdicts['log-intact']).toBeGreaterThan(0);
  expect(summary.verdicts['log-altered']).toBeUndefined();
  expect(summary.verdicts['log-missing']).toBeUndefined();
  expect(findings.find(({ control }) => control === 'run-interrupted')?.message).toContain(reason);
  const [chain] = summary.chains;
  expect(chain?.from).toBe(formatTime(built.range.start));
  expect(chain?.to !== null && chain !== undefined && chain.to < formatTime(built.range.end)).toBe(true);
  const { cases } = readJunit(readFileSync(join(directory, 'report.xml'), 'utf8'));
  expect(cases.find(({ name }) => name === 'run.completed')?.outcome).toBe('error');
  expect(readdirSync(directory)).toEqual(['report.xml']);
}

describe.concurrent('a run that is stopped writes whole reports of what it has', () => {
  describe.each([
    ['late', { delayMs: 1500 }],
    ['never', 'hang'],
  ] as const)('while the store answers %s', (_when, answer) => {
    it.for([
      ['SIGINT', 130],
      ['SIGTERM', 143],
    ] as const)('on %s, with exit code %d', async ([signal, code], test) => {
      const run = await start(test, answer);
      await asked(run, 24);
      run.process.kill(signal);
      const ended = await run.ended;
      expect({ code: ended.code, signal: ended.signal }).toEqual({ code, signal: null });
      expectWholePartialReports(run.directory, ended.out, code, signal);
      expect(ended.err).toContain('once more to end at once');
    });

    it('at the deadline, with exit code 3', async (test) => {
      const run = await start(test, answer, '--deadline', '5s');
      const ended = await run.ended;
      expect(ended.code).toBe(3);
      expectWholePartialReports(run.directory, ended.out, 3, 'the deadline of 5s');
    });
  });

  it('and a second signal ends it at once', async (test) => {
    const run = await start(test, 'hang');
    await asked(run, 24);
    run.process.kill('SIGINT');
    // Of two signals at once the process sees one.
    while (!run.said.err.includes('once more')) await new Promise((resolve) => setTimeout(resolve, 10));
    run.process.kill('SIGINT');
    const ended = await run.ended;
    // By the signal itself: a run that ends in order has an exit code.
    expect(ended.signal ?? ended.code).toBe('SIGINT');
  });
});

describe.concurrent('a store that never answers, before anything is judged', () => {
  const ARN = 'arn:aws:cloudtrail:us-east-1:123456789012:trail/audit';
  const bucket = ['verify', '--s3-bucket', built.bucket];
  const byTrail = ['verify', '--trail-arn', ARN];
  const state = [...bucket, '--checkpoint', 's3://audit-state/here', '--init-checkpoint'];
  const HANGING: readonly [string, string[], Fault][] = [
    ['HeadBucket', bucket, { operation: 'HeadBucket', answer: 'hang' }],
    ['ListObjectsV2', bucket, { operation: 'ListObjectsV2', answer: 'hang' }],
    ['ListObjectVersions', bucket, { operation: 'ListObjectVersions', answer: 'hang' }],
    ['ListPublicKeys', bucket, { operation: 'ListPublicKeys', answer: 'hang' }],
    ['DescribeTrails', byTrail, { operation: 'DescribeTrails', answer: 'hang' }],
    ['GetTrailStatus', byTrail, { operation: 'GetTrailStatus', answer: 'hang' }],
    ['the checkpoints', state, { bucket: 'audit-state', answer: 'hang' }],
    ['everything', bucket, { answer: 'hang' }],
    ['everything, of audit', ['audit', '--s3-bucket', built.bucket], { answer: 'hang' }],
  ];

  async function silent(test: TestContext, fault: Fault): Promise<S3Server> {
    const server = await startS3Server({
      buckets: { [built.bucket]: { objects: Object.fromEntries(built.objects) }, 'audit-state': {} },
      publicKeys: servedKeys(built),
      trails: [
        {
          Name: 'audit',
          TrailARN: ARN,
          S3BucketName: built.bucket,
          HomeRegion: 'us-east-1',
          IsMultiRegionTrail: false,
          IsOrganizationTrail: false,
          LogFileValidationEnabled: true,
        },
      ],
    });
    test.onTestFinished(() => server.close());
    server.fault(fault);
    return server;
  }

  async function hang(test: TestContext, command: readonly string[], fault: Fault, ...more: string[]) {
    return launch(test, await silent(test, fault), command, ...more);
  }

  /** Until the operation that hangs was asked for. */
  async function stuck({ server }: Started, { operation, bucket: name }: Fault): Promise<void> {
    const isIt = (asked: { operation: string; bucket: string }) =>
      (operation ?? asked.operation) === asked.operation && (name ?? asked.bucket) === asked.bucket;
    while (!server.requests.some(isIt)) await new Promise((resolve) => setTimeout(resolve, 10));
  }

  function expectReports({ directory }: Started, out: string, exitCode: number): void {
    const { summary, findings } = parseJsonl(out);
    expect(summary).toMatchObject({ complete: false, exitCode, verdicts: { 'run-interrupted': 1 } });
    const found = findings.filter(({ kind }) => kind === 'integrity').map(({ control }) => control);
    expect(found).toEqual(['run-interrupted']);
    expect(findings.find(({ control }) => control === 'run-interrupted')?.message).toContain('not reached: ');
    const { cases } = readJunit(readFileSync(join(directory, 'report.xml'), 'utf8'));
    expect(cases.find(({ name }) => name === 'run.completed')?.outcome).toBe('error');
  }

  it.for(HANGING)('%s: the first signal ends it, with whole reports', async ([_name, command, fault], test) => {
    const run = await hang(test, command, fault);
    await stuck(run, fault);
    const at = Date.now();
    run.process.kill('SIGINT');
    const ended = await run.ended;
    expect({ code: ended.code, signal: ended.signal }).toEqual({ code: 130, signal: null });
    expect(Date.now() - at).toBeLessThan(20_000);
    expectReports(run, ended.out, 130);
  });

  it.for(HANGING.filter(([name]) => /Head|Describe|everything/.test(name)))(
    '%s: so does the deadline',
    async ([_name, command, fault], test) => {
      const run = await hang(test, command, fault, '--deadline', '2s');
      const ended = await run.ended;
      expect(ended.code).toBe(3);
      expect(ended.ms).toBeLessThan(20_000);
      expectReports(run, ended.out, 3);
    },
  );

  it('checkpoints that cannot be kept for want of an answer do not hold up the end', async (test) => {
    const fault: Fault = { operation: 'PutObject', answer: 'hang' };
    const run = await hang(test, state, fault);
    await stuck(run, fault);
    run.process.kill('SIGINT');
    const ended = await run.ended;
    expect(ended.ms).toBeLessThan(20_000);
    expect(ended.err).toContain('the checkpoints may not have been written');
    expect(ended.code).not.toBe(0);
    expect(parseJsonl(ended.out).summary.complete).toBe(true);
  });

  it('a timestamp authority that does not answer does not either, and the evidence says that it lacks one', async (test) => {
    const authority = createServer(() => undefined);
    await new Promise<void>((resolve) => authority.listen(0, '127.0.0.1', resolve));
    test.onTestFinished(() => authority.closeAllConnections());
    test.onTestFinished(() => void authority.close());
    const tsa = `http://127.0.0.1:${(authority.address() as AddressInfo).port}/`;
    const isAsked = once(authority, 'request');
    const run = await hang(test, [...bucket, '--evidence', 'evidence', '--tsa', tsa], { times: 0, answer: 'hang' });
    await isAsked;
    const at = Date.now();
    run.process.kill('SIGINT');
    const { code, out, err } = await run.ended;
    expect(Date.now() - at).toBeLessThan(10_000);
    expect({ code, exitCode: parseJsonl(out).summary.exitCode }).toEqual({ code: 3, exitCode: 3 });
    expect(err).toContain('could not be asked: the run was to end');
    const manifest = JSON.parse(readFileSync(join(run.directory, 'evidence', 'evidence.json'), 'utf8'));
    expect(manifest).toMatchObject({ exitCode: 3, verdicts: { 'run-unrecorded': 1 } });
  });

  it.for([[['fetch', 'copy', '--trail-arn', ARN]], [['verify-query-results', '--s3-bucket', built.bucket]]])(
    '%j ends too',
    async ([command = []], test) => {
      const fault: Fault = { answer: 'hang' };
      const run = bare(test, await silent(test, fault), command);
      await stuck(run, fault);
      run.process.kill('SIGINT');
      expect((await run.ended).code).toBe(130);
    },
  );

  it.for([
    ['SIGINT', 130, ['keys', 'keys.json', '--region', 'us-east-1']],
    ['SIGTERM', 143, ['keys', 'keys.json', '--s3-bucket', built.bucket]],
    ['SIGTERM', 143, ['init', '--region', 'us-east-1']],
    ['SIGTERM', 143, ['doctor', '--region', 'us-east-1']],
    ['SIGINT', 130, ['status', '--checkpoint', 's3://audit-state/here']],
  ] as const)('%s ends with %d, and leaves nothing behind: %j', async ([signal, code, command], test) => {
    const fault: Fault = { answer: 'hang' };
    const run = bare(test, await silent(test, fault), command);
    await stuck(run, fault);
    const at = Date.now();
    run.process.kill(signal);
    const ended = await run.ended;
    expect({ code: ended.code, signal: ended.signal }).toEqual({ code, signal: null });
    // Much less than any time-out of the SDK, and more than it takes on a busy machine.
    expect(Date.now() - at).toBeLessThan(10_000);
    expect(readdirSync(run.directory)).toEqual([]);
    const said = ended.out + ended.err;
    expect(said).toContain(/keys|init/.test(command[0]) ? 'the run was cut short' : `exit code  ${code}: `);
  });
});

it('a reader of the output that leaves early changes nothing', async (test) => {
  const run = await start(test, { delayMs: 1 }, '--verbose');
  run.process.stdout?.destroy();
  const ended = await run.ended;
  expect(ended.code).toBe(0);
  expect(ended.err).not.toContain('EPIPE');
  expect(readdirSync(run.directory)).toEqual(['report.xml']);
});
