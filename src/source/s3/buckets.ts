import type { S3Client } from '@aws-sdk/client-s3';
import { type AwsSettings, IDLE_TIMEOUT_MS, s3Client } from '../../aws/clients.ts';
import { Credentials } from '../../aws/credentials.ts';
import { SourceError } from '../source.ts';
import type { Getter } from './answer.ts';
import type { LeanGet, LeanOptions } from './lean-get.ts';
import type { Endpoint } from './signed-get.ts';

export interface BucketOptions extends AwsSettings {
  /** Twelve digits: S3 refuses if the bucket belongs to another account. */
  readonly expectedBucketOwner?: string;
  /** `sdk` leaves every GET to the SDK. */
  readonly getter?: 'lean' | 'sdk';
}

/** A bucket whose Region and address are known. */
export interface OpenBucket {
  readonly client: S3Client;
  getter: Getter;
  /** What the lean way is made of, as long as it is the one that is used. */
  plain(): { readonly lean: LeanGet; readonly endpoint: Endpoint; readonly options: LeanOptions } | null;
  /** The way through the SDK; the same as `getter` once that has proved to be the only one. */
  fallback(): Promise<Getter>;
}

/** A name or the ARN of an access point. Names come out of digests too, and become host names. */
const NAME = /^(?:[A-Za-z0-9][A-Za-z0-9._-]{1,254}|arn:[a-z-]+:[a-z0-9-]+:[a-z0-9-]*:[0-9]*:[A-Za-z0-9/:._-]+)$/;

/** The buckets of a run, opened when first asked for. The AWS clients are loaded with the first one. */
export class Buckets {
  readonly #options: BucketOptions;
  readonly #opened = new Map<string, Promise<OpenBucket>>();
  readonly #lean: LeanGet[] = [];
  readonly #clients: S3Client[] = [];
  #account: Promise<{ settings: AwsSettings; credentials: Credentials }> | null = null;

  constructor(options: BucketOptions) {
    this.#options = options;
  }

  /** Throws `SourceError`, and what the SDK throws. */
  open(bucket: string): Promise<OpenBucket> {
    const known = this.#opened.get(bucket);
    if (known) return known;
    const opening = this.#open(bucket);
    this.#opened.set(bucket, opening);
    opening.catch((error: unknown) => {
      const isLasting = error instanceof SourceError && error.trouble.code === 'NoSuchBucket';
      if (!isLasting) this.#opened.delete(bucket);
    });
    return opening;
  }

  async credentials(): Promise<Credentials> {
    return (await this.#theAccount()).credentials;
  }

  close(): void {
    for (const lean of this.#lean) lean.close();
    for (const client of this.#clients) client.destroy();
  }

  /** One set of credentials for all clients, so that a refresh reaches them all. */
  #theAccount(): Promise<{ settings: AwsSettings; credentials: Credentials }> {
    this.#account ??= s3Client(this.#options).then((client) => {
      const provider = client.config.credentials;
      return { settings: { ...this.#options, credentials: provider }, credentials: new Credentials(provider) };
    });
    return this.#account;
  }

  async #open(bucket: string): Promise<OpenBucket> {
    if (!NAME.test(bucket)) {
      throw new SourceError({ kind: 'error', code: 'InvalidBucketName', message: 'no bucket can have this name' });
    }
    const { expectedBucketOwner, idleTimeoutMs = IDLE_TIMEOUT_MS, getter = 'lean' } = this.#options;
    const { settings, credentials } = await this.#theAccount();
    const { clientFor, endpointOf } = await import('./place.ts');
    const client = await clientFor(settings, bucket, expectedBucketOwner);
    this.#clients.push(client);
    const fallback = async (): Promise<Getter> => {
      const { SdkGet } = await import('./sdk-get.ts');
      const once = await s3Client({ ...settings, maxAttempts: 1 }, await client.config.region());
      this.#clients.push(once);
      return new SdkGet(once, expectedBucketOwner);
    };
    if (getter === 'sdk') {
      const sdk = await fallback();
      return { client, getter: sdk, plain: () => null, fallback: () => Promise.resolve(sdk) };
    }
    const { LeanGet } = await import('./lean-get.ts');
    const owner = expectedBucketOwner === undefined ? {} : { expectedBucketOwner };
    const endpoint = await endpointOf(client, bucket);
    const options = { idleTimeoutMs, ...owner };
    const lean = new LeanGet(endpoint, credentials, options);
    this.#lean.push(lean);
    let sdk: Promise<Getter> | null = null;
    const opened: OpenBucket = {
      client,
      getter: lean,
      plain: () => (opened.getter === lean ? { lean, endpoint, options } : null),
      fallback: () => {
        sdk ??= fallback();
        return sdk;
      },
    };
    return opened;
  }
}
