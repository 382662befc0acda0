import { createHash, createHmac } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

const AUTHORIZATION =
  /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/([^/]+)\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/;

export interface Signed {
  readonly accessKeyId: string;
  readonly region: string;
  readonly service: string;
  readonly date: string;
  readonly signedHeaders: readonly string[];
  readonly signature: string;
}

/** What the Authorization header says, unchecked; `null` for an unsigned request. */
export function readAuthorization(request: IncomingMessage): Signed | null {
  const match = AUTHORIZATION.exec(request.headers.authorization ?? '');
  if (!match) return null;
  const [, accessKeyId = '', date = '', region = '', service = '', signedHeaders = '', signature = ''] = match;
  return { accessKeyId, date, region, service, signedHeaders: signedHeaders.split(';'), signature };
}

/** Whether the signature is right, by the rules of Signature Version 4 for S3, from the request as it came in. */
export function isSignatureRight(request: IncomingMessage, signed: Signed, secret: string): boolean {
  const [path = '', search = ''] = (request.url ?? '').split('?', 2);
  const query = search
    .split('&')
    .filter((pair) => pair !== '')
    .map((pair) => (pair.includes('=') ? pair : `${pair}=`))
    .sort();
  const headers = signed.signedHeaders.map((name) => `${name}:${String(request.headers[name] ?? '').trim()}\n`);
  const canonical = [
    request.method,
    path,
    query.join('&'),
    headers.join(''),
    signed.signedHeaders.join(';'),
    request.headers['x-amz-content-sha256'],
  ].join('\n');
  const scope = `${signed.date}/${signed.region}/${signed.service}/aws4_request`;
  const hash = createHash('sha256').update(canonical).digest('hex');
  const toSign = `AWS4-HMAC-SHA256\n${request.headers['x-amz-date']}\n${scope}\n${hash}`;
  let key: string | Buffer = `AWS4${secret}`;
  for (const part of scope.split('/')) key = createHmac('sha256', key).update(part).digest();
  return createHmac('sha256', key).update(toSign).digest('hex') === signed.signature;
}
