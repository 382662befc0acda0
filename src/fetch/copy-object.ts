import { type Digest, parseDigest } from '../chain/digest.ts';
import { MalformedFields } from '../json/fields.ts';
import { readObject } from '../source/reading.ts';
import type { ListedObject, Source } from '../source/source.ts';
import { type FetchRequest, type FetchStep, type Named, notHad } from './request.ts';

const LIMITS = { inflated: 256 * 1024 * 1024 };

/** A digest has metadata that the copy needs, and names logs. */
export async function copyDigest(
  request: FetchRequest,
  source: Source,
  object: ListedObject,
): Promise<{ step: FetchStep; digest: Digest | null }> {
  const step = await copyObject(request, source, object, true);
  if (step.type === 'left') return { step, digest: null };
  const reading = await readObject(request.copy, { bucket: '', key: object.key }, { keep: true, limits: LIMITS });
  if (reading.kind !== 'content') return { step, digest: null };
  try {
    return { step, digest: parseDigest(reading.content ?? new Uint8Array()) };
  } catch (error) {
    // `verify` will call it malformed; it names nothing.
    if (error instanceof MalformedFields) return { step, digest: null };
    throw error;
  }
}

export async function copyObject(
  request: FetchRequest,
  source: Source,
  { key, size }: ListedObject,
  withMetadata = false,
): Promise<FetchStep> {
  const { folder, metadata } = request;
  const placed = folder.place(key);
  if (!placed.ok) return { type: 'left', key, reason: placed.reason };
  if (placed.there?.size === size && (!withMetadata || metadata.has(key))) return { type: 'kept', key };
  // The place of a key in the copy is that of its object in the bucket that was asked for.
  if (placed.there !== null && source !== request.source) return { type: 'left', key, reason: OTHER_OBJECT };
  const opened = await source.open({ bucket: source.bucket ?? '', key });
  if (!opened.ok) return notHad(key, opened.trouble);
  const { object } = opened;
  const reason = await folder.write(placed.path, object);
  if (reason !== null) return { type: 'left', key, reason };
  const told = object.metadata ?? {};
  if (withMetadata || Object.keys(told).length > 0) metadata.add(key, told);
  return { type: 'copied', key, size: object.size };
}

const OTHER_OBJECT = 'another bucket of the same chain has an object of this key, and it differs';

export async function copyNamed({ folder }: FetchRequest, { source, location, once }: Named): Promise<FetchStep> {
  const { key } = location;
  const placed = folder.place(key);
  if (!placed.ok) return { type: 'left', key, reason: placed.reason };
  if (once && placed.there !== null) return { type: 'kept', key };
  const opened = await source.open(location);
  if (!opened.ok) return opened.trouble.kind === 'absent' ? { type: 'absent', key } : notHad(key, opened.trouble);
  const reason = await folder.write(placed.path, opened.object);
  return reason === null ? { type: 'copied', key, size: opened.object.size } : { type: 'left', key, reason };
}
