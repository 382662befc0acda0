import { spawn } from 'node:child_process';
import { onPath } from './on-path.ts';

/** moto's one account. */
export const MOTO_ACCOUNT = '123456789012';

export interface Moto {
  readonly url: string;
  /** Back to an empty account. */
  reset(): Promise<void>;
  stop(): Promise<void>;
}

export const motoInstalled = (): boolean => onPath('moto_server');

/** A moto_server of one's own on the loopback. It chooses the port itself: one found free for it may be taken before. */
export async function startMoto(): Promise<Moto> {
  const server = spawn('moto_server', ['-H', '127.0.0.1', '-p', '0'], { stdio: ['ignore', 'ignore', 'pipe'] });
  const url = await new Promise<string>((resolve, reject) => {
    let told = '';
    const tooLate = setTimeout(() => {
      server.kill('SIGKILL');
      reject(new Error(`moto_server did not become ready: ${told}`));
    }, 60_000);
    const never = (why: Error) => {
      clearTimeout(tooLate);
      reject(why);
    };
    server.stderr.setEncoding('utf8').on('data', (part: string) => {
      told += part;
      const [, found] = /Running on (http:\/\/127\.0\.0\.1:\d+)\s/.exec(told) ?? [];
      if (found === undefined) return;
      clearTimeout(tooLate);
      // A pipe that nobody empties would stop it.
      server.stderr.removeAllListeners('data').resume();
      resolve(found);
    });
    server.once('error', never);
    server.once('exit', (code) => never(new Error(`moto_server ended with ${code}: ${told}`)));
  });
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
