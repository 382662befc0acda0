import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { duplicateKey } from '../json/duplicate-key.ts';
import type { Snapshot } from '../posture/snapshot.ts';
import { asideOf } from './aside.ts';

export interface LoadedSnapshot {
  readonly snapshot: Snapshot;
  /** Lowercase hex of the file's bytes. */
  readonly sha256: string;
}

/** The file is no snapshot of a version we read; the message says why. */
export class SnapshotError extends Error {
  override readonly name = 'SnapshotError';
}

const LISTS = ['trailLists', 'trails', 'buckets', 'accounts', 'keys', 'logGroups', 'roles'] as const;

/** Throws `SnapshotError`. */
export async function readSnapshot(file: string): Promise<LoadedSnapshot> {
  let bytes: Buffer;
  try {
    bytes = await readFile(file);
  } catch (cause) {
    throw new SnapshotError(`${file} cannot be read: ${cause instanceof Error ? cause.message : cause}`, { cause });
  }
  let parsed: unknown;
  const json = bytes.toString('utf8');
  try {
    parsed = JSON.parse(json);
  } catch (cause) {
    throw new SnapshotError(`${file} is not JSON`, { cause });
  }
  const snapshot = parsed as Partial<Snapshot> | null;
  if (typeof snapshot !== 'object' || snapshot === null || snapshot.v !== 1) {
    throw new SnapshotError(`${file} is no posture snapshot of version 1`);
  }
  const lacking = [
    ...LISTS.filter((name) => !Array.isArray(snapshot[name])),
    ...(Number.isNaN(Date.parse(snapshot.collectedAt ?? '')) ? ['collectedAt'] : []),
  ];
  const twice = duplicateKey(json, parsed);
  if (twice !== null) throw new SnapshotError(`${file} gives "${twice}" twice in one object`);
  for (const name of LISTS) {
    for (const [n, entry] of (snapshot[name] ?? []).entries()) {
      if (!isObject(entry)) lacking.push(`${name}[${n}]`);
      else
        for (const [fact, held] of Object.entries(entry)) if (isNoEvidence(held)) lacking.push(`${name}[${n}].${fact}`);
    }
  }
  for (const fact of ['identity', 'regions', 'organization', 'eventDataStores'] as const) {
    if (!isObject(snapshot[fact]) || isNoEvidence(snapshot[fact])) lacking.push(fact);
  }
  if (lacking.length > 0) throw new SnapshotError(`${file} is not a whole snapshot: ${lacking.join(', ')}`);
  return { snapshot: snapshot as Snapshot, sha256: createHash('sha256').update(bytes).digest('hex') };
}

function isObject(held: unknown): held is object {
  return typeof held === 'object' && held !== null && !Array.isArray(held);
}

/** Of evidence the state says what else there is. */
function isNoEvidence(held: unknown): boolean {
  if (!isObject(held) || !('state' in held)) return false;
  if (held.state === 'known') return !('value' in held) || held.value === null;
  return !(held.state === 'absent' || held.state === 'unknown') || !('code' in held) || typeof held.code !== 'string';
}

export const snapshotBytes = (snapshot: Snapshot): Buffer => Buffer.from(`${JSON.stringify(snapshot, null, 2)}\n`);

/** Under its name only when it is whole. Throws `SnapshotError`. */
export async function writeSnapshot(file: string, snapshot: Snapshot): Promise<void> {
  const temporary = asideOf(file);
  try {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(temporary, snapshotBytes(snapshot));
    if (temporary !== file) await rename(temporary, file);
  } catch (cause) {
    throw new SnapshotError(`${file} cannot be written: ${cause instanceof Error ? cause.message : cause}`, { cause });
  }
}
