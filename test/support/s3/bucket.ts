import { createHash } from 'node:crypto';
import { compareKeys } from '../../../src/source/key-order.ts';
import type { Lock } from '../../../src/source/source.ts';

export interface ObjectInit {
  readonly body: Uint8Array;
  readonly metadata?: Readonly<Record<string, string>>;
  readonly lock?: Lock | null;
  /** Epoch milliseconds, whole seconds; by default they count up from 2026-01-01. */
  readonly lastModified?: number;
  /** Such as `GLACIER`, whose objects answer `InvalidObjectState` until restored. */
  readonly storageClass?: string;
  /** Further headers of the answer, such as `content-encoding`. */
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Version {
  readonly key: string;
  readonly versionId: string;
  readonly lastModified: number;
  /** `null`: a delete marker. */
  readonly object: ObjectInit | null;
  readonly etag: string;
}

const FIRST = Date.parse('2026-01-01T00:00:00Z');

/** A versioned bucket of the test server. */
export class Bucket {
  /** `null`: answers every Region, as compatible stores do. */
  readonly region: string | null;
  /** What a request signed for another Region is answered. */
  wrongRegion: 301 | 307 | 400 = 301;
  /** Newest first. */
  readonly #versions = new Map<string, Version[]>();
  #order: string[] | null = null;
  #count = 0;

  constructor(region: string | null = null) {
    this.region = region;
  }

  put(key: string, object: ObjectInit | Uint8Array): string {
    return this.#add(key, object instanceof Uint8Array ? { body: object } : object);
  }

  /** Puts a delete marker on top. */
  hide(key: string): string {
    return this.#add(key, null);
  }

  /** As if it had never been there. */
  erase(key: string): void {
    this.#versions.delete(key);
    this.#order = null;
  }

  find(key: string, versionId?: string | null): Version | undefined {
    const versions = this.#versions.get(key) ?? [];
    return versionId ? versions.find((version) => version.versionId === versionId) : versions[0];
  }

  /** Keys that begin with the prefix and come after (or at) a place, in the order of S3. */
  *keys(prefix: string, from = ''): Generator<string> {
    this.#order ??= [...this.#versions.keys()].sort(compareKeys);
    const start = compareKeys(from, prefix) > 0 ? from : prefix;
    for (let at = lowerBound(this.#order, start); at < this.#order.length; at++) {
      const key = this.#order[at] ?? '';
      if (!key.startsWith(prefix)) return;
      yield key;
    }
  }

  versions(key: string): readonly Version[] {
    return this.#versions.get(key) ?? [];
  }

  #add(key: string, object: ObjectInit | null): string {
    this.#count++;
    const versionId = `version-${this.#count}`;
    const lastModified = object?.lastModified ?? FIRST + this.#count * 1000;
    const etag = createHash('md5')
      .update(object?.body ?? '')
      .digest('hex');
    const older = this.#versions.get(key) ?? [];
    this.#versions.set(key, [{ key, versionId, lastModified, object, etag }, ...older]);
    if (older.length === 0) this.#order = null;
    return versionId;
  }
}

function lowerBound(sorted: readonly string[], wanted: string): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (compareKeys(sorted[middle] ?? '', wanted) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
