import { ListObjectsV2Command, ListObjectVersionsCommand, type S3Client } from '@aws-sdk/client-s3';
import { compareKeys } from '../key-order.ts';
import { type ListedObject, type ListedVersion, SourceError } from '../source.ts';
import { ownText } from './own-text.ts';

/** Makes one call of the SDK; retries and the meaning of errors are its own. */
export type Send = <T>(call: (client: S3Client) => Promise<T>) => Promise<T>;

export interface ListingOptions {
  readonly bucket: string;
  readonly expectedBucketOwner: string | undefined;
}

/** A page that does not say whether it is the last, or where the next begins, must not pass for the end of the list. */
function incomplete(code: string, message: string): SourceError {
  return new SourceError({ kind: 'error', code, message });
}

function nextOf<T>(next: T | null | undefined): T {
  if (next !== null && next !== undefined && next !== '') return next;
  throw incomplete('NoNextPage', 'the store says that more is to come, and not where it begins');
}

/** Throws where the answer was no listing at all, which the SDK takes for an empty one. */
function isTruncated(page: { readonly IsTruncated?: boolean | undefined }): boolean {
  if (page.IsTruncated !== undefined) return page.IsTruncated;
  throw incomplete('NotAListing', 'the store answered a listing with something else');
}

/** Each page is asked for while the one before is being read. */
async function* ahead<Page>(
  ask: (after: Page | null) => Promise<Page>,
  next: (page: Page) => unknown,
): AsyncGenerator<Page> {
  let before = '';
  let coming = ask(null);
  for (;;) {
    const page = await coming;
    if (next(page) === null) {
      yield page;
      return;
    }
    if (JSON.stringify(next(page)) === before) throw incomplete('EndlessPages', 'the pages of a listing have no end');
    before = JSON.stringify(next(page));
    coming = ask(page);
    // Its error is thrown where it is awaited, if the reader gets that far.
    coming.catch(() => undefined);
    yield page;
  }
}

/** What is asked for: `after` by the first page, `token` by those behind it. */
export interface PageRequest {
  readonly prefix: string;
  readonly delimiter?: string;
  readonly after?: string;
  readonly token?: string;
}

export interface Page {
  readonly objects: readonly ListedObject[];
  readonly folders: readonly string[];
  /** Of the next page. */
  readonly token: string | null;
}

export async function* objectPages(
  ask: (request: PageRequest) => Promise<Page>,
  first: PageRequest,
): AsyncGenerator<Page> {
  const pages = ahead<Page>(
    (before) => ask(before === null || before.token === null ? first : { ...first, token: before.token }),
    (page) => page.token,
  );
  const isNextObject = inOrder<ListedObject>((a, b) => compareKeys(a.key, b.key));
  const isNextFolder = inOrder(compareKeys);
  const goesOn = progress();
  for await (const { objects, folders, token } of pages) {
    const page = { objects: objects.filter(isNextObject), folders: folders.filter(isNextFolder), token };
    goesOn(page.objects.length + page.folders.length);
    yield page;
  }
}

/** A store may answer with a page of nothing; one that goes on like this has no end. */
const MAX_BARREN = 1_000;

/** Is told of each page how much in it is new; throws where that is nothing for too long. */
function progress(): (news: number) => void {
  let barren = 0;
  return (news) => {
    barren = news > 0 ? 0 : barren + 1;
    if (barren > MAX_BARREN) throw incomplete('EndlessPages', 'the pages of a listing have no end');
  };
}

/**
 * Whether an entry comes after all before it. What is listed twice counts once; throws where the order is lost, since
 * whoever reads on to a key would take it for absent.
 */
function inOrder<T>(compare: (a: T, b: T) => number): (next: T) => boolean {
  let last: T | null = null;
  return (next) => {
    const step = last === null ? 1 : compare(next, last);
    if (step < 0) throw incomplete('NotInOrder', 'the store lists keys out of their order');
    last = next;
    return step > 0;
  };
}

