import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Moto } from './moto.ts';

/** What a test lays over moto's answers. Operations are named as in `src/posture/calls.ts`. */
export interface Overlay {
  /** Answered 403 `AccessDenied`. */
  readonly denied: Set<string>;
  /** Changes the JSON of a JSON answer, or makes one where moto has none (`null`). */
  readonly json: Map<string, (answer: Json | null, request: Json) => Json>;
  /** Takes the place of an XML answer; by operation, or by operation and bucket: `GetBucketAcl my-logs`. */
  readonly xml: Map<string, string>;
  /** Answered with these bytes whatever moto would say. */
  readonly raw: Map<string, RawAnswer>;
  /** Operations seen, in order. */
  readonly seen: string[];
}

export interface RawAnswer {
  readonly status: number;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
}

type Json = { [key: string]: unknown };

export interface MotoProxy extends Overlay {
  readonly url: string;
  /** Nothing laid over, nothing seen. */
  clear(): void;
  /** Nothing laid over, nothing seen, and moto back to an empty account. */
  reset(): Promise<void>;
  /** How often something was written, or reset. */
  writes(): number;
  close(): Promise<void>;
}

interface Asked {
  readonly operation: string;
  readonly protocol: 'json' | 'xml';
}

interface Told {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Buffer;
}

/** What moto holds. */
interface Store {
  readonly upstream: string;
  /** As they were put, by path. */
  readonly policies: Map<string, string>;
  /**
   * What moto said to each read, by service, since something was last written to the service: it takes moto longer to
   * say the same again than it takes us to judge it. What answers differently by the clock is laid over.
   */
  readonly remembered: Map<string, Map<string, Promise<Told>>>;
  writes: number;
}

