import { judgeLock, type LockDemand } from '../chain/lock.ts';
import { judgeLog } from '../chain/log.ts';
import type { LogClaim } from '../chain/signing.ts';
import { type Verdict, verdict } from '../chain/verdict.ts';
import type { Subject } from '../report/finding.ts';
import { each } from '../source/pages.ts';
import type { Head, ReadOptions } from '../source/reading.ts';
import { type Location, type RetentionAnswer, type Source, SourceError, type Trouble } from '../source/source.ts';
import type { Reader } from '../source/thread-reader.ts';
import { presentOf } from './scope.ts';
import type { Session } from './session.ts';

export interface CheckedLog {
  readonly verdicts: readonly Verdict[];
  /** Bytes received, as stored. */
  readonly storedBytes: number;
}

/** Reads a claimed log file and judges it, and its retention where that is demanded. */
export async function checkLog({ request, reader }: Session, claim: LogClaim, subject: Subject): Promise<CheckedLog> {
  const { source, relocation, lock, maxLogBytes } = request;
  const how = { keep: false, ...(maxLogBytes !== undefined && { limits: { inflated: maxLogBytes } }) };
  const location = presentOf(source.bucket, relocation, claim);
  const reading = await reader.read(source, location, how);
  const judged = judgeLog(claim, subject, reading);
  if (judged.kind === 'log-intact' && lock === undefined && reading.kind === 'content') {
    return { verdicts: [judged], storedBytes: reading.storedBytes };
  }
  const lost = judged.kind === 'log-altered' || judged.kind === 'log-missing' || judged.kind === 'log-malformed';
  const found = lost ? await findVersion(reader, source, location, claim, how) : null;
  const facts = {
    expected: claim.hash.toString('hex'),
    current: judged.kind.slice('log-'.length),
    ...(judged.kind === 'log-altered' && 'found' in judged.facts && { found: judged.facts.found }),
  };
  const told = found === null ? judged : verdict('log-recoverable', subject, { ...facts, versionId: found });
  return {
    verdicts:
      lock === undefined
        ? [told]
        : [
            told,
            ...(await checkLock(source, lock, location, subject, reading.kind === 'trouble' ? null : reading.head)),
          ],
    storedBytes: reading.kind === 'trouble' ? 0 : reading.storedBytes,
  };
}

/** Nobody keeps more versions of one log; whoever made more than these wants to be waited for. */
const MAX_VERSIONS = 10;

/** The older version that has the attested hash; `null` where there is none or none is shown. */
async function findVersion(
  reader: Reader,
  source: Source,
  location: Location,
  claim: LogClaim,
  how: ReadOptions,
): Promise<string | null> {
  if (source.bucket !== location.bucket) return null; // only the source's own bucket is listed
  try {
    let tried = 0;
    for await (const { key, versionId, isLatest, deleteMarker } of each(source.versions(location.key))) {
      if (key !== location.key || ++tried > MAX_VERSIONS) break;
      if (isLatest || deleteMarker) continue;
      const older = await reader.read(source, location, { ...how, versionId });
      if (older.kind === 'content' && claim.hash.equals(older.sha256)) return versionId;
    }
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    // Versions are a remedy, not a proof: where they cannot be listed the verdict on the current one stands.
  }
  return null;
}

/** Where one object's retention is refused, all are: asked once for each source. */
const refusals = new WeakMap<Source, Trouble>();

function askRetention(source: Source, location: Location): RetentionAnswer | Promise<RetentionAnswer> {
  const refused = refusals.get(source);
  if (refused) return { ok: false, trouble: refused };
  if (source.retention) return source.retention(location);
  const message = 'this source keeps no retention';
  return { ok: false, trouble: { kind: 'error', code: 'NoRetention', message } };
}

/** Retention from the headers of the read; asked for only where they say nothing, which may mean two things. */
export async function checkLock(
  source: Source,
  demand: LockDemand,
  location: Location,
  subject: Subject,
  head: Head | null,
): Promise<Verdict[]> {
  if (head === null) return []; // that it could not be read is told already
  const { lock, lastModified } = head;
  if (lock?.mode) return [judgeLock(demand, lock, lastModified, subject)];
  const required = `${demand.mode} for ${demand.days} days`;
  const answer = await askRetention(source, location);
  if (answer.ok) return [judgeLock(demand, answer.lock, lastModified, subject)];
  if (answer.trouble.kind === 'denied') refusals.set(source, answer.trouble);
  return [verdict('lock-unknown', subject, { required, code: answer.trouble.code, detail: answer.trouble.message })];
}
