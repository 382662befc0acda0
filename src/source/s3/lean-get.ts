import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { Credentials } from '../../aws/credentials.ts';
import type { Answer, GetRequest, Getter, Refusal } from './answer.ts';
import { StalledError } from './body.ts';
import { GetSigner } from './get-signer.ts';

const MAX_ERROR_BYTES = 64 * 1024;

/** Where the objects of one bucket are asked for, as the SDK resolved it. */
export interface Endpoint {
  readonly protocol: 'http:' | 'https:';
  readonly hostname: string;
  readonly port: number | undefined;
  /** Before `/<key>`; `''` or begins with `/`. */
  readonly path: string;
  readonly signingRegion: string;
  readonly signingName: string;
}

export interface SignedGet {
  /** Path and query, escaped. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
}

export interface LeanOptions {
  readonly idleTimeoutMs: number;
  readonly expectedBucketOwner?: string;
}

/**
 * A signed GET and nothing else. The SDK's own way through its middleware costs ten times the CPU, which is most of
 * what reading a small log costs; whatever is not plain is left to it (`sdk-get.ts`).
 */
export class LeanGet implements Getter {
  readonly isLast = false;
  readonly #endpoint: Endpoint;
  readonly #options: LeanOptions;
  readonly #signer: GetSigner;
  readonly #credentials: Pick<Credentials, 'identity'>;
  readonly #amz: Readonly<Record<string, string>>;
  readonly #agent: HttpAgent | HttpsAgent;
  readonly #host: string;

  constructor(endpoint: Endpoint, credentials: Pick<Credentials, 'identity'>, options: LeanOptions) {
    this.#endpoint = endpoint;
    this.#options = options;
    this.#credentials = credentials;
    this.#signer = new GetSigner(endpoint.signingRegion, endpoint.signingName);
    const { expectedBucketOwner } = options;
    this.#amz = expectedBucketOwner === undefined ? {} : { 'x-amz-expected-bucket-owner': expectedBucketOwner };
    const pool = { keepAlive: true, maxFreeSockets: 1024 };
    this.#agent = endpoint.protocol === 'https:' ? new HttpsAgent(pool) : new HttpAgent(pool);
    this.#host = endpoint.port === undefined ? endpoint.hostname : `${endpoint.hostname}:${endpoint.port}`;
  }

  async get(request: GetRequest): Promise<Answer> {
    return this.#send(await this.signed(request), request.resume);
  }

  /** What is to be sent for it. */
  signed({ key, versionId, resume }: GetRequest): Promise<SignedGet> {
    const path = `${this.#endpoint.path}/${encodeKey(key)}`;
    const query = versionId === undefined ? '' : `versionId=${escaped(versionId)}`;
    return this.#sign(path, query, resume);
  }

  /** Asks the bucket itself. The query is escaped and in the order of its names. */
  async list(query: string): Promise<Answer> {
    return this.#send(await this.#sign(`${this.#endpoint.path}/`, query));
  }

  async #sign(path: string, query: string, resume?: GetRequest['resume']): Promise<SignedGet> {
    const identity = await this.#credentials.identity();
    const headers = this.#signer.sign(identity, { host: this.#host, path, query, amz: this.#amz }, Date.now());
    headers['user-agent'] = 'trailseal';
    if (resume) {
      headers['range'] = `bytes=${resume.from}-`;
      headers['if-match'] = resume.etag;
    }
    return { target: query === '' ? path : `${path}?${query}`, headers };
  }

  async #send({ target, headers }: SignedGet, resume?: GetRequest['resume']): Promise<Answer> {
    const { hostname, port } = this.#endpoint;
    const message = await this.#request({ hostname, port, path: target, headers, agent: this.#agent });
    const status = message.statusCode ?? 0;
    if (status === (resume ? 206 : 200) || (resume && status === 200))
      return { ok: true, headers: message.headers, body: message };
    return refusalOf(status, await readText(message, this.#options.idleTimeoutMs));
  }

  close(): void {
    this.#agent.destroy();
  }

  #request(options: Parameters<typeof httpRequest>[1] & object): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      const send = this.#endpoint.protocol === 'https:' ? httpsRequest : httpRequest;
      const request = send({ ...options, method: 'GET' });
      const patience = setTimeout(() => request.destroy(new StalledError()), this.#options.idleTimeoutMs);
      request.on('response', (message) => {
        clearTimeout(patience);
        resolve(message);
      });
      request.on('error', (error) => {
        clearTimeout(patience);
        reject(error);
      });
      request.end();
    });
  }
}

/** As S3 wants it in path and signature: everything but unreserved characters and `/`, in UTF-8. */
export function encodeKey(key: string): string {
  return PLAIN.test(key) ? key : escaped(key).replaceAll('%2F', '/');
}

/** The keys of CloudTrail. */
const PLAIN = /^[A-Za-z0-9._~/-]*$/;

export function escaped(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

async function readText(message: IncomingMessage, idleTimeoutMs: number): Promise<string> {
  const parts: Buffer[] = [];
  let length = 0;
  const patience = setTimeout(() => message.destroy(new StalledError()), idleTimeoutMs);
  try {
    for await (const part of message as AsyncIterable<Buffer>) {
      parts.push(part);
      length += part.length;
      if (length > MAX_ERROR_BYTES) break;
    }
  } finally {
    clearTimeout(patience);
  }
  return Buffer.concat(parts).toString();
}

function refusalOf(status: number, document: string): Refusal {
  const code = /<Code>([^<]{1,200})<\/Code>/.exec(document)?.[1] ?? `${status}`;
  const message =
    /<Message>([^<]{1,1000})<\/Message>/.exec(document)?.[1] ?? `the store answered with status ${status}`;
  return { ok: false, status, code, message };
}
