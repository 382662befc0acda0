import { createHash } from 'node:crypto';
import { copyFile, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { basename, isAbsolute, join, relative, resolve, sep } from 'node:path';
import type { RunHeader, Summary } from '../report/report.ts';
import { openRegular } from '../stream/regular-file.ts';
import { type Signer, signDetached } from './cms.ts';
import {
  type BundleFile,
  MANIFEST,
  MANIFEST_SIGNATURE,
  MANIFEST_TIMESTAMP,
  manifestOf,
  manifestSchema,
  manifestSum,
  SUMS,
  SUMS_SIGNATURE,
  sumsText,
  UNLISTED,
} from './manifest.ts';
import { fetchTimestamp, TimestampError } from './timestamp.ts';

/** A file that belongs in the bundle; it is copied there unless it lies there already. */
export interface Enclosure {
  /** Where it is now; with `content` only the name it is to have. */
  readonly path: string;
  /** What it holds, where it is in no file. */
  readonly content?: Uint8Array;
  readonly role: 'output' | 'input';
  /** What it is to the run: `junit`, `config`, `checkpoint-before`, `snapshot`… */
  readonly name: string;
}

export interface BundleOptions {
  /** Made where it does not exist. */
  readonly directory: string;
  readonly run: RunHeader;
  readonly summary: Summary;
  readonly enclosures: readonly Enclosure[];
  readonly signer?: Signer | undefined;
  /** Epoch milliseconds. Not the clock of the run, which may judge an old snapshot: a certificate is held to this time. */
  readonly signedAt: number;
  /** Address of an RFC 3161 timestamp authority. */
  readonly tsa?: string | undefined;
  /** When it is asked no longer. */
  readonly until?: AbortSignal;
}

/** What could not be added; the bundle is whole without it. */
export interface BundleResult {
  readonly problems: readonly string[];
}

/** Writes the evidence of a run that is over. Each file is written aside and renamed, `evidence.json` after all it lists. */
export async function writeBundle(options: BundleOptions): Promise<BundleResult> {
  const { directory, run, summary, enclosures, signer, signedAt, tsa, until } = options;
  await mkdir(directory, { recursive: true });
  for (const stale of UNLISTED) await rm(join(directory, stale), { force: true });
  const files: BundleFile[] = [];
  for (const enclosure of enclosures) files.push(await enclose(directory, enclosure, files));
  const manifest = manifestSchema.parse(manifestOf(run, summary, files));
  const content = Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`);
  const sums = Buffer.from(sumsText([...manifest.files, manifestSum(content)]));
  const problems: string[] = [];
  if (tsa !== undefined) {
    try {
      await put(directory, MANIFEST_TIMESTAMP, await fetchTimestamp(tsa, content, until));
    } catch (error) {
      if (!(error instanceof TimestampError)) throw error;
      problems.push(error.message);
    }
  }
  if (signer !== undefined) {
    await put(directory, SUMS_SIGNATURE, signDetached(sums, signer, signedAt));
    await put(directory, MANIFEST_SIGNATURE, signDetached(content, signer, signedAt));
  }
  await put(directory, SUMS, sums);
  await put(directory, MANIFEST, content);
  return { problems };
}

async function enclose(
  directory: string,
  { path, role, name, content }: Enclosure,
  others: readonly BundleFile[],
): Promise<BundleFile> {
  const inside = relative(resolve(directory), resolve(path));
  const within = content === undefined && inside !== '' && !inside.startsWith('..') && !isAbsolute(inside);
  const place = within ? inside.split(sep).join('/') : freePlace(`${role}s/${basename(path)}`, others);
  if (!within) {
    await mkdir(join(directory, `${role}s`), { recursive: true });
    if (content === undefined) await copyFile(path, join(directory, place));
    else await writeFile(join(directory, place), content);
  }
  return { path: place, role, name, ...(await digestOf(join(directory, place))) };
}

/** Two inputs of one name, `a/keys.json` and `b/keys.json`, become `keys.json` and `2-keys.json`. */
function freePlace(wanted: string, others: readonly BundleFile[]): string {
  const taken = new Set(others.map(({ path }) => path));
  // biome-ignore lint/suspicious/noControlCharactersInRegex: what the sums could not list is written as _
  const plain = wanted.replace(/[\\\u0000-\u001f\u007f]/g, '_');
  let place = plain;
  for (let n = 2; taken.has(place); n++) place = plain.replace('/', `/${n}-`);
  return place;
}

export async function digestOf(path: string): Promise<{ readonly bytes: number; readonly sha256: string }> {
  const hash = createHash('sha256');
  let bytes = 0;
  const file = await openRegular(path);
  for await (const chunk of file.createReadStream()) {
    hash.update(chunk);
    bytes += chunk.length;
  }
  return { bytes, sha256: hash.digest('hex') };
}

async function put(directory: string, name: string, content: Uint8Array): Promise<void> {
  const aside = join(directory, `.${name}.tmp`);
  await writeFile(aside, content);
  await rename(aside, join(directory, name));
}
