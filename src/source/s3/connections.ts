import { connect as connectPlain, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { LengthError, SMALL_BODY, StalledError } from './body.ts';
import type { Endpoint } from './lean-get.ts';

type Host = Pick<Endpoint, 'protocol' | 'hostname' | 'port'>;

/** An answer with status 200. */
export interface PlainAnswer {
  readonly status: 200;
  readonly headers: Readonly<Record<string, string>>;
  /** Whole up to `SMALL_BODY`; a larger one has to be read to its end, or left. */
  readonly body: Uint8Array | AsyncGenerator<Uint8Array, void, undefined>;
}

/** Any other answer; nothing else is known of it. */
export interface OtherAnswer {
  readonly status: number;
}

/** What came is not the answer of HTTP/1.1 that a plain GET has. */
export class NotPlainError extends Error {
  override readonly name = 'NotPlainError';
}

/**
 * Connections that are kept for GETs, one at a time on each. Node's own client knows all of HTTP, which costs several
 * times the CPU of the little that a log file needs: a status, headers, and a body whose length is told. All else throws
 * `NotPlainError`, is a matter for the common client, and ends its connection. Throws what the network throws, too;
 * nothing is tried again.
 */
export class Connections {
  readonly #host: Host;
  readonly #idleTimeoutMs: number;
  readonly #idle: Connection[] = [];

  constructor(host: Host, idleTimeoutMs: number) {
    this.#host = host;
    this.#idleTimeoutMs = idleTimeoutMs;
  }

  /** `target`: path and query, escaped. */
  get(target: string, headers: Readonly<Record<string, string>>): Promise<PlainAnswer | OtherAnswer> {
    const head = requestHead(target, headers);
    let connection = this.#idle.pop();
    while (connection && !connection.isOpen) connection = this.#idle.pop();
    connection ??= new Connection(open(this.#host), this.#idleTimeoutMs, (kept) => this.#idle.push(kept));
    return connection.ask(head);
  }
}

function open({ protocol, hostname, port }: Host): Socket {
  if (protocol === 'http:') return connectPlain({ host: hostname, port: port ?? 80, noDelay: true });
  const servername = isIP(hostname) === 0 ? { servername: hostname } : {};
  const socket = connectTls({ host: hostname, port: port ?? 443, ...servername });
  return socket.setNoDelay(true);
}

const SENDABLE = /^[\x20-\x7e]*$/;

function requestHead(target: string, headers: Readonly<Record<string, string>>): string {
  let lines = '';
  let fields = '';
  for (const name in headers) {
    lines += `${name}: ${headers[name]}\r\n`;
    fields += `${name}${headers[name]}`;
  }
  if (!/^\/[\x21-\x7e]*$/.test(target) || !SENDABLE.test(fields)) {
    throw new NotPlainError('the request has characters that a head cannot hold');
  }
  return `GET ${target} HTTP/1.1\r\n${lines}\r\n`;
}

/** Node's own client takes no larger head either. */
const MAX_HEAD = 16 * 1024;

interface Asking {
  resolve(answer: PlainAnswer | OtherAnswer): void;
  reject(error: Error): void;
}

class Connection {
  readonly #socket: Socket;
  readonly #idleTimeoutMs: number;
  readonly #keep: (connection: Connection) => void;
  #asking: Asking | null = null;
  #askedAt = 0;
  /** Of the head, until it is whole. */
  #start: Buffer | null = null;
  #headers: Readonly<Record<string, string>> | null = null;
  #length = 0;
  #body: Buffer | null = null;
  #at = 0;
  /** Only then is silence the other side's. */
  #isAwaited = true;

  constructor(socket: Socket, idleTimeoutMs: number, keep: (connection: Connection) => void) {
    this.#socket = socket;
    this.#idleTimeoutMs = idleTimeoutMs;
    this.#keep = keep;
    socket.setTimeout(idleTimeoutMs);
    socket.on('timeout', () => this.#isAwaited && this.#fail(new StalledError()));
    socket.on('data', this.#take);
    socket.on('error', (error) => this.#fail(error));
    socket.on('close', () => this.#fail(new LengthError(this.#length, this.#at)));
  }

  get isOpen(): boolean {
    return this.#socket.writable && !this.#socket.destroyed;
  }

  ask(head: string): Promise<PlainAnswer | OtherAnswer> {
    return new Promise((resolve, reject) => {
      this.#asking = { resolve, reject };
      this.#askedAt = performance.now();
      this.#socket.write(head, 'latin1');
    });
  }

  #fail(error: Error): void {
    this.#asking?.reject(error);
    this.#asking = null;
    this.#socket.destroy(error);
  }

  #take = (chunk: Buffer): void => {
    if (this.#asking === null) this.#fail(new NotPlainError('bytes that nobody asked for'));
    else if (this.#headers === null) this.#takeHead(chunk);
    else this.#takeBody(chunk);
  };

  #takeHead(chunk: Buffer): void {
    const bytes = this.#start === null ? chunk : Buffer.concat([this.#start, chunk]);
    const end = bytes.subarray(0, MAX_HEAD).indexOf('\r\n\r\n');
    if (end < 0) {
      this.#start = bytes;
      // A head that drips is never silent.
      const isLate = performance.now() - this.#askedAt > this.#idleTimeoutMs;
      if (isLate) this.#fail(new StalledError());
      else if (bytes.length > MAX_HEAD) this.#fail(new NotPlainError('the head has no end'));
      return;
    }
    this.#start = null;
    const head = parseHead(bytes.toString('latin1', 0, end));
    const body = bytes.subarray(end + 4);
    if (head === null) this.#fail(new NotPlainError('the head is not understood'));
    else if (head.status !== 200) this.#settle({ status: head.status }, false);
    else if (head.length > SMALL_BODY) {
      this.#settle({ status: 200, headers: head.headers, body: this.#flow(body, head.length) }, false);
    } else {
      this.#headers = head.headers;
      this.#length = head.length;
      this.#at = 0;
      this.#takeBody(body);
    }
  }

  #takeBody(chunk: Buffer): void {
    const before = this.#at;
    this.#at += chunk.length;
    if (this.#at > this.#length) {
      this.#fail(new LengthError(this.#length, this.#at));
      return;
    }
    const isWhole = this.#at === this.#length;
    if (before === 0 && isWhole) this.#body = chunk;
    else {
      this.#body ??= Buffer.allocUnsafe(this.#length);
      chunk.copy(this.#body, before);
    }
    if (!isWhole) return;
    const [headers, body] = [this.#headers ?? {}, this.#body];
    this.#headers = null;
    this.#body = null;
    this.#settle({ status: 200, headers, body }, !/close/i.test(headers['connection'] ?? ''));
  }

  #settle(answer: PlainAnswer | OtherAnswer, isKept: boolean): void {
    const asking = this.#asking;
    this.#asking = null;
    if (isKept) this.#keep(this);
    // A body that flows ends its connection itself.
    else if (!('body' in answer) || answer.body instanceof Uint8Array) this.#socket.destroy();
    asking?.resolve(answer);
  }

  /** A large body costs so much more than a connection that this one is not kept. */
  #flow(first: Buffer, length: number): AsyncGenerator<Uint8Array, void, undefined> {
    this.#isAwaited = false;
    this.#socket.removeListener('data', this.#take);
    this.#socket.pause();
    return this.#pieces(first, length);
  }

  async *#pieces(first: Buffer, length: number): AsyncGenerator<Uint8Array, void, undefined> {
    try {
      let at = first.length;
      if (at > length) throw new LengthError(length, at);
      yield first;
      const chunks = (this.#socket as AsyncIterable<Buffer>)[Symbol.asyncIterator]();
      while (at < length) {
        this.#isAwaited = true;
        this.#socket.setTimeout(this.#idleTimeoutMs);
        const next = await chunks.next();
        this.#isAwaited = false;
        at += next.done ? 0 : next.value.length;
        if (next.done || at > length) throw new LengthError(length, at);
        yield next.value;
      }
    } finally {
      this.#socket.destroy();
    }
  }
}

interface Head {
  readonly status: number;
  /** Names in lower case, each once. */
  readonly headers: Readonly<Record<string, string>>;
  /** Of the body. */
  readonly length: number;
}

const STATUS = /^HTTP\/1\.1 ([1-9]\d\d)(?: (?:\P{Cc}|\t)*)?$/u;
const FIELD = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*((?:\P{Cc}|\t)*)$/u;

/** `null` for what is not plain: also a name given twice, a body that ends in another way, or that might. */
function parseHead(text: string): Head | null {
  const [first = '', ...lines] = text.split('\r\n');
  const status = Number(STATUS.exec(first)?.[1] ?? 0);
  if (status < 200) return null;
  const headers: Record<string, string> = Object.create(null);
  for (const line of lines) {
    const [, name, value = ''] = FIELD.exec(line) ?? [];
    const lower = name?.toLowerCase();
    if (lower === undefined || lower in headers) return null;
    headers[lower] = value.replace(/[ \t]+$/, '');
  }
  const length = headers['content-length'] ?? '';
  if (status !== 200) return { status, headers, length: 0 };
  return /^\d{1,15}$/.test(length) && !('transfer-encoding' in headers)
    ? { status, headers, length: Number(length) }
    : null;
}
