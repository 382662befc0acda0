import { type Content, type InflateLimits, inflate, type Malformed } from '../stream/inflate.ts';
import { type Location, type Lock, type Source, SourceError, type StoredObject, type Trouble } from './source.ts';

/** What a read tells besides the bytes. */
export interface Head {
  /** As in `StoredObject`. */
  readonly metadata: Readonly<Record<string, string>> | null;
  readonly lock: Lock | null;
  /** Epoch milliseconds. */
  readonly lastModified: number;
}

/** What came of reading one object: a plain value, so that a worker thread may make it. */
export type Reading =
  | (Content & { readonly head: Head })
  | (Malformed & { readonly head: Head })
  | { readonly kind: 'trouble'; readonly trouble: Trouble };

export interface ReadOptions {
  /** Whether the content itself is wanted, not only its hash. */
  readonly keep: boolean;
  /** Another version than the current one. */
  readonly versionId?: string;
  readonly limits?: Partial<InflateLimits>;
}

/** The one way the pipeline reads: opens, inflates and hashes. Never throws for a trouble of the world. */
export async function readObject(source: Source, location: Location, options: ReadOptions): Promise<Reading> {
  try {
    const opened = await source.open(location, options.versionId);
    if (!opened.ok) return { kind: 'trouble', trouble: opened.trouble };
    const { keep, limits } = options;
    const inflated = await inflate(opened.object.body, limits === undefined ? { keep } : { keep, limits });
    return { ...inflated, head: headOf(opened.object) };
  } catch (error) {
    if (error instanceof SourceError) return { kind: 'trouble', trouble: error.trouble };
    throw error;
  }
}

function headOf({ metadata, lock, lastModified }: StoredObject): Head {
  return { metadata, lock, lastModified };
}