/** One page through the SDK. */
export async function sdkPage(
  send: Send,
  { bucket, expectedBucketOwner }: ListingOptions,
  { prefix, delimiter, after, token }: PageRequest,
): Promise<Page> {
  const page = await send((client) =>
    client.send(
      new ListObjectsV2Command({
        Bucket: bucket,
        Prefix: prefix,
        Delimiter: delimiter,
        StartAfter: after,
        EncodingType: 'url',
        ContinuationToken: token,
        ExpectedBucketOwner: expectedBucketOwner,
      }),
    ),
  );
  const decode = decoder(page.EncodingType);
  return {
    objects: (page.Contents ?? []).map((entry) => listed(entry, decode)),
    folders: (page.CommonPrefixes ?? []).map(({ Prefix = '' }) => decode(Prefix)),
    token: isTruncated(page) ? nextOf(page.NextContinuationToken) : null,
  };
}

/** `after` is a key for the first page, a key and a version for those behind it. */
export interface VersionPageRequest {
  readonly prefix: string;
  readonly after?: { readonly key: string; readonly versionId?: string };
}

export interface VersionPage {
  /** By key, newest first; S3 lists delete markers among them or apart. */
  readonly versions: readonly ListedVersion[];
  /** After which the next page begins. */
  readonly next: { readonly key: string; readonly versionId?: string } | null;
}

export async function* versionPages(
  ask: (request: VersionPageRequest) => Promise<VersionPage>,
  first: VersionPageRequest,
): AsyncGenerator<VersionPage> {
  const pages = ahead<VersionPage>(
    (before) => ask(before === null || before.next === null ? first : { ...first, after: before.next }),
    (page) => page.next,
  );
  const isNextKey = inOrder<string>(compareKeys);
  // Of the versions of one key, which S3 and its like order differently when they are of one second.
  let seen = new Set<string>();
  const goesOn = progress();
  for await (const { versions, next } of pages) {
    const once = versions.filter(({ key, versionId }) => {
      if (isNextKey(key)) seen = new Set();
      return !seen.has(versionId) && seen.add(versionId);
    });
    goesOn(once.length);
    yield { versions: once, next };
  }
}

/** One page through the SDK. */
export async function sdkVersionPage(
  send: Send,
  { bucket, expectedBucketOwner }: ListingOptions,
  { prefix, after }: VersionPageRequest,
): Promise<VersionPage> {
  const page = await send((client) =>
    client.send(
      new ListObjectVersionsCommand({
        Bucket: bucket,
        Prefix: prefix,
        EncodingType: 'url',
        KeyMarker: after?.key,
        VersionIdMarker: after?.versionId,
        ExpectedBucketOwner: expectedBucketOwner,
      }),
    ),
  );
  const decode = decoder(page.EncodingType);
  const entry = (deleteMarker: boolean) => (version: SdkVersion) => ({
    ...listed(version, decode),
    versionId: ownText(version.VersionId ?? 'null'),
    isLatest: version.IsLatest ?? false,
    deleteMarker,
  });
  const versions = [...(page.Versions ?? []).map(entry(false)), ...(page.DeleteMarkers ?? []).map(entry(true))];
  const { NextKeyMarker: key, NextVersionIdMarker: versionId } = page;
  const next = key === undefined ? null : { key: decode(key), ...(versionId !== undefined && { versionId }) };
  return { versions: versions.sort(byKeyNewestFirst), next: isTruncated(page) ? nextOf(next) : null };
}

interface SdkObject {
  readonly Key?: string | undefined;
  readonly Size?: number | undefined;
  readonly LastModified?: Date | undefined;
}

interface SdkVersion extends SdkObject {
  readonly VersionId?: string | undefined;
  readonly IsLatest?: boolean | undefined;
}

function listed({ Key = '', Size = 0, LastModified }: SdkObject, decode: (text: string) => string): ListedObject {
  return { key: decode(Key), size: Size, lastModified: LastModified?.getTime() ?? 0 };
}

/** The one order that versions and delete markers have. */
export function byKeyNewestFirst(a: ListedVersion, b: ListedVersion): number {
  return compareKeys(a.key, b.key) || Number(b.isLatest) - Number(a.isLatest) || b.lastModified - a.lastModified;
}

/** XML cannot carry every key, so they are asked for in URL encoding, where a space is a plus. Some stores do not do it. */
function decoder(encoding: string | undefined): (text: string) => string {
  if (encoding !== 'url') return ownText;
  return (text) => {
    try {
      return decodeURIComponent(text.replaceAll('+', ' '));
    } catch {
      throw incomplete('NotAListing', 'the store lists a key in an encoding that it does not have');
    }
  };
}
