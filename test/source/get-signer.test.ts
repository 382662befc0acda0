import { createHash, createHmac, type Hash, type Hmac } from 'node:crypto';
import { SignatureV4 } from '@smithy/signature-v4';
import { expect, test } from 'vitest';
import { GetSigner } from '../../src/source/s3/get-signer.ts';
import { encodeKey } from '../../src/source/s3/signed-get.ts';

class Sha256 {
  readonly #digest: Hash | Hmac;
  constructor(secret?: string | ArrayBuffer | ArrayBufferView) {
    this.#digest =
      secret === undefined ? createHash('sha256') : createHmac('sha256', secret as unknown as Uint8Array | string);
  }
  update(data: Uint8Array): void {
    this.#digest.update(data);
  }
  digest(): Promise<Uint8Array> {
    return Promise.resolve(this.#digest.digest());
  }
  reset(): void {
    throw new Error('not needed');
  }
}

const HOST = 'bucket.s3.eu-central-1.amazonaws.com';
const EMPTY = createHash('sha256').digest('hex');

/** What the SDK's own signer says of the same request. */
async function sdkSignature(
  identity: { accessKeyId: string; secretAccessKey: string; sessionToken?: string },
  path: string,
  query: Record<string, string>,
  amz: Record<string, string>,
  now: number,
): Promise<string | undefined> {
  const signer = new SignatureV4({
    service: 's3',
    region: 'eu-central-1',
    credentials: identity,
    sha256: Sha256,
    uriEscapePath: false,
    applyChecksum: false,
  });
  const headers = { host: HOST, 'x-amz-content-sha256': EMPTY, ...amz };
  const request = { method: 'GET', protocol: 'https:', hostname: HOST, path, query, headers };
  return (await signer.sign(request, { signingDate: new Date(now) })).headers['authorization'];
}

const NOON = Date.UTC(2026, 1, 3, 12, 0, 0);
const KEY = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'secret/+' };

test.each([
  ['a plain key', KEY, 'AWSLogs/1/CloudTrail/x_2026.json.gz', {}, {}, NOON],
  ['an odd key', KEY, 'odd/%2F+&<>"\' =?#;,(!*)é\u{1f600}', {}, {}, NOON],
  ['a version', KEY, 'a', { versionId: 'null' }, {}, NOON + 999],
  ['a version that is escaped', KEY, 'a', { versionId: 'a/b+c=' }, {}, NOON],
  ['a session', { ...KEY, sessionToken: 'token==' }, 'a', {}, {}, NOON],
  [
    'an owner and a session',
    { ...KEY, sessionToken: 't' },
    'a',
    {},
    { 'x-amz-expected-bucket-owner': '123456789012' },
    NOON,
  ],
  ['the last second of a day', KEY, 'a', {}, {}, Date.UTC(2026, 1, 3, 23, 59, 59, 999)],
  ['the first of the next', KEY, 'a', {}, {}, Date.UTC(2026, 1, 4)],
])('%s is signed as the SDK signs it', async (_, identity, key, query, amz, now) => {
  const signer = new GetSigner('eu-central-1', 's3');
  // Signs something else first: what is remembered of one request must not reach another.
  signer.sign({ accessKeyId: 'other', secretAccessKey: 'other' }, { host: HOST, path: '/', query: '', amz: {} }, NOON);
  const path = `/${encodeKey(key)}`;
  const search = Object.entries(query as Record<string, string>)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&');
  const signed = signer.sign(identity, { host: HOST, path, query: search, amz }, now);
  const expected = await sdkSignature(
    identity,
    path,
    query as Record<string, string>,
    amz as Record<string, string>,
    now,
  );
  expect(signed['authorization']).toBe(expected);
});
