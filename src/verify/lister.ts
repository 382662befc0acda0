import { type ListedObject, type ListedVersion, type Source, SourceError, type Trouble } from '../source/source.ts';

/** A key as a listing shows it. */
export interface Observed {
  readonly key: string;
  /** What a read would give; `null` where a delete marker hides it, or nothing is left but the marker. */
  readonly current: ListedObject | null;
  /** Newest first: those on top, and the first `SHOWN` that are no delete markers. Empty where versions cannot be seen. */
  readonly versions: readonly ListedVersion[];
  /** How many there are, delete markers apart. */
  readonly kept: number;
}

/** A key can have any number of versions, and nobody looks at more. */
export const SHOWN = 10;

/** Lists keys with their versions where the store keeps and shows them, plainly elsewhere. */
export interface Lister {
  /** By key, a page at a time. Throws `SourceError` when not even a plain listing is to be had. */
  objects(prefix: string): AsyncGenerator<readonly Observed[]>;
  /** The same, but nothing where versions are not to be seen. Throws `SourceError`. */
  history(prefix: string): AsyncGenerator<readonly Observed[]>;
  /** Why versions are not seen although the store may have them; `null` where they are, or where there are none. */
  readonly blind: Trouble | null;
}

/** A store that has no such listing has no versions either. */
const UNSUPPORTED: ReadonlySet<string> = new Set(['NotImplemented', 'MethodNotAllowed']);

export function createLister(source: Source, wantVersions: boolean): Lister {
  // Unknown until the first listing has shown whether the store lists versions at all.
  let listsVersions = wantVersions ? null : false;
  let blind: Trouble | null = null;

  async function* history(prefix: string): AsyncGenerator<readonly Observed[]> {
    const versions = listsVersions === false ? null : source.versions(prefix);
    if (versions === null) return;
    try {
      for await (const some of byKey(versions)) {
        listsVersions = true;
        yield some;
      }
    } catch (error) {
      if (!(error instanceof SourceError) || listsVersions) throw error;
      listsVersions = false;
      if (!UNSUPPORTED.has(error.trouble.code)) blind = error.trouble;
    }
  }

  async function* objects(prefix: string): AsyncGenerator<readonly Observed[]> {
    let any = false;
    for await (const some of history(prefix)) {
      any = true;
      yield some;
    }
    // Some stores answer a listing of versions with nothing at all: then the plain one says what is there.
    if (any || listsVersions === true) return;
    for await (const page of source.list(prefix)) {
      yield page.map((object) => ({ key: object.key, current: object, versions: [], kept: 1 }));
    }
  }

  return {
    objects,
    history,
    get blind() {
      return blind;
    },
  };
}

async function* byKey(pages: AsyncIterable<readonly ListedVersion[]>): AsyncGenerator<readonly Observed[]> {
  let group: { readonly versions: [ListedVersion, ...ListedVersion[]]; kept: number } | null = null;
  for await (const versions of pages) {
    const whole: Observed[] = [];
    for (const version of versions) {
      if (group === null || group.versions[0].key !== version.key) {
        if (group !== null) whole.push(observed(group));
        group = { versions: [version], kept: 0 };
      } else if (version.isLatest || (!version.deleteMarker && group.kept < SHOWN)) {
        group.versions.push(version);
      }
      if (!version.deleteMarker) group.kept++;
    }
    if (whole.length > 0) yield whole;
  }
  if (group !== null) yield [observed(group)];
}

function observed({
  versions,
  kept,
}: Pick<Observed, 'kept'> & { versions: [ListedVersion, ...ListedVersion[]] }): Observed {
  const latest = versions.find(({ isLatest }) => isLatest) ?? versions[0];
  return { key: latest.key, current: latest.deleteMarker ? null : latest, versions, kept };
}
