import type { Readable } from 'node:stream';
import { GetObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import { faultOf } from '../../aws/fault.ts';
import type { Answer, GetRequest, Getter, Headers } from './answer.ts';

/** The same GET through the SDK, for whatever the lean one does not understand. */
export class SdkGet implements Getter {
  readonly isLast = true;
  readonly #client: S3Client;
  readonly #expectedBucketOwner: string | undefined;

  /** The client should try once only: trying again is the caller's. */
  constructor(client: S3Client, expectedBucketOwner?: string) {
    this.#client = client;
    this.#expectedBucketOwner = expectedBucketOwner;
  }

  async get({ bucket, key, versionId, resume }: GetRequest): Promise<Answer> {
    const command = new GetObjectCommand({
      Bucket: bucket,
      Key: key,
      VersionId: versionId,
      ExpectedBucketOwner: this.#expectedBucketOwner,
      ...(resume && { Range: `bytes=${resume.from}-`, IfMatch: resume.etag }),
    });
    // The headers as they came: what the SDK makes of them differs from what S3 said.
    let headers: Headers = {};
    command.middlewareStack.add(
      (next) => async (args) => {
        const result = await next(args);
        headers = (result.response as { headers: Headers }).headers;
        return result;
      },
      { step: 'deserialize', priority: 'low' },
    );
    try {
      const { Body, $metadata } = await this.#client.send(command);
      const status = $metadata.httpStatusCode ?? 0;
      // A part that was not asked for, or nothing at all, is not the object.
      if (status !== 200 && !(resume && status === 206)) {
        (Body as Readable | undefined)?.destroy();
        return { ok: false, status, code: `${status}`, message: `the store answered with status ${status}` };
      }
      return { ok: true, headers, body: Body as Readable };
    } catch (error) {
      const { status, code, message } = faultOf(error);
      if (status === 0) throw error;
      const word = code === 'Unknown' || code === 'UnknownError' || code === 'Error' ? `${status}` : code;
      return { ok: false, status, code: word, message };
    }
  }
}
