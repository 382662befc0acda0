import type { Delegation } from './delegation.ts';

/** Where an object is (or is said to be): the pair that digests name and sign. */
export interface Location {
  readonly bucket: string;
  /** The object key as S3 has it: unescaped, never normalised. */
  readonly key: string;
}

/** Why bytes could not be had. Absence is a fact and may fail a run; everything else only leaves it inconclusive. */
export interface Trouble {
  readonly kind: 'absent' | 'denied' | 'archived' | 'error';
  /** The store's own word: `NoSuchKey`, `AccessDenied`, `ECONNRESET`, `ENOENT`… */
  readonly code: string;
  /** One sentence for people; holds no secret. */
  readonly message: string;
}

/** Thrown by listings, which have no other way to say that they broke off. */
export class SourceError extends Error {
  readonly trouble: Trouble;
  constructor(trouble: Trouble, options?: ErrorOptions) {
    super(trouble.message, options);
    this.name = 'SourceError';
    this.trouble = trouble;
  }
}

export interface ListedObject {
  readonly key: string;
  /** Bytes as stored. */
  readonly size: number;
  /** Epoch milliseconds. */
  readonly lastModified: number;
  /** Of a file: it has gone since its folder was read, and nothing is to be told of it. */
  readonly isGone?: boolean;
}

export interface ListedVersion extends ListedObject {
  readonly versionId: string;
  readonly isLatest: boolean;
  readonly deleteMarker: boolean;
}

/** Object Lock as the headers of a read tell it. */
export interface Lock {
  readonly mode: 'COMPLIANCE' | 'GOVERNANCE' | null;
  /** Epoch milliseconds. */
  readonly retainUntil: number | null;
  readonly legalHold: boolean;
}

export interface StoredObject {
  /** The bytes as stored, never decoded whatever `Content-Encoding` says; streamed where they are many. */
  readonly body: Uint8Array | AsyncIterable<Uint8Array>;
  /** Bytes as stored; the body has exactly as many or reading it throws `SourceError`. */
  readonly size: number;
  /** User metadata, names in lower case without `x-amz-meta-`; `null` where the source keeps none (a plain copy). */
  readonly metadata: Readonly<Record<string, string>> | null;
  /** `null` where the answer carried no lock headers: not locked, or not permitted to see it. */
  readonly lock: Lock | null;
  /** Epoch milliseconds. */
  readonly lastModified: number;
}

export type Opened =
  | { readonly ok: true; readonly object: StoredObject }
  | { readonly ok: false; readonly trouble: Trouble };

/** `lock` is `null` where the object is known to carry no retention. */
export type RetentionAnswer =
  | { readonly ok: true; readonly lock: Lock | null }
  | { readonly ok: false; readonly trouble: Trouble };

export interface Requests {
  list: number;
  get: number;
  /** Bytes of object bodies received. */
  bytes: number;
}

/**
 * The port: where bytes come from. Retries, Region redirects and back-off are the source's business; what it reports is
 * final. Every implementation passes the contract in `test/support/source-contract.ts`.
 */
export interface Source {
  /** The bucket these bytes are read from; `null` for a directory, which does not know what it is a copy of. */
  readonly bucket: string | null;
  /**
   * Every object under the prefix in UTF-8 byte order of its key, a page at a time; with `after`, only those whose key
   * sorts behind it. Throws `SourceError`.
   */
  list(prefix: string, after?: string): AsyncIterable<readonly ListedObject[]>;
  /** The "folders" one level below the prefix, each ending in `/`, in order, and the objects that lie beside them. Throws `SourceError`. */
  folders(prefix: string): Promise<{ readonly folders: readonly string[]; readonly objects: readonly ListedObject[] }>;
  /**
   * All versions and delete markers under the prefix, by key, newest first, a page at a time, which may end among the
   * versions of a key; with `after`, only of keys that sort behind it. `null` where the source has no versions. Throws
   * `SourceError`.
   */
  versions(prefix: string, after?: string): AsyncIterable<readonly ListedVersion[]> | null;
  /** Never throws for a trouble of the world. */
  open(location: Location, versionId?: string): Promise<Opened>;
  /**
   * Asks for the retention by itself, to tell "not locked" from "not permitted to see it" where a read carried no lock
   * headers. Lacking where the source has no locks. Never throws for a trouble of the world.
   */
  retention?(location: Location, versionId?: string): Promise<RetentionAnswer>;
  /** What has been asked so far. */
  readonly requests: Requests;
  /** What a thread needs to read plain objects of that bucket by itself; `null` where only `open` can. Absent: never. */
  delegate?(bucket: string): Promise<Delegation | null>;
  /** User metadata of an object, where it is kept apart from the objects. Throws `SourceError`. */
  metadataOf?(key: string): StoredObject['metadata'];
  close(): Promise<void>;
}
