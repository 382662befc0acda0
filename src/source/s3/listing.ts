import {
  ListObjectsV2Command,
  ListObjectVersionsCommand,
  type ListObjectVersionsCommandOutput,
  type S3Client,
} from '@aws-sdk/client-s3';
import { compareKeys } from '../key-order.ts';
import type { ListedObject, ListedVersion } from '../source.ts';

/** Makes one call of the SDK; retries and the meaning of errors are its own. */
export type Send = <T>(call: (client: S3Client) => Promise<T>) => Promise<T>;

export interface ListingOptions {
  readonly bucket: string;
  readonly expectedBucketOwner: string | undefined;
}

/** Each page is asked for while the one before is being read. */
async function* ahead<Page>(
  ask: (after: Page | null) => Promise<Page>,
  isLast: (page: Page) => boolean,
): AsyncGenerator<Page> {
  let coming = ask(null);
  for (;;) {
    const page = await coming;
    if (isLast(page)) {
      yield page;
      return;
    }
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

export function objectPages(ask: (request: PageRequest) => Promise<Page>, first: PageRequest): AsyncGenerator<Page> {
  return ahead<Page>(
    (before) => ask(before === null || before.token === null ? first : { ...first, token: before.token }),
    (page) => page.token === null,
  );
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
    token: page.IsTruncated ? (page.NextContinuationToken ?? null) : null,
  };
}

/** Versions and delete markers of a page, which S3 lists apart, in the one order they have. */
export function versionPages(
  send: Send,
  { bucket, expectedBucketOwner }: ListingOptions,
  prefix: string,
  startAfter?: string,
): AsyncGenerator<ListedVersion[]> {
  const pages = ahead<ListObjectVersionsCommandOutput>(
    (after) =>
      send((client) =>
        client.send(
          new ListObjectVersionsCommand({
            Bucket: bucket,
            Prefix: prefix,
            EncodingType: 'url',
            KeyMarker:
              after?.NextKeyMarker === undefined ? startAfter : decoder(after.EncodingType)(after.NextKeyMarker),
            VersionIdMarker: after?.NextVersionIdMarker,
            ExpectedBucketOwner: expectedBucketOwner,
          }),
        ),
      ),
    (page) => !page.IsTruncated || page.NextKeyMarker === undefined,
  );
  return mapPages(pages, (page) => {
    const decode = decoder(page.EncodingType);
    const entry = (deleteMarker: boolean) => (version: SdkVersion) => ({
      ...listed(version, decode),
      versionId: version.VersionId ?? 'null',
      isLatest: version.IsLatest ?? false,
      deleteMarker,
    });
    const versions = [...(page.Versions ?? []).map(entry(false)), ...(page.DeleteMarkers ?? []).map(entry(true))];
    return versions.sort(byKeyNewestFirst);
  });
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

function byKeyNewestFirst(a: ListedVersion, b: ListedVersion): number {
  return compareKeys(a.key, b.key) || Number(b.isLatest) - Number(a.isLatest) || b.lastModified - a.lastModified;
}

/** XML cannot carry every key, so they are asked for in URL encoding, where a space is a plus. Some stores do not do it. */
function decoder(encoding: string | undefined): (text: string) => string {
  return encoding === 'url' ? (text) => decodeURIComponent(text.replaceAll('+', ' ')) : (text) => text;
}

async function* mapPages<A, B>(pages: AsyncGenerator<A>, map: (page: A) => B): AsyncGenerator<B> {
  for await (const page of pages) yield map(page);
}
