import type { ListedObject, ListedVersion } from '../source.ts';
import { collect, collectChunked } from './body.ts';
import { readHead } from './head.ts';
import type { LeanGet } from './lean-get.ts';
import { byKeyNewestFirst, type Page, type PageRequest, type VersionPage, type VersionPageRequest } from './listing.ts';
import { ownText } from './own-text.ts';
import { escaped } from './signed-get.ts';

/** A page of 1,000 long keys has some 600 KB. */
const MAX_DOCUMENT = 16 * 1024 * 1024;

/**
 * One page of a listing, asked and read without the SDK, whose XML takes ten times as long. `null` where the answer is
 * not a page as S3 writes it: then the SDK asks. Throws what the network throws.
 */
export async function leanPage(lean: LeanGet, request: PageRequest, idleTimeoutMs: number): Promise<Page | null> {
  const { prefix, delimiter, after, token } = request;
  const xml = await ask(lean, idleTimeoutMs, [
    ['continuation-token', token],
    ['delimiter', delimiter],
    ['encoding-type', 'url'],
    ['list-type', '2'],
    ['prefix', prefix],
    // Ignored beside a token, which some stores do not know.
    ['start-after', token === undefined ? after : undefined],
  ]);
  return xml === null ? null : readPage(xml);
}

/** The same of all versions. */
export async function leanVersionPage(
  lean: LeanGet,
  { prefix, after }: VersionPageRequest,
  idleTimeoutMs: number,
): Promise<VersionPage | null> {
  const xml = await ask(lean, idleTimeoutMs, [
    ['encoding-type', 'url'],
    ['key-marker', after?.key],
    ['prefix', prefix],
    ['version-id-marker', after?.versionId],
    ['versions', ''],
  ]);
  return xml === null ? null : readVersionPage(xml);
}

