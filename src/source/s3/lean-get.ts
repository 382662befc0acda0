import { createHash, createHmac, type Hash, type Hmac } from 'node:crypto';
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { SignatureV4 } from '@smithy/signature-v4';
import type { Credentials } from '../../aws/credentials.ts';
import type { Answer, GetRequest, Getter, Refusal } from './answer.ts';
import { StalledError } from './body.ts';

const EMPTY_SHA256 = createHash('sha256').digest('hex');
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
  readonly #signer: SignatureV4;
  readonly #agent: HttpAgent | HttpsAgent;
  readonly #host: string;

  constructor(endpoint: Endpoint, credentials: Credentials, options: LeanOptions) {
    this.#endpoint = endpoint;
    this.#options = options;
    this.#signer = new SignatureV4({
      service: endpoint.signingName,
      region: endpoint.signingRegion,
      credentials: () => credentials.identity(),
      sha256: NodeSha256,
      uriEscapePath: false,
      applyChecksum: false,
    });
    const pool = { keepAlive: true, maxFreeSockets: 1024 };
    this.#agent = endpoint.protocol === 'https:' ? new HttpsAgent(pool) : new HttpAgent(pool);
    this.#host = endpoint.port === undefined ? endpoint.hostname : `${endpoint.hostname}:${endpoint.port}`;
  }

  async get(request: GetRequest): Promise<Answer> {
    const { hostname, port, protocol } = this.#endpoint;
    const path = `${this.#endpoint.path}/${encodeKey(request.key)}`;
    const query: Record<string, string> = request.versionId === undefined ? {} : { versionId: request.versionId };
    const { headers } = await this.#signer.sign({
      method: 'GET',
      protocol,
      hostname,
      path,
      query,
      headers: this.#headers(request),
    });
    const search = request.versionId === undefined ? '' : `?versionId=${encodeURIComponent(request.versionId)}`;
    const message = await this.#send({ hostname, port, path: path + search, headers, agent: this.#agent });
    const status = message.statusCode ?? 0;
    if (status === 200 || status === 206) return { ok: true, headers: message.headers, body: message };
    return refusalOf(status, await readText(message, this.#options.idleTimeoutMs));
  }

  close(): void {
    this.#agent.destroy();
  }

  #headers({ resume }: GetRequest): Record<string, string> {
    const { expectedBucketOwner } = this.#options;
    return {
      host: this.#host,
      'x-amz-content-sha256': EMPTY_SHA256,
      'user-agent': 'trailseal',
      ...(expectedBucketOwner !== undefined && { 'x-amz-expected-bucket-owner': expectedBucketOwner }),
      ...(resume && { range: `bytes=${resume.from}-`, 'if-match': resume.etag }),
    };
  }

  #send(options: Parameters<typeof httpRequest>[1] & object): Promise<IncomingMessage> {
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
  return encodeURIComponent(key)
    .replaceAll('%2F', '/')
    .replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
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

/** The digest that the signer wants, from `node:crypto`. */
class NodeSha256 {
  readonly #digest: Hash | Hmac;

  constructor(secret?: string | ArrayBuffer | ArrayBufferView) {
    if (secret === undefined) this.#digest = createHash('sha256');
    else this.#digest = createHmac('sha256', bytesOf(secret));
  }

  update(data: Uint8Array): void {
    this.#digest.update(data);
  }

  digest(): Promise<Uint8Array> {
    return Promise.resolve(this.#digest.digest());
  }

  reset(): void {
    throw new Error('a signature is made in one go');
  }
}

function bytesOf(secret: string | ArrayBuffer | ArrayBufferView): Uint8Array | string {
  if (typeof secret === 'string') return secret;
  return ArrayBuffer.isView(secret)
    ? new Uint8Array(secret.buffer, secret.byteOffset, secret.byteLength)
    : new Uint8Array(secret);
}
