import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';
import type { Bucket, ObjectInit, Version } from './bucket.ts';
import type { Asked, FaultAnswer } from './fault.ts';
import { element, errorDocument, xmlDocument } from './xml.ts';

/** One answer, as S3 would word it. */
export interface Reply {
  readonly status: number;
  readonly headers: OutgoingHttpHeaders;
  readonly body: string | Uint8Array;
}

export function xmlReply(document: string): Reply {
  return { status: 200, headers: { 'content-type': 'application/xml' }, body: document };
}

export function jsonReply(status: number, body: unknown): Reply {
  return { status, headers: { 'content-type': 'application/x-amz-json-1.1' }, body: JSON.stringify(body) };
}

export function errorReply(
  status: number,
  code: string,
  message: string,
  headers: OutgoingHttpHeaders = {},
  more = '',
): Reply {
  return {
    status,
    headers: { 'content-type': 'application/xml', ...headers },
    body: errorDocument(code, message, more),
  };
}

export function faultReply(fault: Extract<FaultAnswer, { status: number }>, asked: Asked): Reply {
  if ('body' in fault) return { status: fault.status, headers: { 'content-type': 'text/html' }, body: fault.body };
  const { status, code, message = code, region } = fault;
  if (asked.bucket === '') return jsonReply(status, { __type: code, message });
  return errorReply(status, code, message, region === undefined ? {} : { 'x-amz-bucket-region': region });
}

export function wrongRegionReply(status: Bucket['wrongRegion'], region: string): Reply {
  const headers = { 'x-amz-bucket-region': region };
  if (status === 400) {
    const message = 'The authorization header is malformed; the region is wrong';
    return errorReply(status, 'AuthorizationHeaderMalformed', message, headers, element('Region', region));
  }
  const code = status === 301 ? 'PermanentRedirect' : 'TemporaryRedirect';
  const message = 'The bucket must be addressed using the specified endpoint.';
  return errorReply(status, code, message, headers, element('Endpoint', `s3.${region}.amazonaws.com`));
}

export function deleteMarkerReply(marker: Version, named: boolean): Reply {
  const headers = { 'x-amz-delete-marker': 'true', 'x-amz-version-id': marker.versionId };
  return named
    ? errorReply(405, 'MethodNotAllowed', 'The specified method is not allowed against this resource.', headers)
    : errorReply(404, 'NoSuchKey', 'The specified key does not exist.', headers);
}

export function retentionReply({ lock }: ObjectInit): Reply {
  if (!lock?.mode || lock.retainUntil === null) {
    return errorReply(404, 'NoSuchObjectLockConfiguration', 'The specified object does not have a retention');
  }
  const until = new Date(lock.retainUntil).toISOString();
  return xmlReply(xmlDocument('Retention', [element('Mode', lock.mode), element('RetainUntilDate', until)]));
}

export function objectReply(version: Version, object: ObjectInit, asked: IncomingHttpHeaders): Reply {
  const { body, lock, storageClass } = object;
  if (storageClass === 'GLACIER' || storageClass === 'DEEP_ARCHIVE') {
    return errorReply(403, 'InvalidObjectState', "The operation is not valid for the object's storage class");
  }
  const headers: OutgoingHttpHeaders = {
    'content-type': 'application/octet-stream',
    'last-modified': new Date(version.lastModified).toUTCString(),
    etag: `"${version.etag}"`,
    'x-amz-version-id': version.versionId,
    ...object.headers,
    ...(lock?.mode && { 'x-amz-object-lock-mode': lock.mode }),
    ...(lock?.retainUntil && { 'x-amz-object-lock-retain-until-date': new Date(lock.retainUntil).toISOString() }),
    ...(lock?.legalHold && { 'x-amz-object-lock-legal-hold': 'ON' }),
  };
  for (const [name, value] of Object.entries(object.metadata ?? {})) headers[`x-amz-meta-${name}`] = value;
  if (asked['if-match'] !== undefined && asked['if-match'] !== headers['etag']) {
    return errorReply(412, 'PreconditionFailed', 'At least one of the pre-conditions you specified did not hold');
  }
  const range = /^bytes=(\d+)-(\d*)$/.exec(asked.range ?? '');
  if (!range) return { status: 200, headers, body };
  const from = Number(range[1]);
  const to = range[2] ? Math.min(Number(range[2]), body.length - 1) : body.length - 1;
  if (from > to) return errorReply(416, 'InvalidRange', 'The requested range is not satisfiable');
  const part = { ...headers, 'content-range': `bytes ${from}-${to}/${body.length}` };
  return { status: 206, headers: part, body: body.subarray(from, to + 1) };
}

/** PutObject with the two conditions that S3 knows for it. */
export function putReply(bucket: Bucket, { key, headers }: Asked, body: Uint8Array): Reply {
  const present = bucket.find(key)?.object ? `"${bucket.find(key)?.etag}"` : undefined;
  const expected = headers['if-match'];
  if (expected !== undefined && present === undefined) {
    return errorReply(404, 'NoSuchKey', 'The specified key does not exist.');
  }
  if ((headers['if-none-match'] === '*' && present !== undefined) || (expected !== undefined && expected !== present)) {
    return errorReply(412, 'PreconditionFailed', 'At least one of the pre-conditions you specified did not hold');
  }
  const metadata = Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      name.startsWith('x-amz-meta-') ? [[name.slice('x-amz-meta-'.length), String(value)]] : [],
    ),
  );
  const versionId = bucket.put(key, { body, metadata });
  return { status: 200, headers: { etag: `"${bucket.find(key)?.etag}"`, 'x-amz-version-id': versionId }, body: '' };
}
