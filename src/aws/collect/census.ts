import type { Counted, ObjectKind, ObjectSurvey, ObjectVersion, SampledVersion } from '../../posture/object-facts.ts';
import type { ObjectSurveyScope } from '../../posture/scope.ts';

/** What a listing says of one version or delete marker. */
export interface Listed {
  readonly Key?: string;
  readonly VersionId?: string;
  readonly IsLatest?: boolean;
  readonly LastModified?: string;
  readonly StorageClass?: string;
  readonly Owner?: { readonly ID?: string };
}

/** How many of a kind of trouble are named; all are counted. */
const NAMED = 50;
const ARCHIVE_CLASSES = new Set(['GLACIER', 'DEEP_ARCHIVE']);
const LOG_KEY = /(?:^|\/)AWSLogs\/(?:o-[a-z0-9]+\/)?\d{12}\/CloudTrail(-Digest)?\/./;

/** `null` for objects that are neither logs nor digests (insight files, test files of the console). */
function kindOf(key: string): ObjectKind | null {
  const match = LOG_KEY.exec(key);
  if (!match) return null;
  return match[1] ? 'digest' : 'log';
}

/** Counts a listing in one pass, in any order of calls that keeps the versions of a key together. */
export class Census {
  readonly #sample: ObjectSurveyScope;
  readonly #random: () => number;
  readonly #population = { log: 0, digest: 0 };
  readonly #reservoir: { readonly [kind in ObjectKind]: ObjectVersion[] } = { log: [], digest: [] };
  readonly #deleteMarkers = new Tally();
  readonly #overwritten = new Tally();
  readonly #preVersioning = new Tally();
  readonly #archived = new Tally((a, b) => (a.LastModified > b.LastModified ? -1 : 1));
  #previous = { key: '', versions: 0 };

  constructor(sample: ObjectSurveyScope) {
    this.#sample = sample;
    this.#random = seeded(sample.seed);
  }

  version(listed: Listed): void {
    const version = versionOf(listed);
    if (!version) return;
    this.#population[version.kind] += 1;
    this.#draw(version);
    if (version.VersionId === 'null') this.#preVersioning.add(version);
    if (ARCHIVE_CLASSES.has(version.StorageClass ?? '')) this.#archived.add(version);
    const versions = version.Key === this.#previous.key ? this.#previous.versions + 1 : 1;
    this.#previous = { key: version.Key, versions };
    if (versions === 2) this.#overwritten.add(version);
  }

  deleteMarker(listed: Listed): void {
    const marker = versionOf(listed);
    if (marker) this.#deleteMarkers.add(marker);
  }

  /** Versions whose retention is to be asked, logs first, by key. */
  sampled(): readonly ObjectVersion[] {
    const byKey = (a: ObjectVersion, b: ObjectVersion): number =>
      a.Key === b.Key ? (a.VersionId < b.VersionId ? -1 : 1) : a.Key < b.Key ? -1 : 1;
    return [...this.#reservoir.log.sort(byKey), ...this.#reservoir.digest.sort(byKey)];
  }

  survey(prefixes: readonly string[], complete: boolean, sampled: readonly SampledVersion[]): ObjectSurvey {
    return {
      prefixes,
      complete,
      population: { ...this.#population },
      deleteMarkers: this.#deleteMarkers.counted(),
      overwritten: this.#overwritten.counted(),
      preVersioning: this.#preVersioning.counted(),
      archived: this.#archived.counted(),
      sample: { size: this.#sample.sample, seed: this.#sample.seed },
      sampled,
    };
  }

  /** Reservoir sampling: each version of a kind is as likely as any other to be in the sample. */
  #draw(version: ObjectVersion): void {
    const reservoir = this.#reservoir[version.kind];
    const size = this.#sample.sample;
    if (size === 'all' || reservoir.length < size) {
      reservoir.push(version);
      return;
    }
    const place = Math.floor(this.#random() * this.#population[version.kind]);
    if (place < size) reservoir[place] = version;
  }
}

/** Counts all, keeps the first `NAMED` in the given order (order of arrival without one). */
class Tally {
  #count = 0;
  readonly #first: ObjectVersion[] = [];
  readonly #order: ((a: ObjectVersion, b: ObjectVersion) => number) | undefined;

  constructor(order?: (a: ObjectVersion, b: ObjectVersion) => number) {
    this.#order = order;
  }

  add(version: ObjectVersion): void {
    this.#count += 1;
    if (this.#order === undefined && this.#first.length >= NAMED) return;
    this.#first.push(version);
    if (this.#order === undefined || this.#first.length <= 2 * NAMED) return;
    this.#first.sort(this.#order).splice(NAMED);
  }

  counted(): Counted {
    const first = this.#order ? this.#first.sort(this.#order) : this.#first;
    return { count: this.#count, first: first.slice(0, NAMED) };
  }
}

function versionOf({ Key, VersionId = 'null', IsLatest = false, LastModified, StorageClass, Owner }: Listed) {
  const kind = Key === undefined ? null : kindOf(Key);
  if (Key === undefined || kind === null || LastModified === undefined) return null;
  return {
    kind,
    Key,
    VersionId,
    IsLatest,
    LastModified,
    ...(StorageClass ? { StorageClass } : {}),
    ...(Owner?.ID ? { Owner: Owner.ID } : {}),
  } satisfies ObjectVersion;
}

/** Mulberry32: small, and the same everywhere for the same seed. Uniform in [0, 1). */
function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000;
  };
}