/** In front of moto: refuses what the test wants refused and answers the calls that moto lacks. */
export async function motoProxy(moto: Moto): Promise<MotoProxy> {
  const store: Store = { upstream: moto.url, policies: new Map(), remembered: new Map(), writes: 0 };
  const overlay: Overlay = { denied: new Set(), json: new Map(), xml: new Map(), raw: new Map(), seen: [] };
  const server = createServer((request, response) => {
    answer(store, overlay, request, response).catch((error: unknown) => {
      response.writeHead(502, { 'content-type': 'text/plain' }).end(String(error));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const clear = () => {
    overlay.denied.clear();
    overlay.json.clear();
    overlay.xml.clear();
    overlay.raw.clear();
    overlay.seen.length = 0;
  };
  return {
    ...overlay,
    url: `http://127.0.0.1:${port}`,
    clear,
    async reset() {
      clear();
      await moto.reset();
      store.policies.clear();
      store.remembered.clear();
      store.writes++;
    },
    writes: () => store.writes,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/**
 * moto enforces every Deny of a bucket policy whatever its conditions, so a policy that wants TLS would lock us out: it
 * is given the Allows only, and what was put is given back from here.
 */
function withoutDenies(policy: string): string {
  const { Statement, ...rest } = JSON.parse(policy) as { Statement: { Effect: string }[] };
  return JSON.stringify({ ...rest, Statement: Statement.filter(({ Effect }) => Effect !== 'Deny') });
}

async function answer(store: Store, overlay: Overlay, request: IncomingMessage, response: ServerResponse) {
  const { upstream, policies } = store;
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  let body = Buffer.concat(chunks);
  const url = new URL(request.url ?? '/', upstream);
  const asked = operationOf(request, url, body);
  overlay.seen.push(asked.operation);
  if (overlay.denied.has(asked.operation)) {
    deny(request, response, asked);
    return;
  }
  const raw = overlay.raw.get(asked.operation);
  if (raw !== undefined) {
    response.writeHead(raw.status, raw.headers).end(request.method === 'HEAD' ? undefined : raw.body);
    return;
  }
  const xml = overlay.xml.get(`${asked.operation} ${url.pathname.split('/')[1]}`) ?? overlay.xml.get(asked.operation);
  if (xml !== undefined) {
    response.writeHead(200, { 'content-type': 'application/xml' }).end(xml);
    return;
  }
  if (asked.operation === 'PUT BucketPolicy') {
    policies.set(url.pathname, body.toString());
    body = Buffer.from(withoutDenies(body.toString()));
  }
  if (asked.operation === 'DELETE BucketPolicy') policies.delete(url.pathname);
  const policy = policies.get(url.pathname);
  if (asked.operation === 'GetBucketPolicy' && policy !== undefined) {
    response.writeHead(200, { 'content-type': 'application/json' }).end(policy);
    return;
  }
  if (asked.operation === 'GetObjectRetention') {
    await retentionFromHead(store, url, request, response);
    return;
  }
  const { status, headers, bytes } = await toldBy(store, asked.operation, {
    method: request.method ?? 'GET',
    target: url.pathname + url.search,
    headers: request.headers,
    body,
  });
  const change = overlay.json.get(asked.operation) ?? COMPLETIONS[asked.operation];
  if (change) {
    const given = status === 200 ? (JSON.parse(bytes.toString() || '{}') as Json) : null;
    const changed = JSON.stringify(change(given, JSON.parse(body.toString() || '{}') as Json));
    response.writeHead(200, { 'content-type': 'application/x-amz-json-1.1' }).end(changed);
    return;
  }
  const completed = XML_COMPLETIONS[asked.operation];
  if (completed !== undefined) {
    response.writeHead(200, { 'content-type': 'application/xml' }).end(completed);
    return;
  }
  const passed = Object.fromEntries([...headers].filter(([name]) => !HOP.has(name)));
  response.writeHead(status, passed).end(request.method === 'HEAD' ? undefined : bytes);
}

const READS = /^(Get|Head|List|Describe)/;

interface Question {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** By moto, or from what is remembered of it: the same question to the same Region. */
function toldBy(store: Store, operation: string, question: Question): Promise<Told> {
  const { method, target, headers, body } = question;
  // Key, day, Region, service.
  const [, scope = ''] = /Credential=([^,]*)/.exec(headers.authorization ?? '') ?? [];
  const [, , , service = ''] = scope.split('/');
  const remembered = store.remembered.get(service) ?? new Map<string, Promise<Told>>();
  store.remembered.set(service, remembered);
  if (!READS.test(operation)) {
    store.writes++;
    remembered.clear();
    return askMoto(store.upstream, question).finally(() => remembered.clear());
  }
  const same = [method, target, headers['x-amz-target'], scope, body].join('\n');
  let told = remembered.get(same);
  if (told === undefined) {
    told = askMoto(store.upstream, question);
    remembered.set(same, told);
    told.catch(() => remembered.delete(same));
  }
  return told;
}

async function askMoto(upstream: string, { method, target, headers, body }: Question): Promise<Told> {
  const passed = new Headers();
  for (const [name, value] of Object.entries(headers)) {
    if (typeof value === 'string' && !HOP.has(name)) passed.set(name, value);
  }
  const answer = await fetch(new URL(target, upstream), {
    method,
    headers: passed,
    redirect: 'manual',
    ...(method === 'GET' || method === 'HEAD' ? {} : { body }),
  });
  return { status: answer.status, headers: answer.headers, bytes: Buffer.from(await answer.arrayBuffer()) };
}

const HOP = new Set(['connection', 'content-length', 'transfer-encoding', 'content-encoding', 'expect', 'keep-alive']);

/** What moto does not know, answered as for a healthy account. */
const COMPLETIONS: { readonly [operation: string]: ((answer: Json | null, request: Json) => Json) | undefined } = {
  ListRegions: () => ({
    // A trail of all Regions delivers in each that is enabled by default, and those of the tests do so at home only.
    Regions: [
      { RegionName: 'eu-west-2', RegionOptStatus: 'ENABLED_BY_DEFAULT' },
      { RegionName: 'us-east-1', RegionOptStatus: 'ENABLED' },
    ],
  }),
  ListEventDataStores: () => ({ EventDataStores: [] }),
  ListPublicKeys: () => ({ PublicKeyList: [] }),
  GetTrailStatus: (answer) => {
    const now = Date.now() / 1000;
    return {
      ...answer,
      LatestDeliveryTime: now - 300,
      LatestDigestDeliveryTime: now - 1800,
      LatestCloudWatchLogsDeliveryTime: now - 300,
    };
  },
};

const XML_COMPLETIONS: { readonly [operation: string]: string | undefined } = {
  GetBucketRequestPayment: '<RequestPaymentConfiguration><Payer>BucketOwner</Payer></RequestPaymentConfiguration>',
  GetBucketPolicyStatus: '<PolicyStatus><IsPublic>false</IsPublic></PolicyStatus>',
  GetAccessPointPolicyStatus:
    '<GetAccessPointPolicyStatusResult><PolicyStatus><IsPublic>false</IsPublic></PolicyStatus></GetAccessPointPolicyStatusResult>',
};

function deny(request: IncomingMessage, response: ServerResponse, { protocol }: Asked): void {
  if (protocol === 'json') {
    response
      .writeHead(403, { 'content-type': 'application/x-amz-json-1.1', 'x-amzn-errortype': 'AccessDeniedException' })
      .end(JSON.stringify({ __type: 'AccessDeniedException', message: 'not authorized' }));
    return;
  }
  const error = '<Code>AccessDenied</Code><Message>Access Denied</Message>';
  const query = String(request.headers['content-type']).startsWith('application/x-www-form-urlencoded');
  response
    .writeHead(403, { 'content-type': 'application/xml' })
    .end(
      request.method === 'HEAD'
        ? undefined
        : query || request.url?.startsWith('/v20180820/')
          ? `<ErrorResponse><Error>${error}</Error></ErrorResponse>`
          : `<Error>${error}</Error>`,
    );
}

/** moto answers GetObjectRetention with the object itself; its HEAD has the lock headers. */
async function retentionFromHead(store: Store, url: URL, request: IncomingMessage, response: ServerResponse) {
  const versionId = url.searchParams.get('versionId');
  const version = versionId && versionId !== 'null' ? `?${new URLSearchParams({ versionId })}` : '';
  const { status, headers } = await toldBy(store, 'HeadObject', {
    method: 'HEAD',
    target: url.pathname + version,
    headers: { authorization: request.headers.authorization },
    body: Buffer.alloc(0),
  });
  const mode = headers.get('x-amz-object-lock-mode');
  const until = headers.get('x-amz-object-lock-retain-until-date');
  if (status !== 200 || !mode || !until) {
    const code = status === 200 ? 'NoSuchObjectLockConfiguration' : 'NoSuchKey';
    response
      .writeHead(404, { 'content-type': 'application/xml' })
      .end(`<Error><Code>${code}</Code><Message>none</Message></Error>`);
    return;
  }
  response
    .writeHead(200, { 'content-type': 'application/xml' })
    .end(`<Retention><Mode>${mode}</Mode><RetainUntilDate>${until}</RetainUntilDate></Retention>`);
}

const SUBRESOURCES: readonly (readonly [string, string])[] = [
  ['object-lock', 'ObjectLockConfiguration'],
  ['versioning', 'BucketVersioning'],
  ['lifecycle', 'BucketLifecycleConfiguration'],
  ['policyStatus', 'BucketPolicyStatus'],
  ['policy', 'BucketPolicy'],
  ['publicAccessBlock', 'PublicAccessBlock'],
  ['ownershipControls', 'BucketOwnershipControls'],
  ['acl', 'BucketAcl'],
  ['logging', 'BucketLogging'],
  ['encryption', 'BucketEncryption'],
  ['replication', 'BucketReplication'],
  ['requestPayment', 'BucketRequestPayment'],
  ['location', 'BucketLocation'],
  ['retention', 'ObjectRetention'],
  ['legal-hold', 'ObjectLegalHold'],
];

const CONTROL_PATHS: readonly (readonly [RegExp, string])[] = [
  [/^\/configuration\/publicAccessBlock$/, 'GetAccountPublicAccessBlock'],
  [/^\/accesspoint$/, 'ListAccessPoints'],
  [/^\/accesspoint\/[^/]+$/, 'GetAccessPoint'],
  [/^\/accesspoint\/[^/]+\/policy$/, 'GetAccessPointPolicy'],
  [/^\/accesspoint\/[^/]+\/policyStatus$/, 'GetAccessPointPolicyStatus'],
  [/^\/mrap\/instances$/, 'ListMultiRegionAccessPoints'],
  [/^\/mrap\/instances\/[^/]+\/policy$/, 'GetMultiRegionAccessPointPolicy'],
];

/** Of calls that write only the protocol matters. */
function operationOf(request: IncomingMessage, url: URL, body: Buffer): Asked {
  const target = request.headers['x-amz-target'];
  if (typeof target === 'string') return { operation: target.split('.').at(-1) ?? target, protocol: 'json' };
  if (url.pathname === '/listRegions') return { operation: 'ListRegions', protocol: 'json' };
  const type = String(request.headers['content-type']);
  if (type.startsWith('application/x-www-form-urlencoded')) {
    return { operation: new URLSearchParams(body.toString()).get('Action') ?? '', protocol: 'xml' };
  }
  const read = request.method === 'GET' || request.method === 'HEAD';
  const verb = read ? '' : `${request.method} `;
  if (url.pathname.startsWith('/v20180820/')) {
    const path = url.pathname.slice('/v20180820'.length);
    const found = CONTROL_PATHS.find(([pattern]) => pattern.test(path));
    return { operation: verb + (found?.[1] ?? path), protocol: 'xml' };
  }
  if (request.method === 'HEAD') return { operation: 'HeadBucket', protocol: 'xml' };
  if (url.searchParams.has('versions')) return { operation: 'ListObjectVersions', protocol: 'xml' };
  if (url.searchParams.get('list-type') === '2') return { operation: 'ListObjectsV2', protocol: 'xml' };
  const sub = SUBRESOURCES.find(([name]) => url.searchParams.has(name));
  return { operation: `${verb || 'Get'}${sub?.[1] ?? url.pathname}`, protocol: 'xml' };
}
