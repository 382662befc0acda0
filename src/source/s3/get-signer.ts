import * as crypto from 'node:crypto';
import { createHash, createHmac } from 'node:crypto';
import type { Identity } from '../../aws/clients.ts';

const oneShot = (crypto as { hash?: (algorithm: string, data: string, encoding: 'hex') => string }).hash;
const sha256Hex: (text: string) => string = oneShot
  ? (text) => oneShot('sha256', text, 'hex')
  : (text) => createHash('sha256').update(text).digest('hex');

const EMPTY_SHA256 = sha256Hex('');

/** A key made of the secret for one day, Region and service, and the words that go with it. */
interface DayKey {
  readonly day: string;
  readonly secret: string;
  readonly key: Buffer;
  readonly scope: string;
}

/**
 * AWS Signature Version 4 for GETs, which have no body. That of the SDK derives the key and sorts the headers for each
 * request, which is half of what a small GET costs.
 */
export class GetSigner {
  readonly #region: string;
  readonly #service: string;
  #dayKey: DayKey | null = null;
  #second = 0;
  #date = '';

  constructor(region: string, service: string) {
    this.#region = region;
    this.#service = service;
  }

  /**
   * Headers for the request, signature included. `path` and `query` as they are sent, escaped; `amz`: further `x-amz-`
   * headers in the order of their names, which all sort behind `x-amz-date`. `now` in epoch milliseconds.
   */
  sign(
    identity: Identity,
    { host, path, query, amz }: { host: string; path: string; query: string; amz: Readonly<Record<string, string>> },
    now: number,
  ): Record<string, string> {
    const date = this.#dateOf(now);
    const { key, scope } = this.#keyOf(identity.secretAccessKey, date.slice(0, 8));
    const headers: Record<string, string> = { host, 'x-amz-content-sha256': EMPTY_SHA256, 'x-amz-date': date, ...amz };
    if (identity.sessionToken !== undefined) headers['x-amz-security-token'] = identity.sessionToken;
    let names = '';
    let lines = '';
    for (const name in headers) {
      names += names === '' ? name : `;${name}`;
      lines += `${name}:${headers[name]}\n`;
    }
    const canonical = `GET\n${path}\n${query}\n${lines}\n${names}\n${EMPTY_SHA256}`;
    const signature = createHmac('sha256', key)
      .update(`AWS4-HMAC-SHA256\n${date}\n${scope}\n${sha256Hex(canonical)}`)
      .digest('hex');
    headers['authorization'] =
      `AWS4-HMAC-SHA256 Credential=${identity.accessKeyId}/${scope}, SignedHeaders=${names}, Signature=${signature}`;
    return headers;
  }

  /** `YYYYMMDDTHHMMSSZ`. */
  #dateOf(now: number): string {
    const second = Math.floor(now / 1000);
    if (second !== this.#second) {
      this.#second = second;
      this.#date = `${new Date(second * 1000).toISOString().slice(0, 19).replace(/[-:]/g, '')}Z`;
    }
    return this.#date;
  }

  #keyOf(secret: string, day: string): DayKey {
    if (this.#dayKey?.day !== day || this.#dayKey.secret !== secret) {
      const parts = [day, this.#region, this.#service, 'aws4_request'];
      const key = parts.reduce<Buffer>(
        (from, part) => createHmac('sha256', from).update(part).digest(),
        Buffer.from(`AWS4${secret}`),
      );
      this.#dayKey = { day, secret, key, scope: parts.join('/') };
    }
    return this.#dayKey;
  }
}
