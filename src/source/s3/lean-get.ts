import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { Credentials } from '../../aws/credentials.ts';
import type { Answer, GetRequest, Getter, Refusal } from './answer.ts';
import { StalledError } from './body.ts';
import { type Endpoint, type SignedGet, SignedGets } from './signed-get.ts';

const MAX_ERROR_BYTES = 64 * 1024;

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
  readonly #gets: SignedGets;
  readonly #credentials: Credentials;
  readonly #agent: HttpAgent | HttpsAgent;

  constructor(endpoint: Endpoint, credentials: Credentials, options: LeanOptions) {
    this.#endpoint = endpoint;
    this.#options = options;
    this.#credentials = credentials;
    this.#gets = new SignedGets(endpoint, options);
    const pool = { keepAlive: true, maxFreeSockets: 1024 };
    this.#agent = endpoint.protocol === 'https:' ? new HttpsAgent(pool) : new HttpAgent(pool);
  }

  async get(request: GetRequest): Promise<Answer> {
    const identity = await this.#credentials.identity();
    return this.#send(this.#gets.object(identity, request), request.resume);
  }

  /** Asks the bucket itself. The query is escaped and in the order of its names. */
  async list(query: string): Promise<Answer> {
    const identity = await this.#credentials.identity();
    return this.#send(this.#gets.list(identity, query));
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
