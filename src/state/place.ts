import { fileStore } from './file-store.ts';
import { type S3StoreOptions, s3Store } from './s3-store.ts';
import type { CheckpointStore } from './store.ts';

/** `s3://bucket/prefix`, or a directory. The client is made only where it is needed. */
export async function openStore(
  place: string,
  client: () => Promise<S3StoreOptions['client']>,
): Promise<CheckpointStore> {
  const [, bucket, prefix = ''] = /^s3:\/\/([^/]+)(?:\/(.*))?$/.exec(place) ?? [];
  return bucket === undefined ? fileStore(place) : s3Store({ client: await client(), bucket, prefix });
}
