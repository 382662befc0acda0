import { readdirSync, readFileSync, statSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, relative, sep } from 'node:path';
import { Bucket, type ObjectInit } from './s3/bucket.ts';
import { answerJson, type JsonServices } from './s3/cloudtrail.ts';
import { type Asked, type Fault, Faults } from './s3/fault.ts';
import {
  type Disorder,
  inDisorder,
  listObjectsV1,
  listObjectsV2,
  listObjectVersions,
  locationOf,
} from './s3/listing.ts';
import {
  deleteMarkerReply,
  errorReply,
  faultReply,
  jsonReply,
  objectReply,
  putReply,
  type Reply,
  retentionReply,
  wrongRegionReply,
  xmlReply,
} from './s3/reply.ts';
import { isSignatureRight, readAuthorization, type Signed } from './s3/sigv4-check.ts';

export type { ObjectInit } from './s3/bucket.ts';
export type { PublicKeyJson, TrailJson } from './s3/cloudtrail.ts';
export type { Fault } from './s3/fault.ts';

export interface S3ServerOptions extends JsonServices {
  /** Objects by bucket; `region` makes a bucket answer requests for other Regions as AWS does. */
  readonly buckets?: Readonly<Record<string, { readonly region?: string; readonly objects?: ObjectsByKey }>>;
  /** A folder that holds `<bucket>/<key>`; every file becomes an object. */
  readonly tree?: string;
  /** Secrets by access key id. If given, requests must be signed, and rightly. */
  readonly secrets?: Readonly<Record<string, string>>;
  /** Keys a page of a listing; 1000 by default. */
  readonly pageSize?: number;
  /** Of each page of a listing. */
  readonly disorder?: Disorder;
  /** Milliseconds before each answer. */
  readonly latencyMs?: number;
}

export type ObjectsByKey = Readonly<Record<string, ObjectInit | Uint8Array>>;

/** Starts a small S3 (path style; of writes only PutObject) with CloudTrail and Organizations beside it, on a free port of the loopback. */
export async function startS3Server(options: S3ServerOptions = {}): Promise<S3Server> {
  const server = new S3Server(options);
  await server.listen();
  return server;
}

export class S3Server {
  url = '';
  /** Every request, in the order of arrival. */
  readonly requests: Asked[] = [];
  readonly #buckets = new Map<string, Bucket>();
  readonly #faults = new Faults();
  readonly #options: S3ServerOptions;
  readonly #server: Server;

