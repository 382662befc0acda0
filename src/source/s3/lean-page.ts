import type { ListedObject } from '../source.ts';
import { collect, collectChunked } from './body.ts';
import { readHead } from './head.ts';
import { escaped, type LeanGet } from './lean-get.ts';
import type { Page, PageRequest } from './listing.ts';

/** A page of 1,000 long keys has some 600 KB. */
const MAX_DOCUMENT = 16 * 1024 * 1024;

/**
 * One page of a listing, asked and read without the SDK, whose XML takes ten times as long. `null` where the answer is
 * not a page as S3 writes it: then the SDK asks. Throws what the network throws.
 */
export async function leanPage(lean: LeanGet, request: PageRequest, idleTimeoutMs: number): Promise<Page | null> {
  const answer = await lean.list(queryOf(request));
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
  return readPage(Buffer.from(document.buffer, document.byteOffset, document.length).toString());
}

/** In the order of the names, as the signature wants them. */
function queryOf({ prefix, delimiter, after, token }: PageRequest): string {
  const parameters = [
    ['continuation-token', token],
    ['delimiter', delimiter],
    ['encoding-type', 'url'],
    ['list-type', '2'],
    ['prefix', prefix],
    // Ignored beside a token, which some stores do not know.
    ['start-after', token === undefined ? after : undefined],
  ] as const;
  return parameters.flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${escaped(value)}`])).join('&');
}

/** `null` for every document that is not wholly understood. */
export function readPage(xml: string): Page | null {
  if (!xml.trimEnd().endsWith('</ListBucketResult>') || !xml.includes('<EncodingType>url</EncodingType>')) return null;
  const objects: ListedObject[] = [];
  const folders: string[] = [];
  for (let at = xml.indexOf('<Contents>'); at >= 0; at = xml.indexOf('<Contents>', at + 1)) {
    const end = xml.indexOf('</Contents>', at);
    const key = decoded(textOf(xml, 'Key', at, end));
    const size = Number(textOf(xml, 'Size', at, end) ?? Number.NaN);
    const lastModified = Date.parse(textOf(xml, 'LastModified', at, end) ?? '');
    if (key === null || !Number.isSafeInteger(size) || Number.isNaN(lastModified)) return null;
    objects.push({ key, size, lastModified });
  }
  for (let at = xml.indexOf('<CommonPrefixes>'); at >= 0; at = xml.indexOf('<CommonPrefixes>', at + 1)) {
    const folder = decoded(textOf(xml, 'Prefix', at, xml.indexOf('</CommonPrefixes>', at)));
    if (folder === null) return null;
    folders.push(folder);
  }
  const count = textOf(xml, 'KeyCount', 0, xml.length);
  const isTruncated = textOf(xml, 'IsTruncated', 0, xml.length);
  const token = textOf(xml, 'NextContinuationToken', 0, xml.length);
  if (count !== null && Number(count) !== objects.length + folders.length) return null;
  if (isTruncated === 'false') return { objects, folders, token: null };
  return isTruncated === 'true' && token !== null && token !== '' && !token.includes('&')
    ? { objects, folders, token }
    : null;
}

/** Between the first such tags in that part; what has an entity in it is left to a parser. */
function textOf(xml: string, name: string, from: number, to: number): string | null {
  const begin = xml.indexOf(`<${name}>`, from);
  const end = begin < 0 ? -1 : xml.indexOf('<', begin + 1);
  if (end < 0 || end > to || !xml.startsWith(`</${name}>`, end)) return null;
  return xml.slice(begin + name.length + 2, end);
}

/** XML cannot carry every key, so they come in URL encoding, where a space is a plus. */
function decoded(text: string | null): string | null {
  if (text === null || text === '' || text.includes('&')) return null;
  if (!text.includes('%') && !text.includes('+')) return text;
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return null;
  }
}
