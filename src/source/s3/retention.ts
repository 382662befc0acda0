import { GetObjectRetentionCommand, type S3Client } from '@aws-sdk/client-s3';
import { faultOf } from '../../aws/fault.ts';
import type { Location, Lock } from '../source.ts';

/** Of an object without retention, and in a bucket without Object Lock. */
const NONE = new Set(['NoSuchObjectLockConfiguration', 'InvalidRequest', 'ObjectLockConfigurationNotFoundError']);

/** `null` where the object is known to have none. Throws what the SDK throws. */
export async function askRetention(
  client: S3Client,
  { bucket, key }: Location,
  versionId?: string,
): Promise<Lock | null> {
  try {
    const command = new GetObjectRetentionCommand({ Bucket: bucket, Key: key, VersionId: versionId });
    const { Retention } = await client.send(command);
    if (!Retention?.Mode) return null;
    return { mode: Retention.Mode, retainUntil: Retention.RetainUntilDate?.getTime() ?? null, legalHold: false };
  } catch (error) {
    if (NONE.has(faultOf(error).code)) return null;
    throw error;
  }
}
