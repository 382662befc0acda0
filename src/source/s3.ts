import type { Readable } from 'node:stream';
import type { S3Client } from '@aws-sdk/client-s3';
import { IDLE_TIMEOUT_MS } from '../aws/clients.ts';
import { faultOf } from '../aws/fault.ts';
import { isExpired } from './credentials-gone.ts';
import type { Delegation } from './delegation.ts';
import type { Answer, GetRequest } from './s3/answer.ts';
import { Asker } from './s3/asker.ts';
import { collect, collectChunked, flow, SMALL_BODY } from './s3/body.ts';
import { type BucketOptions, Buckets } from './s3/buckets.ts';
import { readHead } from './s3/head.ts';
import type { LeanGet } from './s3/lean-get.ts';
import type { ListingOptions, Page, PageRequest, Send, VersionPage, VersionPageRequest } from './s3/listing.ts';
import { Pacer } from './s3/pacer.ts';
import { PATIENCE, type Patience, pause } from './s3/patience.ts';
import { troubleOf } from './s3/refusal.ts';
import {
  type ListedObject,
  type ListedVersion,
  type Location,
  type Opened,
  type Requests,
  type RetentionAnswer,
  type Source,
  SourceError,
  type StoredObject,
} from './source.ts';

/** Of a body that does not tell its length, which S3 itself never sends. */
const MAX_CHUNKED = 64 * 1024 * 1024;

/** Not UTF-8, so no key. */
const LONE_SURROGATE = /\p{Surrogate}/u;

export interface S3Options extends BucketOptions {
  /** Name, or ARN of an access point. */
  readonly bucket: string;
  /** Objects in flight at most; the source finds out by itself how many the store bears. */
  readonly concurrency?: number;
  readonly patience?: Partial<Patience>;
}

export const DEFAULT_CONCURRENCY = 256;

/** Objects of S3, or of a store that speaks its protocol. Nothing is asked, and no AWS client loaded, before the first use. */
export function s3Source(options: S3Options): Source {
  return new S3Source(options);
}

class S3Source implements Source {
  readonly bucket: string;
  readonly requests: Requests = { list: 0, get: 0, bytes: 0 };
  readonly #buckets: Buckets;
  readonly #asker: Asker;
  readonly #patience: Patience;
  readonly #idleTimeoutMs: number;
  readonly #listing: ListingOptions;

  constructor(options: S3Options) {
    this.bucket = options.bucket;
    this.#buckets = new Buckets(options);
    this.#patience = { ...PATIENCE, ...options.patience };
    this.#idleTimeoutMs = options.idleTimeoutMs ?? IDLE_TIMEOUT_MS;
    this.#listing = { bucket: options.bucket, expectedBucketOwner: options.expectedBucketOwner };
    const pacer = new Pacer(options.concurrency ?? DEFAULT_CONCURRENCY);
    this.#asker = new Asker(this.#buckets, pacer, this.#patience, this.requests);
  }

