import { request as ask, createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { MotoProxy } from './moto-proxy.ts';
import type { S3Server } from './s3-server.ts';

export interface Front {
  readonly url: string;
  close(): Promise<void>;
}

/**
 * One address for an account: objects and listings come from the test server, which is quicker than moto and can change
 * them, what is configured comes from moto. `logs` is the one bucket that both know.
 */
export async function startFront(store: S3Server, rest: MotoProxy, logs: string): Promise<Front> {
  const server = createServer((request, response) => forward(request, response, isContent(request) ? store : rest));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };

  function isContent({ url = '/', headers }: IncomingMessage): boolean {
    if (headers['x-amz-target'] !== undefined) return false;
    const { pathname, searchParams } = new URL(url, 'http://front');
    const [bucket = '', ...key] = pathname.slice(1).split('/');
    if (bucket !== logs) return store.has(bucket);
    return key.join('/') !== '' || searchParams.has('list-type') || searchParams.has('versions');
  }
}

function forward(request: IncomingMessage, response: ServerResponse, { url }: { readonly url: string }): void {
  const { method, headers } = request;
  const asked = ask(new URL(request.url ?? '/', url), { method, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
  });
  asked.on('error', (error) => response.destroy(error));
  request.pipe(asked);
}