  constructor(options: S3ServerOptions) {
    this.#options = options;
    for (const [name, { region, objects }] of Object.entries(options.buckets ?? {})) {
      const bucket = this.addBucket(name, region);
      for (const [key, object] of Object.entries(objects ?? {})) bucket.put(key, object);
    }
    if (options.tree !== undefined) this.#load(options.tree);
    this.#server = createServer((request, response) => {
      this.#answer(request, response).catch((error: Error) => response.destroy(error));
    });
    this.#server.keepAliveTimeout = 60_000;
  }

  addBucket(name: string, region?: string): Bucket {
    const bucket = new Bucket(region ?? null);
    this.#buckets.set(name, bucket);
    return bucket;
  }

  has(name: string): boolean {
    return this.#buckets.has(name);
  }

  bucket(name: string): Bucket {
    const bucket = this.#buckets.get(name);
    if (!bucket) throw new Error(`the test server has no bucket ${name}`);
    return bucket;
  }

  fault(fault: Fault): void {
    this.#faults.add(fault);
  }

  healed(): void {
    this.#faults.clear();
  }

  /** How often an operation was asked for, of one key if it is given. */
  count(operation: string, key?: string): number {
    return this.requests.filter((asked) => asked.operation === operation && (key === undefined || asked.key === key))
      .length;
  }

  listen(): Promise<void> {
    return new Promise((resolve) => {
      this.#server.listen(0, '127.0.0.1', () => {
        this.url = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
        resolve();
      });
    });
  }

  close(): Promise<void> {
    return new Promise((resolve) => {
      this.#server.close(() => resolve());
      this.#server.closeAllConnections();
    });
  }

  #load(tree: string): void {
    for (const entry of readdirSync(tree, { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name);
      const [name = '', ...key] = relative(tree, path).split(sep);
      if (!entry.isFile() || key.length === 0 || name.startsWith('.')) continue;
      const bucket = this.#buckets.get(name) ?? this.addBucket(name);
      bucket.put(key.join('/'), {
        body: readFileSync(path),
        lastModified: Math.trunc(statSync(path).mtimeMs / 1000) * 1000,
      });
    }
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const signed = readAuthorization(request);
    const asked = askedOf(request, signed);
    this.requests.push(asked);
    if (this.#options.latencyMs) await delay(this.#options.latencyMs);
    const fault = this.#faults.meet(asked);
    if (fault === 'hang') return;
    if (fault === 'reset') {
      request.socket.resetAndDestroy();
      return;
    }
    if (fault !== null && typeof fault === 'object' && 'status' in fault) {
      deliver(request, response, faultReply(fault, asked), null);
      return;
    }
    if (fault !== null && typeof fault === 'object') await delay(fault.delayMs);
    const reply =
      request.headers['x-amz-target'] === undefined && asked.operation !== 'ListRegions'
        ? (this.#signatureFault(request, signed) ?? (await this.#answerS3(request, asked)))
        : await this.#answerJson(request, asked);
    deliver(request, response, reply, fault === 'truncate' || fault === 'stall' ? fault : null);
  }

  async #answerJson(request: IncomingMessage, asked: Asked): Promise<Reply> {
    const input = JSON.parse((await bodyOf(request)).toString() || '{}') as Record<string, unknown>;
    const { status, body } = answerJson(this.#options, asked.operation, asked.region, input);
    return jsonReply(status, body);
  }

  #signatureFault(request: IncomingMessage, signed: Signed | null): Reply | null {
    const { secrets } = this.#options;
    if (!secrets) return null;
    if (!signed) return errorReply(403, 'AccessDenied', 'Access Denied');
    const secret = secrets[signed.accessKeyId];
    if (secret === undefined) return errorReply(403, 'InvalidAccessKeyId', 'The access key id does not exist.');
    if (isSignatureRight(request, signed, secret)) return null;
    return errorReply(403, 'SignatureDoesNotMatch', 'The request signature does not match.');
  }

  async #answerS3(request: IncomingMessage, asked: Asked): Promise<Reply> {
    const query = new URLSearchParams((request.url ?? '').split('?', 2)[1] ?? '');
    const bucket = this.#buckets.get(asked.bucket);
    if (!bucket) return errorReply(404, 'NoSuchBucket', 'The specified bucket does not exist');
    const { region } = bucket;
    if (region !== null && asked.region !== region) return wrongRegionReply(bucket.wrongRegion, region);
    const pageSize = this.#options.pageSize ?? 1000;
    switch (asked.operation) {
      case 'HeadBucket':
        return { status: 200, headers: region === null ? {} : { 'x-amz-bucket-region': region }, body: '' };
      case 'GetBucketLocation':
        return xmlReply(locationOf(bucket));
      case 'ListObjects':
        return xmlReply(listObjectsV1(asked.bucket, bucket, query, pageSize));
      case 'ListObjectsV2':
        return xmlReply(inDisorder(listObjectsV2(asked.bucket, bucket, query, pageSize), this.#options.disorder));
      case 'ListObjectVersions':
        return xmlReply(inDisorder(listObjectVersions(asked.bucket, bucket, query, pageSize), this.#options.disorder));
      case 'GetObject':
      case 'HeadObject':
      case 'GetObjectRetention':
      case 'GetObjectLegalHold': {
        const version = bucket.find(asked.key, query.get('versionId'));
        if (!version && query.has('versionId')) return errorReply(404, 'NoSuchVersion', 'No such version.');
        if (!version) return errorReply(404, 'NoSuchKey', 'The specified key does not exist.');
        if (!version.object) return deleteMarkerReply(version, query.has('versionId'));
        if (asked.operation === 'GetObjectRetention') return retentionReply(version.object);
        if (asked.operation === 'GetObjectLegalHold') {
          return errorReply(404, 'NoSuchObjectLockConfiguration', 'The specified object does not have a legal hold');
        }
        return objectReply(version, version.object, request.headers);
      }
      case 'PutObject':
        return putReply(bucket, asked, await bodyOf(request));
      default:
        return errorReply(501, 'NotImplemented', 'The test server does not implement this.');
    }
  }
}

function deliver(
  request: IncomingMessage,
  response: ServerResponse,
  reply: Reply,
  broken: 'truncate' | 'stall' | null,
): void {
  const bytes = Buffer.from(reply.body);
  response.writeHead(reply.status, {
    'x-amz-request-id': '0123456789ABCDEF',
    'content-length': bytes.length,
    ...reply.headers,
  });
  if (request.method === 'HEAD') {
    response.end();
    return;
  }
  if (broken === null) {
    response.end(bytes);
    return;
  }
  response.write(bytes.subarray(0, bytes.length / 2), () => {
    if (broken === 'truncate') setTimeout(() => response.destroy(), 5);
  });
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts);
}

function delay(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

function askedOf(request: IncomingMessage, signed: Signed | null): Asked {
  const url = request.url ?? '/';
  const [path = '', search = ''] = url.split('?', 2);
  const [, bucket = '', ...rest] = path.split('/');
  const key = decodeURIComponent(rest.join('/'));
  // The one service among them whose operations are paths.
  const target = url === '/listRegions' ? 'ListRegions' : request.headers['x-amz-target'];
  return {
    operation:
      typeof target === 'string' ? target.slice(target.lastIndexOf('.') + 1) : s3Operation(request.method, key, search),
    bucket: typeof target === 'string' ? '' : decodeURIComponent(bucket),
    key: typeof target === 'string' ? '' : key,
    accessKeyId: signed?.accessKeyId ?? '',
    region: signed?.region ?? '',
    headers: request.headers,
    url,
  };
}

function s3Operation(method: string | undefined, key: string, search: string): string {
  const query = new URLSearchParams(search);
  if (method === 'HEAD') return key === '' ? 'HeadBucket' : 'HeadObject';
  if (method === 'PUT' && key !== '' && search.replace('x-id=PutObject', '') === '') return 'PutObject';
  if (method !== 'GET') return 'Write';
  if (query.has('retention')) return 'GetObjectRetention';
  if (query.has('legal-hold')) return 'GetObjectLegalHold';
  if (key !== '') return 'GetObject';
  if (query.has('versions')) return 'ListObjectVersions';
  if (query.has('location')) return 'GetBucketLocation';
  return query.get('list-type') === '2' ? 'ListObjectsV2' : 'ListObjects';
}
