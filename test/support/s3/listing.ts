import type { Bucket, Version } from './bucket.ts';
import { element, escapeXml, urlEncode, xmlDocument } from './xml.ts';

interface Page {
  readonly entries: Version[];
  readonly common: string[];
  /** Where the next page goes on; `null` at the end. */
  readonly next: string | null;
}

/** What a store without care may do to each page: list every entry twice, or in the wrong order. */
export type Disorder = 'twice' | 'backwards';

export function inDisorder(page: string, disorder: Disorder | undefined): string {
  const entry = /<(Contents|CommonPrefixes|Version|DeleteMarker)>.*?<\/\1>/gs;
  if (disorder === undefined) return page;
  if (disorder === 'twice') return page.replace(/<KeyCount>.*?<\/KeyCount>/, '').replace(entry, '$&$&');
  const entries = page.match(entry) ?? [];
  return page.replace(entry, () => entries.pop() ?? '');
}

/** What a delimiter groups: up to and including its first occurrence after the prefix. */
function groupOf(key: string, prefix: string, delimiter: string): string | null {
  if (delimiter === '') return null;
  const end = key.indexOf(delimiter, prefix.length);
  return end < 0 ? null : key.slice(0, end + delimiter.length);
}

export function listObjectsV2(name: string, bucket: Bucket, query: URLSearchParams, pageSize: number): string {
  const prefix = query.get('prefix') ?? '';
  const delimiter = query.get('delimiter') ?? '';
  const max = Math.min(Number(query.get('max-keys') ?? 1000), pageSize);
  const token = query.get('continuation-token');
  const after = token ? Buffer.from(token, 'base64url').toString() : (query.get('start-after') ?? '');
  const page = objectsPage(bucket, prefix, delimiter, after, max);
  const encode = query.get('encoding-type') === 'url' ? urlEncode : escapeXml;
  return xmlDocument('ListBucketResult', [
    element('Name', escapeXml(name)),
    element('Prefix', encode(prefix)),
    element('MaxKeys', `${max}`),
    element('IsTruncated', `${page.next !== null}`),
    query.get('encoding-type') === 'url' ? element('EncodingType', 'url') : '',
    element('KeyCount', `${page.entries.length + page.common.length}`),
    page.next === null ? '' : element('NextContinuationToken', Buffer.from(page.next).toString('base64url')),
    ...page.entries.map((version) => element('Contents', entryXml(version, encode))),
    ...page.common.map((common) => element('CommonPrefixes', element('Prefix', encode(common)))),
  ]);
}

/** The first version of the listing, which the AWS CLI still asks for: pages go on from a key. */
export function listObjectsV1(name: string, bucket: Bucket, query: URLSearchParams, pageSize: number): string {
  const prefix = query.get('prefix') ?? '';
  const max = Math.min(Number(query.get('max-keys') ?? 1000), pageSize);
  const page = objectsPage(bucket, prefix, '', query.get('marker') ?? '', max);
  const encode = query.get('encoding-type') === 'url' ? urlEncode : escapeXml;
  return xmlDocument('ListBucketResult', [
    element('Name', escapeXml(name)),
    element('Prefix', encode(prefix)),
    element('Marker', encode(query.get('marker') ?? '')),
    element('MaxKeys', `${max}`),
    element('IsTruncated', `${page.next !== null}`),
    query.get('encoding-type') === 'url' ? element('EncodingType', 'url') : '',
    ...page.entries.map((version) => element('Contents', entryXml(version, encode))),
  ]);
}

export function locationOf({ region }: Bucket): string {
  return xmlDocument('LocationConstraint', [region === null || region === 'us-east-1' ? '' : escapeXml(region)]);
}

function objectsPage(bucket: Bucket, prefix: string, delimiter: string, after: string, max: number): Page {
  const entries: Version[] = [];
  const common: string[] = [];
  let last = after;
  for (const key of bucket.keys(prefix, after)) {
    const current = bucket.find(key);
    if (key === after || !current?.object) continue;
    const group = groupOf(key, prefix, delimiter);
    if (group !== null && (group === last || after.startsWith(group))) continue;
    if (entries.length + common.length >= max) return { entries, common, next: last };
    if (group === null) entries.push(current);
    else common.push(group);
    last = group ?? key;
  }
  return { entries, common, next: null };
}

export function listObjectVersions(name: string, bucket: Bucket, query: URLSearchParams, pageSize: number): string {
  const prefix = query.get('prefix') ?? '';
  const max = Math.min(Number(query.get('max-keys') ?? 1000), pageSize);
  const keyMarker = query.get('key-marker') ?? '';
  const idMarker = query.get('version-id-marker') ?? '';
  const encode = query.get('encoding-type') === 'url' ? urlEncode : escapeXml;
  const found: string[] = [];
  let next: Version | null = null;
  let truncated = false;
  for (const version of versionsAfter(bucket, prefix, keyMarker, idMarker)) {
    if (found.length >= max) {
      truncated = true;
      break;
    }
    const latest = bucket.find(version.key) === version;
    const common = element('VersionId', version.versionId) + element('IsLatest', `${latest}`);
    found.push(element(version.object ? 'Version' : 'DeleteMarker', common + entryXml(version, encode)));
    next = version;
  }
  return xmlDocument('ListVersionsResult', [
    element('Name', escapeXml(name)),
    element('Prefix', encode(prefix)),
    element('MaxKeys', `${max}`),
    element('IsTruncated', `${truncated}`),
    query.get('encoding-type') === 'url' ? element('EncodingType', 'url') : '',
    truncated && next
      ? element('NextKeyMarker', encode(next.key)) + element('NextVersionIdMarker', next.versionId)
      : '',
    ...found,
  ]);
}

function* versionsAfter(bucket: Bucket, prefix: string, keyMarker: string, idMarker: string): Generator<Version> {
  for (const key of bucket.keys(prefix, keyMarker)) {
    const versions = bucket.versions(key);
    if (key !== keyMarker || keyMarker === '') yield* versions;
    else if (idMarker !== '') yield* versions.slice(versions.findIndex(({ versionId }) => versionId === idMarker) + 1);
  }
}

function entryXml(version: Version, encode: (text: string) => string): string {
  const common =
    element('Key', encode(version.key)) + element('LastModified', new Date(version.lastModified).toISOString());
  if (!version.object) return common;
  const { body, storageClass = 'STANDARD' } = version.object;
  return (
    common +
    element('ETag', `&quot;${version.etag}&quot;`) +
    element('Size', `${body.length}`) +
    element('StorageClass', storageClass)
  );
}
