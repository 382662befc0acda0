import type { Readable } from 'node:stream';

export interface GetRequest {
  readonly bucket: string;
  readonly key: string;
  readonly versionId?: string;
  /** Goes on where an earlier answer broke off, as long as the object is still the same. */
  readonly resume?: { readonly from: number; readonly etag: string };
}

export type Headers = Readonly<Record<string, string | string[] | undefined>>;

export interface Refusal {
  readonly ok: false;
  readonly status: number;
  /** S3's word; the status where the answer has none. */
  readonly code: string;
  readonly message: string;
}

/** One answer to one GET. */
export type Answer = { readonly ok: true; readonly headers: Headers; readonly body: Readable } | Refusal;

/** One way to ask: no retries, no meaning. Throws what the network throws. */
export interface Getter {
  /** There is no further way after the SDK's. */
  readonly isLast: boolean;
  get(request: GetRequest): Promise<Answer>;
}
