import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { isMap, isScalar, isSeq, LineCounter, parseDocument, type YAMLError } from 'yaml';
import { keyPath } from '../report/issue.ts';
import { explain, type Written } from './explain.ts';
import { nodeAt, type Place, placeOf } from './place.ts';
import { type Config, configSchema } from './schema.ts';
import { contradictions } from './sense.ts';

/** One thing wrong with a config. Lines and columns count from 1; both are 0 where the file as a whole is meant. */
export interface ConfigProblem extends Place {
  readonly file: string;
  /** Where in the config, e.g. `logBuckets[0].retention.days`; empty for the file as a whole. */
  readonly key: string;
  readonly message: string;
}

export interface LoadedConfig {
  readonly config: Config;
  readonly file: string;
  /** Lowercase hex of the bytes of the file. */
  readonly sha256: string;
  /** Where a key stands in the file; the nearest key above where the config does not have it. */
  readonly locate: (path: readonly PropertyKey[]) => Place;
}

export type Loaded =
  | { readonly ok: true; readonly loaded: LoadedConfig }
  | { readonly ok: false; readonly problems: readonly ConfigProblem[] };

const MAX_BYTES = 256 * 1024;
/** Enough for lists that are named once and used in many places; a bomb multiplies them by the thousand. */
const MAX_ALIASES = 200;

export async function readConfig(file: string, nowMs: number): Promise<Loaded> {
  let bytes: Uint8Array;
  try {
    bytes = await readFile(file);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    return refuse(file, `cannot be read (${code})`);
  }
  return parseConfig(bytes, file, nowMs);
}

/** `file` is only named in problems; `nowMs` is what the expiry of waivers is measured against. */
export function parseConfig(bytes: Uint8Array, file: string, nowMs: number): Loaded {
  if (bytes.length > MAX_BYTES) return refuse(file, `is larger than ${MAX_BYTES} bytes`);
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return refuse(file, 'is not UTF-8');
  }
  const lines = new LineCounter();
  let content: unknown;
  let document: ReturnType<typeof parseDocument>;
  try {
    document = parseDocument(text, { lineCounter: lines });
    const broken = [...document.errors, ...document.warnings];
    if (broken.length > 0) return { ok: false, problems: broken.map((error) => syntaxProblem(file, error)) };
    acceptRuleSpelling(document);
    content = document.toJS({ maxAliasCount: MAX_ALIASES }) ?? {};
  } catch (error) {
    if (error instanceof RangeError) return refuse(file, 'is nested too deeply');
    return refuse(file, error instanceof Error ? error.message : String(error));
  }
  const locate = (path: readonly PropertyKey[]): Place => placeOf(document, lines, path, 'value');
  const written: Written = (path) => {
    const node = nodeAt(document, path);
    if (node === undefined && path.length > 0) return 'nothing';
    return { scalar: isScalar(node) ? (node.source ?? null) : null };
  };
  const checked = configSchema.safeParse(content);
  const problems: ConfigProblem[] = checked.success
    ? contradictions(checked.data, nowMs).map(({ path, message }) => ({
        file,
        ...locate(path),
        key: keyPath(path),
        message,
      }))
    : checked.error.issues.flatMap((issue) =>
        explain(issue, written).map(({ path, message, about }) => ({
          file,
          ...placeOf(document, lines, path, about),
          key: keyPath(path),
          message,
        })),
      );
  if (!checked.success || problems.length > 0) {
    return { ok: false, problems: problems.toSorted((a, b) => a.line - b.line || a.column - b.column) };
  }
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  return { ok: true, loaded: { config: checked.data, file, sha256, locate } };
}

/** One line a problem: `file:line:column key: message`. */
export function problemLine(problem: ConfigProblem): string {
  const place = problem.line === 0 ? problem.file : `${problem.file}:${problem.line}:${problem.column}`;
  return problem.key === '' ? `${place}: ${problem.message}` : `${place} ${problem.key}: ${problem.message}`;
}

/** The first release of the event rules wrote `rule` and `match` in waivers; they mean `control` and `scope`. */
function acceptRuleSpelling(document: ReturnType<typeof parseDocument>): void {
  const waivers = document.get('waivers');
  if (!isSeq(waivers)) return;
  for (const item of waivers.items) {
    if (!isMap(item)) continue;
    for (const { key } of item.items) {
      if (!isScalar(key)) continue;
      if (key.value === 'rule') key.value = 'control';
      if (key.value === 'match') key.value = 'scope';
    }
  }
}

function syntaxProblem(file: string, error: YAMLError): ConfigProblem {
  const [start] = error.linePos ?? [];
  const [message] = error.message.split(/ at line \d+, column \d+/);
  return { file, line: start?.line ?? 0, column: start?.col ?? 0, key: '', message: message ?? error.code };
}

function refuse(file: string, message: string): Loaded {
  return { ok: false, problems: [{ file, line: 0, column: 0, key: '', message }] };
}
