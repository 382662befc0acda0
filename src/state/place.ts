import { fileStore } from './file-store.ts';
import type { S3StoreOptions } from './s3-store.ts';
import type { CheckpointStore } from './store.ts';

/** `s3://bucket/prefix`, or a directory. The client is made only where it is needed. */
export async function openStore(
  place: string,
  client: () => Promise<S3StoreOptions['client']>,
): Promise<CheckpointStore> {
  const [, bucket, prefix = ''] = /^s3:\/\/([^/]+)(?:\/(.*))?$/.exec(place) ?? [];
  if (bucket === undefined) return fileStore(place);
  const { s3Store } = await import('./s3-store.ts');
  return s3Store({ client: await client(), bucket, prefix });
}