  async *list(prefix: string, after?: string): AsyncGenerator<readonly ListedObject[]> {
    const { objectPages } = await import('./s3/listing.ts');
    const first = { prefix, ...(after !== undefined && { after }) };
    for await (const { objects } of objectPages(this.#page, first)) yield objects;
  }

  async folders(prefix: string): Promise<{ folders: string[]; objects: ListedObject[] }> {
    const { objectPages } = await import('./s3/listing.ts');
    const pages: Page[] = [];
    for await (const page of objectPages(this.#page, { prefix, delimiter: '/' })) pages.push(page);
    return { folders: pages.flatMap(({ folders }) => folders), objects: pages.flatMap(({ objects }) => objects) };
  }

  async *versions(prefix: string, after?: string): AsyncGenerator<readonly ListedVersion[]> {
    const { versionPages } = await import('./s3/listing.ts');
    const first = { prefix, ...(after !== undefined && { after: { key: after } }) };
    for await (const { versions } of versionPages(this.#versionPage, first)) yield versions;
  }

  async open({ bucket, key }: Location, versionId?: string): Promise<Opened> {
    if (key === '' || LONE_SURROGATE.test(key)) {
      const message = 'no object can have this key';
      return { ok: false, trouble: { kind: 'error', code: 'ImpossibleKey', message } };
    }
    try {
      const request: GetRequest = { bucket, key, ...(versionId !== undefined && { versionId }) };
      const asked = await this.#asker.ask(request, (answer) => this.#take(request, answer));
      return asked.ok ? { ok: true, object: asked.value } : asked;
    } catch (error) {
      return { ok: false, trouble: asSourceError(error).trouble };
    }
  }

  async delegate(bucket: string): Promise<Delegation | null> {
    try {
      const plain = (await this.#buckets.open(bucket)).plain();
      const credentials = await this.#buckets.credentials();
      return (
        plain && {
          type: 's3',
          endpoint: plain.endpoint,
          options: plain.options,
          identity: await credentials.identity(),
        }
      );
    } catch (error) {
      asSourceError(error);
      return null; // `open` will say why
    }
  }

  async retention(location: Location, versionId?: string): Promise<RetentionAnswer> {
    const { askRetention } = await import('./s3/retention.ts');
    try {
      return {
        ok: true,
        lock: await this.#call(location.bucket, (client) => askRetention(client, location, versionId)),
      };
    } catch (error) {
      return { ok: false, trouble: asSourceError(error).trouble };
    }
  }

  close(): Promise<void> {
    this.#buckets.close();
    return Promise.resolve();
  }

  async #take(request: GetRequest, { headers, body }: Extract<Answer, { ok: true }>): Promise<StoredObject> {
    const { length, isChunked, etag, metadata, lock, lastModified } = readHead(headers);
    if (length === null && !isChunked) {
      body.destroy();
      throw new SourceError({
        kind: 'error',
        code: 'NoLength',
        message: 'the answer does not say where its body ends',
      });
    }
    const head = { metadata, lock, lastModified };
    if (length !== null && length > SMALL_BODY) {
      return { body: this.#flow(request, body, length, etag), size: length, ...head };
    }
    const bytes =
      length === null
        ? await collectChunked(body, MAX_CHUNKED, this.#idleTimeoutMs)
        : await collect(body, length, this.#idleTimeoutMs);
    this.requests.bytes += bytes.length;
    return { body: bytes, size: bytes.length, ...head };
  }

  /** A large body; where it breaks off it is asked for again from there, as long as the object has not changed. */
  #flow(request: GetRequest, first: Readable, length: number, etag: string | null): AsyncIterable<Uint8Array> {
    // A body that nobody reads would hold its connection for ever.
    const forgotten = setTimeout(() => first.destroy(), this.#idleTimeoutMs);
    first.on('error', () => undefined);
    return this.#resumed(request, first, length, etag, () => clearTimeout(forgotten));
  }

  async *#resumed(
    request: GetRequest,
    first: Readable,
    length: number,
    etag: string | null,
    begun: () => void,
  ): AsyncGenerator<Uint8Array> {
    begun();
    let body = first;
    let from = 0;
    for (let failures = 1; ; failures++) {
      try {
        for await (const chunk of flow(body, length - from, this.#idleTimeoutMs)) {
          from += chunk.length;
          this.requests.bytes += chunk.length;
          yield chunk;
        }
        return;
      } catch (error) {
        if ((etag === null && from > 0) || failures >= this.#patience.tries) throw asSourceError(error);
      }
      await pause(this.#patience, failures);
      const again = from > 0 && etag !== null ? { ...request, resume: { from, etag } } : request;
      const asked = await this.#asker.ask(again, ({ headers, body: rest }) => {
        if (again === request || headers['content-range'] !== undefined) return rest;
        rest.destroy();
        throw new SourceError({ kind: 'error', code: 'NoRanges', message: 'a body broke off and cannot be resumed' });
      });
      if (!asked.ok) throw new SourceError(asked.trouble);
      body = asked.value;
    }
  }

  readonly #page = async (request: PageRequest): Promise<Page> => {
    const { sdkPage } = await import('./s3/listing.ts');
    const { leanPage } = await import('./s3/lean-page.ts');
    const page = await this.#lean((lean) => leanPage(lean, request, this.#idleTimeoutMs));
    return page ?? (await sdkPage(this.#send, this.#listing, request));
  };

  readonly #versionPage = async (request: VersionPageRequest): Promise<VersionPage> => {
    const { sdkVersionPage } = await import('./s3/listing.ts');
    const { leanVersionPage } = await import('./s3/lean-page.ts');
    const page = await this.#lean((lean) => leanVersionPage(lean, request, this.#idleTimeoutMs));
    return page ?? (await sdkVersionPage(this.#send, this.#listing, request));
  };

  /** `null` for whatever is not plain: the SDK asks again and says what is wrong. */
  async #lean<T>(ask: (lean: LeanGet) => Promise<T | null>): Promise<T | null> {
    try {
      const plain = (await this.#buckets.open(this.bucket)).plain();
      if (plain === null) return null;
      this.requests.list++;
      return await ask(plain.lean);
    } catch {
      return null;
    }
  }

  readonly #send: Send = (call) => {
    this.requests.list++;
    return this.#call(this.bucket, call);
  };

  /** One call of the SDK, which retries by itself, but not with fresh credentials. */
  async #call<T>(bucket: string, call: (client: S3Client) => Promise<T>): Promise<T> {
    try {
      const { client } = await this.#buckets.open(bucket);
      const credentials = await this.#buckets.credentials();
      const { generation } = credentials;
      try {
        return await call(client);
      } catch (error) {
        if (!isExpired(faultOf(error).code)) throw error;
        await credentials.refresh(generation);
        return await call(client);
      }
    } catch (error) {
      throw asSourceError(error);
    }
  }
}

/**
 * Errors that are not of the network, the SDK or the store are ours, and thrown on as they are. The SDK throws such
 * errors, too, where it cannot make sense of an answer: they carry its status.
 */
function asSourceError(error: unknown): SourceError {
  if (error instanceof SourceError) return error;
  const { code, message, status } = faultOf(error);
  const isOurs = error instanceof TypeError || error instanceof RangeError || error instanceof ReferenceError;
  if (isOurs && status === 0 && typeof (error as NodeJS.ErrnoException).code !== 'string') throw error;
  return new SourceError(troubleOf({ ok: false, status, code, message }), { cause: error });
}
