import { createHash } from 'node:crypto';
import type { PublicKey } from '../chain/signing.ts';
import { MalformedFields } from '../json/fields.ts';
import type { KeySource } from '../keys/key-source.ts';
import { judgeFile, judgeSignature, type ResultReading } from '../lake/judge.ts';
import { parseSignFile, type ResultFile, type SignFile } from '../lake/sign-file.ts';
import { type LakeVerdict, lakeVerdict } from '../lake/verdict.ts';
import type { Subject } from '../report/finding.ts';
import { each } from '../source/pages.ts';
import { type Location, type Opened, type Source, SourceError, type Trouble } from '../source/source.ts';
import { mapOrdered } from '../stream/map-ordered.ts';

export interface QueryResultsRequest {
  readonly source: Source;
  /** Ends in `/` or is empty: this folder, and every folder below it that holds a result. */
  readonly prefix: string;
  readonly keys: KeySource;
  /** Keys at hand, each under the fingerprint that it really has. */
  readonly others: readonly PublicKey[];
  readonly trusted: ReadonlySet<string>;
  /** Asks for keys there instead of in the Region that the sign file names. */
  readonly region: string | null;
  /** Epoch milliseconds. */
  readonly now: number;
}

const SIGN_FILE = 'result_sign.json';
/** CloudTrail's own names, and what somebody might take for one of them. */
const RESULT_FILE = /^result_.*\.csv(?:\.gz)?$/i;
const MAX_SIGN_FILE = 64 * 1024 * 1024;
const FILES_IN_FLIGHT = 16;

/** Proves CloudTrail Lake query results, folder by folder. */
export async function* verifyQueryResults(request: QueryResultsRequest): AsyncGenerator<LakeVerdict> {
  const { source, prefix } = request;
  const { folders, refusal } = await findResults(source, prefix);
  if (refusal) {
    yield lakeVerdict('lake-unlisted', subjectOf(source, prefix), troubleFacts(refusal));
  }
  if (refusal && !folders.has(prefix)) {
    // The sign file has a known name, so it can be read without a listing; that there is none says nothing.
    for await (const verdict of verifyFolder(request, prefix, [])) {
      if (verdict.kind !== 'lake-sign-missing') yield verdict;
    }
  }
  for (const [folder, names] of folders) yield* verifyFolder(request, folder, names);
  if (folders.size === 0 && !refusal) {
    const looked = source.bucket === null ? prefix || 'the directory' : `s3://${source.bucket}/${prefix}`;
    yield lakeVerdict('lake-nothing-found', subjectOf(source, prefix), { looked });
  }
}

/** Names of sign and result files by folder. */
async function findResults(
  source: Source,
  prefix: string,
): Promise<{ folders: Map<string, string[]>; refusal: Trouble | null }> {
  const folders = new Map<string, string[]>();
  try {
    for await (const { key } of each(source.list(prefix))) {
      const at = key.lastIndexOf('/') + 1;
      const [folder, name] = [key.slice(0, at), key.slice(at)];
      if (name !== SIGN_FILE && !RESULT_FILE.test(name)) continue;
      folders.set(folder, [...(folders.get(folder) ?? []), name]);
    }
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    return { folders, refusal: error.trouble };
  }
  return { folders, refusal: null };
}

async function* verifyFolder(
  request: QueryResultsRequest,
  folder: string,
  names: readonly string[],
): AsyncGenerator<LakeVerdict> {
  const { source } = request;
  const signKey = `${folder}${SIGN_FILE}`;
  const read = await readSignFile(source, signKey, folder);
  const named = new Set(read.ok ? read.signFile.files.map(({ name }) => name) : []);
  if (read.ok) {
    const signature = await judged(request, read.signFile, subjectOf(source, signKey));
    yield signature;
    const check = async (file: ResultFile) => {
      const key = `${folder}${file.name}`;
      return judgeFile(
        file,
        subjectOf(source, key),
        signature,
        await hashStored(source, { bucket: source.bucket ?? '', key }),
      );
    };
    yield* mapOrdered(read.signFile.files, FILES_IN_FLIGHT, check);
  } else {
    yield read.verdict;
  }
  for (const name of names.filter((each) => each !== SIGN_FILE && !named.has(each))) {
    const subject = subjectOf(source, `${folder}${name}`);
    yield read.ok
      ? lakeVerdict('lake-file-unnamed', subject, { signFile: signKey })
      : lakeVerdict('lake-file-unattested', subject, {
          reason: `its sign file is ${read.verdict.kind.replace('lake-sign-', '')}`,
        });
  }
}

async function judged(
  { keys, others, trusted, region, now }: QueryResultsRequest,
  signFile: SignFile,
  subject: Subject,
) {
  const around = signFile.completedAt ?? now;
  const where = region ?? signFile.region;
  const answers = await Promise.all([...trusted].map((fingerprint) => keys.find(where, fingerprint, around)));
  const found = answers.flatMap((answer) => (answer.ok ? [answer.key] : []));
  const named = await keys.find(where, signFile.fingerprint, around);
  return judgeSignature(signFile, subject, { named, others: [...others, ...found], trusted });
}

type ReadSignFile =
  | { readonly ok: true; readonly signFile: SignFile }
  | { readonly ok: false; readonly verdict: LakeVerdict };

async function readSignFile(source: Source, key: string, folder: string): Promise<ReadSignFile> {
  const subject = subjectOf(source, key);
  const failed = (verdict: LakeVerdict): ReadSignFile => ({ ok: false, verdict });
  const opened = await source.open({ bucket: source.bucket ?? '', key });
  if (!opened.ok) {
    return failed(
      opened.trouble.kind === 'absent'
        ? lakeVerdict('lake-sign-missing', subject, { folder: folder || 'the folder' })
        : lakeVerdict('lake-sign-unreadable', subject, troubleFacts(opened.trouble)),
    );
  }
  if (opened.object.size > MAX_SIGN_FILE) {
    return failed(lakeVerdict('lake-sign-malformed', subject, { reason: `larger than ${MAX_SIGN_FILE} bytes` }));
  }
  const pieces: Uint8Array[] = [];
  try {
    for await (const piece of bodyOf(opened)) pieces.push(piece);
    return { ok: true, signFile: parseSignFile(Buffer.concat(pieces)) };
  } catch (error) {
    if (error instanceof MalformedFields) {
      return failed(lakeVerdict('lake-sign-malformed', subject, { reason: error.message }));
    }
    if (!(error instanceof SourceError)) throw error;
    return failed(lakeVerdict('lake-sign-unreadable', subject, troubleFacts(error.trouble)));
  }
}

/** SHA-256 of an object's bytes as stored: Lake signs the compressed file. */
async function hashStored(source: Source, location: Location): Promise<ResultReading> {
  const opened = await source.open(location);
  if (!opened.ok) return { kind: 'trouble', trouble: opened.trouble };
  const hash = createHash('sha256');
  try {
    for await (const piece of bodyOf(opened)) hash.update(piece);
  } catch (error) {
    if (error instanceof SourceError) return { kind: 'trouble', trouble: error.trouble };
    throw error;
  }
  return { kind: 'hash', sha256: hash.digest() };
}

function bodyOf({ object }: Extract<Opened, { ok: true }>): Iterable<Uint8Array> | AsyncIterable<Uint8Array> {
  return object.body instanceof Uint8Array ? [object.body] : object.body;
}

function subjectOf({ bucket }: Source, key: string): Subject {
  return { type: 'object', ...(bucket === null ? {} : { bucket }), key };
}

function troubleFacts({ code, message }: Trouble): { code: string; detail: string } {
  return { code, detail: message };
}
