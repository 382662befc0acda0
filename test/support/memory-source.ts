import { compareKeys } from '../../src/source/key-order.ts';
import {
  type ListedObject,
  type ListedVersion,
  type Location,
  type Lock,
  type Opened,
  type Requests,
  type RetentionAnswer,
  type Source,
  SourceError,
  type Trouble,
} from '../../src/source/source.ts';

export interface MemoryObject {
  readonly body: Uint8Array;
  readonly metadata?: Readonly<Record<string, string>> | null;
  readonly lock?: Lock | null;
  readonly lastModified?: number;
}

interface MemoryVersion {
  readonly id: string;
  /** `null`: a delete marker. */
  readonly object: MemoryObject | null;
  readonly at: number;
}

const LARGE = 256 * 1024;

async function* pieces(whole: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < whole.length; at += LARGE) yield await Promise.resolve(whole.subarray(at, at + LARGE));
}

/** A versioned bucket in memory. Times are those given, or count up in seconds from the epoch. */
export class MemorySource implements Source {
  readonly bucket: string;
  readonly requests: Requests = { list: 0, get: 0, bytes: 0 };
  readonly opened: string[] = [];
  closed = false;
  /** Newest first. */
  readonly #objects = new Map<string, MemoryVersion[]>();
  readonly #troubles = new Map<string, Trouble>();
  readonly #brokenPrefixes = new Map<string, Trouble>();
  #versionTrouble: Trouble | null = null;
  #clock = 0;

  constructor(bucket = 'bucket', objects: Readonly<Record<string, Uint8Array | MemoryObject>> = {}) {
    this.bucket = bucket;
    for (const [key, object] of Object.entries(objects)) this.put(key, object);
  }

  put(key: string, object: Uint8Array | MemoryObject): string {
    return this.#add(key, object instanceof Uint8Array ? { body: object } : object);
  }

  /** What a read gives. */
  current(key: string): MemoryObject {
    const object = this.#objects.get(key)?.[0]?.object;
    if (!object) throw new RangeError(`no object ${key}`);
    return object;
  }

  /** Puts a delete marker on top. */
  hide(key: string): string {
    return this.#add(key, null);
  }

  /** As if it had never been there. */
  erase(key: string): void {
    this.#objects.delete(key);
  }

  /** Reading the key has this trouble from now on. */
  refuse(key: string, trouble: Trouble): void {
    this.#troubles.set(key, trouble);
  }

  /** Versions are not shown. */
  refuseVersions(trouble: Trouble): void {
    this.#versionTrouble = trouble;
  }

  /** Listing breaks off where it reaches a key of this prefix. */
  refuseListing(prefix: string, trouble: Trouble): void {
    this.#brokenPrefixes.set(prefix, trouble);
  }

  async *list(prefix: string, after = ''): AsyncGenerator<ListedObject[]> {
    yield* inPages(this.#list(prefix, after));
  }

  async *#list(prefix: string, after: string): AsyncGenerator<ListedObject> {
    this.requests.list++;
    await Promise.resolve();
    for (const key of this.#keys(prefix)) {
      const top = this.#objects.get(key)?.[0];
      if (top?.object && compareKeys(key, after) > 0) yield { key, size: top.object.body.length, lastModified: top.at };
    }
  }

  async folders(prefix: string): Promise<{ folders: string[]; objects: ListedObject[] }> {
    const folders = new Set<string>();
    const objects: ListedObject[] = [];
    for await (const object of this.#list(prefix, '')) {
      const end = object.key.indexOf('/', prefix.length);
      if (end < 0) objects.push(object);
      else folders.add(object.key.slice(0, end + 1));
    }
    return { folders: [...folders], objects };
  }

  async *versions(prefix: string, after?: string): AsyncGenerator<ListedVersion[]> {
    yield* inPages(this.#versions(prefix, after));
  }

  async *#versions(prefix: string, after?: string): AsyncGenerator<ListedVersion> {
    this.requests.list++;
    await Promise.resolve();
    if (this.#versionTrouble) throw new SourceError(this.#versionTrouble);
    for (const key of this.#keys(prefix)) {
      if (after !== undefined && compareKeys(key, after) <= 0) continue;
      for (const [age, { id, object, at }] of (this.#objects.get(key) ?? []).entries()) {
        const size = object?.body.length ?? 0;
        yield { key, size, lastModified: at, versionId: id, isLatest: age === 0, deleteMarker: object === null };
      }
    }
  }

  open({ bucket, key }: Location, versionId?: string): Promise<Opened> {
    this.requests.get++;
    this.opened.push(key);
    const trouble = this.#troubles.get(key);
    if (trouble) return Promise.resolve({ ok: false, trouble });
    const versions = bucket === this.bucket ? (this.#objects.get(key) ?? []) : [];
    const version = versionId === undefined ? versions[0] : versions.find(({ id }) => id === versionId);
    if (!version?.object) {
      return Promise.resolve({ ok: false, trouble: { kind: 'absent', code: 'NoSuchKey', message: 'no such key' } });
    }
    const { body: whole, metadata = null, lock = null } = version.object;
    const size = whole.length;
    this.requests.bytes += size;
    const body = size > LARGE ? pieces(whole) : whole;
    return Promise.resolve({ ok: true, object: { body, size, metadata, lock, lastModified: version.at } });
  }

  retention({ key }: Location): Promise<RetentionAnswer> {
    return Promise.resolve({ ok: true, lock: this.#objects.get(key)?.[0]?.object?.lock ?? null });
  }

  close(): Promise<void> {
    this.closed = true;
    return Promise.resolve();
  }

  #add(key: string, object: MemoryObject | null): string {
    this.#clock++;
    const id = `v${this.#clock}`;
    const at = object?.lastModified ?? this.#clock * 1000;
    this.#objects.set(key, [{ id, object, at }, ...(this.#objects.get(key) ?? [])]);
    return id;
  }

  *#keys(prefix: string): Generator<string> {
    for (const key of [...this.#objects.keys()].sort(compareKeys)) {
      if (!key.startsWith(prefix)) continue;
      for (const [broken, trouble] of this.#brokenPrefixes) if (key.startsWith(broken)) throw new SourceError(trouble);
      yield key;
    }
  }
}

/** Short ones, so that something happens between two of them. */
const PAGE = 3;

async function* inPages<T>(entries: AsyncIterable<T>): AsyncGenerator<T[]> {
  let page: T[] = [];
  try {
    for await (const entry of entries) {
      page.push(entry);
      if (page.length < PAGE) continue;
      yield page;
      page = [];
    }
  } catch (error) {
    if (page.length > 0) yield page;
    throw error;
  }
  if (page.length > 0) yield page;
}
