import type { Identity } from '../../aws/clients.ts';
import type { GetRequest } from './answer.ts';
import { GetSigner } from './get-signer.ts';

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

/** What is to be sent to ask one bucket for something. */
export class SignedGets {
  readonly #path: string;
  readonly #host: string;
  readonly #amz: Readonly<Record<string, string>>;
  readonly #signer: GetSigner;

  constructor(
    { hostname, port, path, signingRegion, signingName }: Endpoint,
    { expectedBucketOwner }: { readonly expectedBucketOwner?: string },
  ) {
    this.#path = path;
    this.#host = port === undefined ? hostname : `${hostname}:${port}`;
    this.#amz = expectedBucketOwner === undefined ? {} : { 'x-amz-expected-bucket-owner': expectedBucketOwner };
    this.#signer = new GetSigner(signingRegion, signingName);
  }

  object(identity: Identity, { key, versionId, resume }: Omit<GetRequest, 'bucket'>): SignedGet {
    const query = versionId === undefined ? '' : `versionId=${escaped(versionId)}`;
    return this.#sign(identity, `${this.#path}/${encodeKey(key)}`, query, resume);
  }

  /** Of the bucket itself. The query is escaped and in the order of its names. */
  list(identity: Identity, query: string): SignedGet {
    return this.#sign(identity, `${this.#path}/`, query);
  }

  #sign(identity: Identity, path: string, query: string, resume?: GetRequest['resume']): SignedGet {
    const headers = this.#signer.sign(identity, { host: this.#host, path, query, amz: this.#amz }, Date.now());
    headers['user-agent'] = 'trailseal';
    if (resume) {
      headers['range'] = `bytes=${resume.from}-`;
      headers['if-match'] = resume.etag;
    }
    return { target: query === '' ? path : `${path}?${query}`, headers };
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
