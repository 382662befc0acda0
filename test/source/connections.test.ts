import { execFile, execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { createServer as createTlsServer } from 'node:tls';
import { afterEach, describe, expect, test } from 'vitest';
import { Connections, type PlainAnswer } from '../../src/source/s3/connections.ts';
import { onPath } from '../support/on-path.ts';
import { fc, runs } from '../support/property.ts';
import { tempDir } from '../support/temp.ts';

const HEADERS = { host: 'logs.example', 'x-amz-date': '20260301T000000Z' };
/** Where silence is meant; elsewhere a busy machine must not be taken for a silent store. */
const IDLE_MS = 1000;
const PATIENT_MS = 60_000;
const turn = () => new Promise((resolve) => setImmediate(resolve));

const open: { close(): void }[] = [];
afterEach(() => {
  for (const one of open.splice(0)) one.close();
});

/** A server that says what `answer` does to each request, and what it was asked on which connection. */
async function serve(answer: (socket: Socket, request: string, n: number) => void, idleMs = PATIENT_MS) {
  const sockets = new Set<Socket>();
  const requests: string[] = [];
  const server: Server = createServer({ noDelay: true }, (socket) => {
    sockets.add(socket);
    let pending = '';
    socket.on('error', () => undefined);
    socket.on('data', (chunk) => {
      pending += chunk.toString('latin1');
      for (let end = pending.indexOf('\r\n\r\n'); end >= 0; end = pending.indexOf('\r\n\r\n')) {
        requests.push(pending.slice(0, end));
        pending = pending.slice(end + 4);
        answer(socket, requests.at(-1) ?? '', requests.length);
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  open.push({
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  });
  const { port } = server.address() as { port: number };
  const connections = new Connections({ protocol: 'http:', hostname: '127.0.0.1', port }, idleMs);
  return { connections, requests, sockets, get: () => connections.get('/bucket/key', HEADERS) };
}

const bodyOf = (answer: unknown): Uint8Array => (answer as PlainAnswer).body as Uint8Array;
const ok = (body: string, more = '') => `HTTP/1.1 200 OK\r\n${more}Content-Length: ${body.length}\r\n\r\n${body}`;

test('a body lies in memory of its own until it is released, then another may', async () => {
  const { connections, get } = await serve((socket, _, n) => socket.write(ok(`${n}`.repeat(20_000))));
  const first = (await get()) as PlainAnswer;
  const second = (await get()) as PlainAnswer;
  expect(bodyOf(first).buffer).not.toBe(bodyOf(second).buffer);
  expect([first, second].map((answer) => Buffer.from(bodyOf(answer)).toString('latin1'))).toEqual([
    '1'.repeat(20_000),
    '2'.repeat(20_000),
  ]);
  connections.release(first);
  expect(bodyOf(await get()).buffer).toBe(bodyOf(first).buffer);
});

/** Over a connection that is kept one could be given the answer to another question, so nothing odd may leave one behind. */
async function isKept({ get, sockets }: Awaited<ReturnType<typeof serve>>): Promise<boolean> {
  const before = sockets.size;
  await get().catch(() => undefined);
  return sockets.size === before;
}

describe('a plain answer', () => {
  test('is a body with its headers, on a connection that is kept', async () => {
    const server = await serve((socket, _, n) =>
      socket.write(ok(`body ${n}`, 'ETag: "x" \r\nX-Amz-Meta-A:  b c\t\r\n')),
    );
    for (const n of [1, 2, 3]) {
      const answer = await server.get();
      expect(answer).toMatchObject({ status: 200, headers: { etag: '"x"', 'x-amz-meta-a': 'b c' } });
      expect(Buffer.from(bodyOf(answer)).toString()).toBe(`body ${n}`);
    }
    expect(server.sockets.size).toBe(1);
    expect(server.requests[0]).toBe('GET /bucket/key HTTP/1.1\r\nhost: logs.example\r\nx-amz-date: 20260301T000000Z');
  });

  test('may be empty', async () => {
    const server = await serve((socket) => socket.write(ok('')));
    expect(bodyOf(await server.get())).toHaveLength(0);
  });

  test('comes in whatever pieces', async () => {
    const property = fc.asyncProperty(
      fc.uint8Array({ maxLength: 300 }),
      fc.array(fc.nat(400), { maxLength: 6 }),
      async (body, cuts) => {
        const whole = Buffer.concat([Buffer.from(`HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\n\r\n`), body]);
        const send = async (socket: Socket) => {
          let from = 0;
          for (const cut of [...cuts.sort((a, b) => a - b), whole.length]) {
            if (cut > from) socket.write(whole.subarray(from, cut));
            from = Math.max(from, cut);
            await turn();
            await turn();
          }
        };
        const server = await serve((socket) => void send(socket));
        expect(Buffer.from(bodyOf(await server.get()))).toEqual(Buffer.from(body));
        expect(await isKept(server)).toBe(true);
        for (const one of open.splice(0)) one.close();
      },
    );
    await fc.assert(property, { numRuns: runs(40) });
  });

  test('on connections of their own where they are asked for at once', async () => {
    const server = await serve((socket, _, n) => setTimeout(() => socket.write(ok(`${n}`)), 20));
    const answers = await Promise.all([server.get(), server.get(), server.get()]);
    expect(new Set(answers.map((answer) => Buffer.from(bodyOf(answer)).toString()))).toEqual(new Set(['1', '2', '3']));
    expect(server.sockets.size).toBe(3);
  });
});

describe('what is not plain is not taken for an answer, and its connection not kept', () => {
  const okHead = 'HTTP/1.1 200 OK\r\n';
  test.each([
    ['HTTP/1.0', 'HTTP/1.0 200 OK\r\nContent-Length: 1\r\n\r\nx'],
    ['another protocol', 'ICY 200 OK\r\nContent-Length: 1\r\n\r\nx'],
    ['an interim answer', `HTTP/1.1 100 Continue\r\n\r\n${ok('x')}`],
    ['no length', `${okHead}ETag: "x"\r\n\r\nx`],
    ['two lengths', `${okHead}Content-Length: 1\r\nContent-Length: 1\r\n\r\nx`],
    ['a list of lengths', `${okHead}Content-Length: 1, 1\r\n\r\nx`],
    ['a signed length', `${okHead}Content-Length: +1\r\n\r\nx`],
    ['a length in hex', `${okHead}Content-Length: 0x1\r\n\r\nx`],
    ['chunks', `${okHead}Transfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n\r\n`],
    ['chunks and a length', `${okHead}Transfer-Encoding: chunked\r\nContent-Length: 1\r\n\r\nx`],
    ['a name given twice', `${okHead}X-Amz-Meta-A: 1\r\nx-amz-meta-a: 2\r\nContent-Length: 1\r\n\r\nx`],
    ['a folded line', `${okHead}A: b\r\n c: d\r\nContent-Length: 1\r\n\r\nx`],
    ['a space before the colon', `${okHead}Content-Length : 1\r\n\r\nx`],
    ['a line without a colon', `${okHead}nonsense\r\nContent-Length: 1\r\n\r\nx`],
    ['a bare line feed in a value', `${okHead}A: b\nContent-Length: 5\r\nContent-Length: 1\r\n\r\nx`],
    ['a NUL in a value', `${okHead}A: b\0\r\nContent-Length: 1\r\n\r\nx`],
    ['a head without end', `${okHead}A: ${'b'.repeat(17_000)}`],
    ['no HTTP at all', `\r\n\r\n${ok('x')}`],
  ])('%s', async (_, text) => {
    const server = await serve((socket) => socket.write(Buffer.from(text, 'latin1')));
    await expect(server.get()).rejects.toThrow(expect.objectContaining({ name: 'NotPlainError' }));
    expect(await isKept(server)).toBe(false);
  });

  test.each([404, 403, 500, 503, 206, 301])('status %i is told, and nothing else', async (status) => {
    const server = await serve((socket) => socket.write(`HTTP/1.1 ${status} X\r\nContent-Length: 1\r\n\r\nx`));
    expect(await server.get()).toEqual({ status });
    expect(await isKept(server)).toBe(false);
  });

  test('more than the length says', async () => {
    const server = await serve((socket) => socket.write(`${okHead}Content-Length: 1\r\n\r\nxy`));
    await expect(server.get()).rejects.toThrow(expect.objectContaining({ name: 'LengthError' }));
    expect(await isKept(server)).toBe(false);
  });

  test.each([
    ['in the body', `${okHead}Content-Length: 5\r\n\r\nxy`],
    ['in the head', 'HTTP/1.1 200 O'],
    ['before anything', ''],
  ])('an end %s', async (_, text) => {
    const server = await serve((socket) => socket.end(text));
    await expect(server.get()).rejects.toThrow();
  });

  test.each([
    ['in the body', `${okHead}Content-Length: 5\r\n\r\nxy`],
    ['in the head', 'HTTP/1.1 200 O'],
    ['before anything', ''],
  ])('silence %s', async (_, text) => {
    const server = await serve((socket) => socket.write(text), IDLE_MS);
    await expect(server.get()).rejects.toThrow(expect.objectContaining({ name: 'StalledError' }));
    expect(await isKept(server)).toBe(false);
  });

  test('a head that drips', async () => {
    const server = await serve((socket) => {
      const drip = setInterval(() => socket.write('H'), IDLE_MS / 8);
      socket.on('close', () => clearInterval(drip));
    }, IDLE_MS);
    await expect(server.get()).rejects.toThrow(expect.objectContaining({ name: 'StalledError' }));
  });

  test('a connection that the other side wants to close', async () => {
    const server = await serve((socket) => socket.write(ok('x', 'Connection: close\r\n')));
    expect(bodyOf(await server.get())).toHaveLength(1);
    expect(await isKept(server)).toBe(false);
  });

  test('bytes that nobody asked for', async () => {
    const server = await serve((socket, _, n) => {
      socket.write(ok('right'));
      if (n === 1) setTimeout(() => socket.write(ok('wrong')), 20);
    });
    await server.get();
    for (const socket of server.sockets) await once(socket, 'close');
    expect(Buffer.from(bodyOf(await server.get())).toString()).toBe('right');
    expect(server.sockets.size).toBe(2);
  });

  test('a connection that was closed while it was kept', async () => {
    const server = await serve((socket, _, n) => {
      socket.write(ok('x'));
      if (n === 1) setTimeout(() => socket.end(), 20);
    });
    await server.get();
    for (const socket of server.sockets) await once(socket, 'close');
    expect(bodyOf(await server.get())).toHaveLength(1);
  });

  test('nobody there', async () => {
    const connections = new Connections({ protocol: 'http:', hostname: '127.0.0.1', port: 1 }, IDLE_MS);
    await expect(connections.get('/x', HEADERS)).rejects.toThrow('ECONNREFUSED');
  });

  test.each([
    ['/a b', HEADERS],
    ['/a\r\nx: y', HEADERS],
    ['a', HEADERS],
    ['/a', { ...HEADERS, 'x-amz-security-token': 'a\r\nb: c' }],
    ['/a', { ...HEADERS, 'x-amz-security-token': 'é' }],
  ])('a request that no head can hold: %j %j', async (target, headers) => {
    const server = await serve((socket) => socket.write(ok('x')));
    expect(() => server.connections.get(target, headers)).toThrow(expect.objectContaining({ name: 'NotPlainError' }));
    expect(server.requests).toEqual([]);
  });
});

describe('a large body', () => {
  const LARGE = Buffer.alloc(1_000_000, Buffer.from(Array.from({ length: 997 }, (_, n) => (n * n * 31) % 251)));
  const head = `HTTP/1.1 200 OK\r\nContent-Length: ${LARGE.length}\r\n\r\n`;
  async function pieces({ get }: Awaited<ReturnType<typeof serve>>, pause = 0): Promise<Buffer> {
    const { body } = (await get()) as PlainAnswer;
    const all: Uint8Array[] = [];
    for await (const piece of body as AsyncGenerator<Uint8Array>) {
      all.push(piece);
      if (pause > 0 && all.length === 2) await new Promise((resolve) => setTimeout(resolve, pause));
    }
    return Buffer.concat(all);
  }

  test('flows, and waits for its reader', async () => {
    const server = await serve((socket) => {
      socket.write(head);
      socket.write(LARGE);
    }, IDLE_MS);
    expect((await pieces(server, 2 * IDLE_MS)).equals(LARGE)).toBe(true);
    expect(await isKept(server)).toBe(false);
  });

  test('of which nothing is received that its reader has not asked for', async () => {
    const huge = 64 * LARGE.length;
    const server = await serve((socket) => {
      socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${huge}\r\n\r\n`);
      for (let n = 0; n < 64; n++) socket.write(LARGE);
    });
    const { body } = (await server.get()) as PlainAnswer;
    const [socket] = server.sockets;
    // What is in the hands of the network is a few megabytes.
    for (let before = -1; before !== socket?.writableLength; ) {
      before = socket?.writableLength ?? 0;
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    expect(socket.writableLength).toBeGreaterThan(huge / 2);
    const [received, sent] = [createHash('sha256'), createHash('sha256')];
    for await (const piece of body as AsyncGenerator<Uint8Array>) received.update(piece);
    for (let n = 0; n < 64; n++) sent.update(LARGE);
    expect(received.digest('hex')).toBe(sent.digest('hex'));
  });

  test.each<[string, (socket: Socket) => void, string]>([
    ['that ends early', (socket) => socket.end(LARGE.subarray(0, 700_000)), 'LengthError'],
    ['that goes on', (socket) => socket.write(Buffer.concat([LARGE, Buffer.from('x')])), 'LengthError'],
    ['that stalls', (socket) => socket.write(LARGE.subarray(0, 700_000)), 'StalledError'],
    ['that is reset', (socket) => socket.write(LARGE.subarray(0, 700_000), () => socket.resetAndDestroy()), ''],
  ])('%s is an error', async (_, send, name) => {
    const server = await serve((socket) => {
      socket.write(head);
      send(socket);
    }, IDLE_MS);
    await expect(pieces(server)).rejects.toThrow(expect.objectContaining(name === '' ? {} : { name }));
  });

  test('that stalls is an error also after its reader took his time', async () => {
    const server = await serve((socket) => {
      socket.write(head);
      socket.write(LARGE.subarray(0, 700_000));
    }, IDLE_MS);
    await expect(pieces(server, 2 * IDLE_MS)).rejects.toThrow(expect.objectContaining({ name: 'StalledError' }));
  });

  test('that nobody reads on is left', async () => {
    const server = await serve((socket) => {
      socket.write(head);
      socket.write(LARGE);
    });
    const { body } = (await server.get()) as PlainAnswer;
    for await (const _ of body as AsyncGenerator<Uint8Array>) break;
    const [socket] = server.sockets;
    await new Promise((resolve) => (socket?.destroyed ? resolve(null) : socket?.once('close', resolve)));
  });
});

test.skipIf(!onPath('openssl'))('over TLS, from whom the certificate names and nobody else', async () => {
  const folder = tempDir();
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const names = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
  const make = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-keyout', key, '-out', cert, ...names];
  execFileSync('openssl', make, { stdio: 'ignore' });
  // One read of the network gives several pieces, also once no more is wanted.
  const large = Buffer.alloc(2_000_000, Buffer.from(Array.from({ length: 997 }, (_, n) => (n * n * 31) % 251)));
  const hash = createHash('sha256').update(large).digest('hex');
  const server = createTlsServer({ key: readFileSync(key), cert: readFileSync(cert) }, (socket) => {
    socket.on('error', () => undefined);
    socket.on('data', (chunk) => {
      if (!chunk.includes('GET /large')) return socket.write(ok('secret'));
      socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${large.length}\r\n\r\n`);
      return socket.write(large);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  open.push(server);
  const { port } = server.address() as { port: number };
  const module = new URL('../../dist/source/s3/connections.js', import.meta.url).href;
  const ask = (hostname: string, env: NodeJS.ProcessEnv) => {
    const code = `const { Connections } = await import(${JSON.stringify(module)});
      const c = new Connections({ protocol: 'https:', hostname: '${hostname}', port: ${port} }, 5000);
      const twice = [await c.get('/x', { host: 'x' }), await c.get('/x', { host: 'x' })];
      const { createHash } = await import('node:crypto');
      const hash = createHash('sha256');
      for await (const piece of (await c.get('/large', { host: 'x' })).body) {
        hash.update(piece);
        await new Promise((resolve) => setImmediate(resolve));
      }
      console.log(...twice.map(({ body }) => Buffer.from(body).toString()), hash.digest('hex'));
      process.exit();`;
    return new Promise<string>((resolve) => {
      execFile(
        process.execPath,
        ['--input-type=module', '-e', code],
        { env: { ...process.env, ...env } },
        (_, out, err) => resolve(out + err),
      );
    });
  };
  expect(await ask('localhost', { NODE_EXTRA_CA_CERTS: cert })).toBe(`secret secret ${hash}\n`);
  expect(await ask('localhost', {})).toContain('DEPTH_ZERO_SELF_SIGNED_CERT');
  expect(await ask('127.0.0.1', { NODE_EXTRA_CA_CERTS: cert })).toContain('ERR_TLS_CERT_ALTNAME_INVALID');
});
