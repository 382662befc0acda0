import { randomUUID } from 'node:crypto';
import {
  GetObjectCommand,
  ListObjectsV2Command,
  type ListObjectsV2CommandOutput,
  PutObjectCommand,
  type S3Client,
} from '@aws-sdk/client-s3';
import { faultOf } from '../aws/fault.ts';
import { pagesOf } from '../aws/pages.ts';
import { type CheckpointStore, MAX_BYTES, StateError, type Stored } from './store.ts';

export interface S3StoreOptions {
  readonly client: Pick<S3Client, 'send'>;
  readonly bucket: string;
  /** What stands before the names; with or without a slash at its end. */
  readonly prefix: string;
  /** Account that owns the bucket; S3 refuses when it is another. */
  readonly expectedOwner?: string | undefined;
}

/** Metadata that tells the writes of one run from those of another that come to the same. */
const WRITER = 'trailseal-run';

/** Checkpoints as objects, written only under the condition that nobody else has. */
export function s3Store({ client, bucket, prefix, expectedOwner }: S3StoreOptions): CheckpointStore {
  const folder = prefix === '' || prefix.endsWith('/') ? prefix : `${prefix}/`;
  const owner = expectedOwner === undefined ? {} : { ExpectedBucketOwner: expectedOwner };
  const writer = randomUUID();
  const at = (name: string) => ({ Bucket: bucket, Key: folder + name, ...owner });
  const place = (name: string): string => `s3://${bucket}/${folder}${name}`;

  async function load(name: string): Promise<(Stored & { readonly writer: string | null }) | null> {
    try {
      const { Body, ContentLength, ETag, Metadata } = await client.send(new GetObjectCommand(at(name)));
      if ((ContentLength ?? 0) > MAX_BYTES) throw new StateError(`${place(name)} is too large for a checkpoint`);
      if (Body === undefined || ETag === undefined) throw new StateError(`${place(name)}: the answer has no ETag`);
      const bytes = Buffer.from(await Body.transformToByteArray());
      return { bytes, version: ETag, writer: Metadata?.[WRITER] ?? null };
    } catch (error) {
      if (faultOf(error).code === 'NoSuchKey') return null;
      throw troubled(place(name), 'read', error);
    }
  }

  return {
    place,
    load,
    async save(name, bytes, expected) {
      try {
        await client.send(
          new PutObjectCommand({
            ...at(name),
            Body: bytes,
            ContentType: 'application/json',
            Metadata: { [WRITER]: writer },
            // A bucket with Object Lock takes nothing without a checksum.
            ChecksumAlgorithm: 'SHA256',
            ...(expected === null ? { IfNoneMatch: '*' } : { IfMatch: expected }),
          }),
        );
        return true;
      } catch (error) {
        if (!isConflict(error)) throw troubled(place(name), 'written', error);
        // A retry of our own write whose answer was lost looks the same: who wrote what lies there tells.
        const there = await load(name);
        return there !== null && there.writer === writer && there.bytes.equals(bytes);
      }
    },
    async names() {
      const names: string[] = [];
      const listed = (token: string | undefined): Promise<ListObjectsV2CommandOutput> =>
        client.send(new ListObjectsV2Command({ Bucket: bucket, Prefix: folder, ContinuationToken: token, ...owner }));
      const next = ({ IsTruncated, NextContinuationToken }: ListObjectsV2CommandOutput) =>
        IsTruncated ? NextContinuationToken || null : undefined;
      try {
        for await (const { Contents = [] } of pagesOf(listed, next)) {
          for (const { Key } of Contents) if (Key?.endsWith('.json')) names.push(Key.slice(folder.length));
        }
      } catch (error) {
        throw troubled(`s3://${bucket}/${folder}`, 'listed', error);
      }
      return names.sort();
    },
  };
}

/** 412: the condition does not hold. 409: another conditional write is under way. 404: gone, where IfMatch was asked. */
function isConflict(error: unknown): boolean {
  const { code, status } = faultOf(error);
  return status === 412 || code === 'ConditionalRequestConflict' || code === 'NoSuchKey';
}

function troubled(place: string, done: string, error: unknown): StateError {
  if (error instanceof StateError) return error;
  const { code } = faultOf(error);
  return new StateError(`${place} cannot be ${done} (${code})`, { cause: error });
}