/** The document that answers; parameters in the order of their names, as the signature wants them. */
async function ask(
  lean: LeanGet,
  idleTimeoutMs: number,
  parameters: readonly (readonly [string, string | undefined])[],
): Promise<string | null> {
  const given = parameters.flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${escaped(value)}`]));
  const answer = await lean.list(given.join('&'));
  if (!answer.ok) return null;
  const { length } = readHead(answer.headers);
  if (length !== null && length > MAX_DOCUMENT) {
    answer.body.destroy();
    return null;
  }
  const document =
    length === null
      ? await collectChunked(answer.body, MAX_DOCUMENT, idleTimeoutMs)
      : await collect(answer.body, length, idleTimeoutMs);
  return Buffer.from(document.buffer, document.byteOffset, document.length).toString();
}

/** The marks around an element without attributes. */
interface Tag {
  readonly open: string;
  readonly close: string;
}

/** Made once: a page has thousands of each. */
function tag(name: string): Tag {
  return { open: `<${name}>`, close: `</${name}>` };
}

const COMMON_PREFIXES = tag('CommonPrefixes');
const CONTENTS = tag('Contents');
const DELETE_MARKER = tag('DeleteMarker');
const IS_LATEST = tag('IsLatest');
const IS_TRUNCATED = tag('IsTruncated');
const KEY = tag('Key');
const KEY_COUNT = tag('KeyCount');
const LAST_MODIFIED = tag('LastModified');
const NEXT_CONTINUATION_TOKEN = tag('NextContinuationToken');
const NEXT_KEY_MARKER = tag('NextKeyMarker');
const NEXT_VERSION_ID_MARKER = tag('NextVersionIdMarker');
const PREFIX = tag('Prefix');
const SIZE = tag('Size');
const VERSION = tag('Version');
const VERSION_ID = tag('VersionId');

/** `null` for every document that is not wholly understood. */
function readPage(xml: string): Page | null {
  if (!isWhole(xml, 'ListBucketResult')) return null;
  const objects = readAll(xml, CONTENTS, (from, to) => readObject(xml, from, to));
  const folders = readAll(xml, COMMON_PREFIXES, (from, to) => decoded(textOf(xml, PREFIX, from, to)));
  if (objects === null || folders === null) return null;
  const count = textOf(xml, KEY_COUNT, 0, xml.length);
  if (count !== null && Number(count) !== objects.length + folders.length) return null;
  const isTruncated = textOf(xml, IS_TRUNCATED, 0, xml.length);
  const token = textOf(xml, NEXT_CONTINUATION_TOKEN, 0, xml.length);
  if (isTruncated === 'false') return { objects, folders, token: null };
  return isTruncated === 'true' && token !== null && token !== '' && !token.includes('&')
    ? { objects, folders, token }
    : null;
}

/** `null` for every document that is not wholly understood. */
function readVersionPage(xml: string): VersionPage | null {
  if (!isWhole(xml, 'ListVersionsResult')) return null;
  const of = (element: Tag, deleteMarker: boolean) =>
    readAll(xml, element, (from, to): ListedVersion | null => {
      const object = readObject(xml, from, to, deleteMarker ? 0 : undefined);
      const versionId = textOf(xml, VERSION_ID, from, to);
      const isLatest = textOf(xml, IS_LATEST, from, to);
      if (object === null || versionId === null || versionId.includes('&') || isLatest === null) return null;
      return { ...object, versionId: ownText(versionId), isLatest: isLatest === 'true', deleteMarker };
    });
  const [kept, markers] = [of(VERSION, false), of(DELETE_MARKER, true)];
  if (kept === null || markers === null) return null;
  const versions = [...kept, ...markers].sort(byKeyNewestFirst);
  const isTruncated = textOf(xml, IS_TRUNCATED, 0, xml.length);
  if (isTruncated === 'false') return { versions, next: null };
  const key = decoded(textOf(xml, NEXT_KEY_MARKER, 0, xml.length));
  const versionId = textOf(xml, NEXT_VERSION_ID_MARKER, 0, xml.length);
  if (isTruncated !== 'true' || key === null || versionId?.includes('&')) return null;
  return { versions, next: { key, ...(versionId !== null && { versionId }) } };
}

/** Not cut off, and its keys in the encoding that was asked for. */
function isWhole(xml: string, root: string): boolean {
  return xml.trimEnd().endsWith(`</${root}>`) && xml.includes('<EncodingType>url</EncodingType>');
}

/** What `read` makes of each such element; `null` where it understands one of them not, or one lies in another. */
function readAll<T>(xml: string, { open, close }: Tag, read: (from: number, to: number) => T | null): T[] | null {
  const found: T[] = [];
  // Nothing is looked for behind what is not understood: over and over again it would take hours.
  for (let from = xml.indexOf(open); from >= 0; ) {
    const to = xml.indexOf(close, from);
    const next = xml.indexOf(open, from + 1);
    const one = to < 0 || (next >= 0 && next < to) ? null : read(from, to);
    if (one === null) return null;
    found.push(one);
    from = next;
  }
  return found;
}

function readObject(xml: string, from: number, to: number, size?: number): ListedObject | null {
  const key = decoded(textOf(xml, KEY, from, to));
  const bytes = size ?? Number(textOf(xml, SIZE, from, to) || Number.NaN);
  const lastModified = Date.parse(textOf(xml, LAST_MODIFIED, from, to) ?? '');
  if (key === null || !Number.isSafeInteger(bytes) || Number.isNaN(lastModified)) return null;
  return { key, size: bytes, lastModified };
}

/** Between the first such tags in that part; what has an entity in it is left to a parser. */
function textOf(xml: string, { open, close }: Tag, from: number, to: number): string | null {
  const begin = xml.indexOf(open, from);
  const end = begin < 0 ? -1 : xml.indexOf('<', begin + 1);
  if (end < 0 || end > to || !xml.startsWith(close, end)) return null;
  return xml.slice(begin + open.length, end);
}

/** XML cannot carry every key, so they come in URL encoding, where a space is a plus. */
function decoded(text: string | null): string | null {
  if (text === null || text === '' || text.includes('&')) return null;
  if (!text.includes('%') && !text.includes('+')) return ownText(text);
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return null;
  }
}
