import { directorySource } from './directory.ts';
import { readObject } from './reading.ts';
import type { Way } from './thread-messages.ts';

/** Metadata stays with the one that asks. */
export async function directoryWay(directory: string): Promise<Way> {
  const source = await directorySource(directory, { metadata: new Map() });
  return async ({ id, bucket, key, options }) => ({ id, reading: await readObject(source, { bucket, key }, options) });
}
