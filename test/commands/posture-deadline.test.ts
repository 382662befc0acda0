import { createServer } from 'node:http';
import { expect, test } from 'vitest';
import { runCli } from '../support/run-cli.ts';

test('a deadline ends what AWS does not answer: nothing passed, nothing failed', async ({ onTestFinished }) => {
  const server = createServer((_, answer) => {
    // The head of an answer, and then a byte now and then, so that no silence ends it.
    answer.writeHead(200, { 'content-type': 'application/x-amz-json-1.1' });
    const drip = setInterval(() => answer.write(' '), 50);
    answer.on('close', () => clearInterval(drip));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => server.closeAllConnections());
  onTestFinished(() => void server.close());
  const { port } = server.address() as { port: number };
  const started = performance.now();
  const where = ['--endpoint-url', `http://127.0.0.1:${port}`, '--region', 'us-east-1', '--output', 'jsonl=-'];
  const { code, out } = await runCli(['posture', ...where, '--deadline', '1s'], {
    env: { AWS_ACCESS_KEY_ID: 'k', AWS_SECRET_ACCESS_KEY: 's', AWS_CONFIG_FILE: '/dev/null' },
  });
  const summary = JSON.parse(out.trim().split('\n').at(-1) ?? '{}');
  expect(code).toBe(3);
  expect(summary.outcomes).toMatchObject({ pass: 0, fail: 0 });
  expect(summary.outcomes.inconclusive).toBeGreaterThan(20);
  expect(summary.complete).toBe(false);
  expect(out).toContain('"code":"Interrupted"');
  // Without it a dripping answer is waited for as long as it drips.
  expect(performance.now() - started).toBeLessThan(20_000);
});
