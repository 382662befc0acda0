import { type ListedObject, type ListedVersion, type Source, SourceError, type Trouble } from '../source/source.ts';

/** A key as a listing shows it. */
export interface Observed {
  readonly key: string;
  /** What a read would give; `null` where a delete marker hides it, or nothing is left but the marker. */
  readonly current: ListedObject | null;
  /** Newest first, delete markers among them; empty where versions cannot be seen. */
  readonly versions: readonly ListedVersion[];
}

/** Lists keys with their versions where the store keeps and shows them, plainly elsewhere. */
export interface Lister {
  /** By key. Throws `SourceError` when not even a plain listing is to be had. */
  objects(prefix: string, after?: string): AsyncGenerator<Observed>;
  /** Why versions are not seen although the store may have them; `null` where they are, or where there are none. */
  readonly blind: Trouble | null;
}

/** A store that has no such listing has no versions either. */
const UNSUPPORTED: ReadonlySet<string> = new Set(['NotImplemented', 'MethodNotAllowed']);

export function createLister(source: Source, wantVersions: boolean): Lister {
  // Unknown until the first listing has shown whether the store lists versions at all.
  let listsVersions = wantVersions ? null : false;
  let blind: Trouble | null = null;

  async function* plain(prefix: string, after?: string): AsyncGenerator<Observed> {
    for await (const object of source.list(prefix, after)) yield { key: object.key, current: object, versions: [] };
  }

  async function* versioned(versions: AsyncIterable<ListedVersion>): AsyncGenerator<Observed> {
    let group: ListedVersion[] = [];
    for await (const version of versions) {
      if (group[0] && group[0].key !== version.key) {
        yield observed(group);
        group = [];
      }
      group.push(version);
    }
    if (group.length > 0) yield observed(group);
  }

  async function* objects(prefix: string, after?: string): AsyncGenerator<Observed> {
    const versions = listsVersions === false ? null : source.versions(prefix, after);
    if (versions === null) {
      yield* plain(prefix, after);
      return;
    }
    let any = false;
    try {
      for await (const one of versioned(versions)) {
        any = true;
        listsVersions = true;
        yield one;
      }
    } catch (error) {
      if (!(error instanceof SourceError) || any || listsVersions) throw error;
      listsVersions = false;
      if (!UNSUPPORTED.has(error.trouble.code)) blind = error.trouble;
    }
    // Some stores answer a listing of versions with nothing at all: then the plain one says what is there.
    if (!any && listsVersions !== true) yield* plain(prefix, after);
  }

  return {
    objects,
    get blind() {
      return blind;
    },
  };
}

function observed(group: readonly ListedVersion[]): Observed {
  const latest = group.find(({ isLatest }) => isLatest) ?? group[0];
  return { key: latest?.key ?? '', current: latest && !latest.deleteMarker ? latest : null, versions: group };
}
