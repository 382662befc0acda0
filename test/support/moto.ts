import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { createServer } from 'node:net';

/** moto's one account. */
export const MOTO_ACCOUNT = '123456789012';

export interface Moto {
  readonly url: string;
  /** Back to an empty account. */
  reset(): Promise<void>;
  stop(): Promise<void>;
}

export const motoInstalled = (): boolean => spawnSync('moto_server', ['--help'], { stdio: 'ignore' }).status === 0;

/** A moto_server of one's own on a free port of the loopback. */
export async function startMoto(): Promise<Moto> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const server = spawn('moto_server', ['-H', '127.0.0.1', '-p', String(port)], { stdio: 'ignore' });
  await untilReady(url, server);
  return {
    url,
    async reset() {
      await fetch(`${url}/moto-api/reset`, { method: 'POST' });
    },
    stop: () =>
      new Promise((resolve) => {
        server.once('exit', () => resolve());
        server.kill('SIGTERM');
      }),
  };
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() =>
        typeof address === 'object' && address ? resolve(address.port) : reject(new Error('no port')),
      );
    });
  });
}

async function untilReady(url: string, server: ChildProcess): Promise<void> {
  for (let attempt = 0; attempt < 150; attempt += 1) {
    if (server.exitCode !== null) throw new Error(`moto_server ended with ${server.exitCode}`);
    const answer = await fetch(`${url}/moto-api/data.json`).catch(() => null);
    if (answer?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  server.kill('SIGKILL');
  throw new Error('moto_server did not become ready');
}
