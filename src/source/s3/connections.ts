import { connect as connectPlain, isIP, type OnReadOpts, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { LengthError, SMALL_BODY, StalledError } from './body.ts';
import { BodyMemory } from './body-memory.ts';
import { FlowingBody } from './flowing-body.ts';
import type { Endpoint } from './signed-get.ts';

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
  readonly #memory = new BodyMemory();

  constructor(host: Host, idleTimeoutMs: number) {
    this.#host = host;
    this.#idleTimeoutMs = idleTimeoutMs;
  }

  /** `target`: path and query, escaped. */
  get(target: string, headers: Readonly<Record<string, string>>): Promise<PlainAnswer | OtherAnswer> {
    const head = requestHead(target, headers);
    let connection = this.#idle.pop();
    while (connection && !connection.isOpen) connection = this.#idle.pop();
    connection ??= new Connection(this.#host, this.#idleTimeoutMs, this.#memory, (kept) => this.#idle.push(kept));
    return connection.ask(head);
  }

  /** Whoever asked does not look at that body any more: another may come into its memory. */
  release({ body }: PlainAnswer): void {
    if (body instanceof Uint8Array) this.#memory.give(body);
  }
}

/** All connections read into the same memory, so whoever keeps what came copies it: no read costs memory of its own. */
const RECEIVED = Buffer.allocUnsafeSlow(64 * 1024);

/** `take` gets what came, until it returns; where it says `false` nothing more comes before the socket is resumed. */
function open({ protocol, hostname, port }: Host, take: (received: Buffer) => boolean): Socket {
  const onread: OnReadOpts = { buffer: RECEIVED, callback: (length) => take(RECEIVED.subarray(0, length)) };
  if (protocol === 'http:') return connectPlain({ host: hostname, port: port ?? 80, noDelay: true, onread });
  const servername = isIP(hostname) === 0 ? { servername: hostname } : {};
  const socket = connectTls({ host: hostname, port: port ?? 443, ...servername, ...{ onread } });
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
  readonly #memory: BodyMemory;
  readonly #keep: (connection: Connection) => void;
  #asking: Asking | null = null;
  #askedAt = 0;
  /** Of the head, until it is whole. */
  #start: Buffer | null = null;
  #headers: Readonly<Record<string, string>> | null = null;
  #length = 0;
  #body: Buffer | null = null;
  #at = 0;
  #flowing: FlowingBody | null = null;

  constructor(host: Host, idleTimeoutMs: number, memory: BodyMemory, keep: (connection: Connection) => void) {
    this.#socket = open(host, (received) => this.#take(received));
    this.#idleTimeoutMs = idleTimeoutMs;
    this.#memory = memory;
    this.#keep = keep;
    this.#socket.setTimeout(idleTimeoutMs);
    this.#socket.on('timeout', () => this.#flowing?.isAwaited !== false && this.#fail(new StalledError()));
    this.#socket.on('error', (error) => this.#fail(error));
    this.#socket.on('close', () => this.#fail(new LengthError(this.#length, this.#at)));
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
    this.#flowing?.fail(error);
    this.#socket.destroy(error);
  }

  #take(received: Buffer): boolean {
    if (this.#flowing !== null) this.#takePiece(this.#flowing, received);
    else if (this.#asking === null) this.#fail(new NotPlainError('bytes that nobody asked for'));
    else if (this.#headers === null) this.#takeHead(received);
    else this.#takeBody(received);
    return this.#flowing === null;
  }

  #takeHead(received: Buffer): void {
    const bytes = this.#start === null ? received : Buffer.concat([this.#start, received]);
    const end = bytes.subarray(0, MAX_HEAD).indexOf('\r\n\r\n');
    if (end < 0) {
      this.#start = bytes === received ? Buffer.from(received) : bytes;
      // A head that drips is never silent.
      const isLate = performance.now() - this.#askedAt > this.#idleTimeoutMs;
      if (isLate) this.#fail(new StalledError());
      else if (bytes.length > MAX_HEAD) this.#fail(new NotPlainError('the head has no end'));
      return;
    }
    this.#start = null;
    const head = parseHead(bytes.toString('latin1', 0, end));
    if (head === null) {
      this.#fail(new NotPlainError('the head is not understood'));
      return;
    }
    if (head.status !== 200) {
      this.#settle({ status: head.status }, false);
      return;
    }
    this.#headers = head.headers;
    this.#length = head.length;
    this.#at = 0;
    const body = bytes.subarray(end + 4);
    if (head.length > SMALL_BODY) this.#takePiece(this.#flow(head.headers), body);
    else this.#takeBody(body);
  }

  #takeBody(received: Buffer): void {
    const before = this.#at;
    this.#at += received.length;
    if (this.#at > this.#length) {
      this.#fail(new LengthError(this.#length, this.#at));
      return;
    }
    this.#body ??= this.#memory.take(this.#length);
    received.copy(this.#body, before);
    if (this.#at < this.#length) return;
    const [headers, body] = [this.#headers ?? {}, this.#body];
    this.#headers = null;
    this.#body = null;
    this.#settle({ status: 200, headers, body }, !/close/i.test(headers['connection'] ?? ''));
  }

  /** A large body costs so much more than a connection that this one is not kept. */
  #flow(headers: PlainAnswer['headers']): FlowingBody {
    const flowing = new FlowingBody(this.#length, {
      resume: () => {
        this.#socket.setTimeout(this.#idleTimeoutMs);
        this.#socket.resume();
      },
      end: () => this.#socket.destroy(),
    });
    this.#flowing = flowing;
    this.#settle({ status: 200, headers, body: flowing.pieces() }, false);
    return flowing;
  }

  #takePiece(flowing: FlowingBody, received: Buffer): void {
    this.#at += received.length;
    if (received.length > 0) flowing.push(Buffer.from(received));
  }

  #settle(answer: PlainAnswer | OtherAnswer, isKept: boolean): void {
    const asking = this.#asking;
    this.#asking = null;
    if (isKept) this.#keep(this);
    // A body that flows ends its connection itself.
    else if (!('body' in answer) || answer.body instanceof Uint8Array) this.#socket.destroy();
    asking?.resolve(answer);
  }
}

interface Head {
  readonly status: number;
  /** Names in lower case, each once. */
  readonly headers: Readonly<Record<string, string>>;
  /** Of the body. */
  readonly length: number;
}

/** Latin-1 without control characters but the tab. */
const TEXT = '[\\t\\x20-\\x7e\\xa0-\\xff]*';
const STATUS = new RegExp(`^HTTP/1\\.1 ([1-9]\\d\\d)(?: ${TEXT})?$`);
const FIELD = new RegExp(`^([!#$%&'*+.^_\`|~0-9A-Za-z-]+):[ \\t]*(${TEXT})$`);

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
