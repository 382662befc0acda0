import { type TroubleFacts, type Verdict, verdict } from '../chain/verdict.ts';
import type { Subject } from '../report/finding.ts';
import { areCredentialsGone } from '../source/credentials-gone.ts';
import { openReader } from '../source/thread-reader.ts';
import { untilGivenUp } from '../stream/give-up.ts';
import { mapBatches } from '../stream/map-ordered.ts';
import { judgeDigests } from './judge-digests.ts';
import { createNamed } from './named.ts';
import { createOwedRegions } from './owed-regions.ts';
import { createReach } from './reach.ts';
import type { VerifyRequest } from './request.ts';
import { bucketOf, openSession, type Session, tellBlindness, told, type VerifyStep } from './session.ts';
import { asked } from './successions.ts';
import { beginTask, finishTask } from './task.ts';

export type { VerifyRequest } from './request.ts';
export type { VerifyStep } from './session.ts';

/**
 * Proves a bucket: list, read, attest, link, hash, judge. Two flat windows do the waiting: one over the digests of all
 * chains, one over the log files that attested digests name, with the listings of the next folders begun ahead of it.
 * Nothing flows back, and memory is bounded by the windows.
 * Steps come together as they are ready, in order: each by itself would cost more than what is done with it.
 */
export async function* verify(request: VerifyRequest): AsyncGenerator<readonly VerifyStep[]> {
  const reader = openReader(request.source, request.concurrency);
  const credentials = new AbortController();
  const signal = AbortSignal.any([credentials.signal, ...(request.signal ? [request.signal] : [])]);
  const session = openSession({ ...request, signal }, reader, createReach(request));
  let lost: TroubleFacts | null = null;
  try {
    for await (const steps of untilGivenUp(prove(session), signal, PATIENCE_MS, () => [])) {
      // What comes behind the first read that was refused was read with the same credentials, or is not whole.
      if (lost !== null) continue;
      const { sound, trouble } = upToLoss(steps);
      lost = trouble;
      if (lost !== null) credentials.abort();
      for (const step of sound) {
        if (step.type === 'verdict') session.reach.told(step.verdict, step.record);
        else session.reach.closed(step.record);
      }
      yield sound;
    }
    if (signal.aborted) yield [...interrupted(session, request.signal, lost)];
  } finally {
    // Nobody waits for what was given up, but nothing more of it begins.
    void session.ahead.end();
    await Promise.all([reader.close(), session.elsewhere.close()]);
  }
}

/** How long what is in flight may take to end after the signal: a store that hangs must not hold up the reports. */
const PATIENCE_MS = 2_000;

/** The steps before the first that tells of credentials that are not accepted any more, and what it tells. */
function upToLoss(steps: readonly VerifyStep[]): {
  readonly sound: readonly VerifyStep[];
  readonly trouble: TroubleFacts | null;
} {
  for (const [index, step] of steps.entries()) {
    const trouble = step.type === 'verdict' ? credentialsLost(step.verdict) : null;
    if (trouble !== null) return { sound: steps.slice(0, index), trouble };
  }
  return { sound: steps, trouble: null };
}

/** Why the object of that verdict, and every other, cannot be read any more; `null` where others may be. */
export function credentialsLost({ kind, facts }: Verdict): TroubleFacts | null {
  if (!('code' in facts) || facts.code === undefined || !areCredentialsGone(facts.code)) return null;
  const detail = 'detail' in facts ? facts.detail : 'reason' in facts ? facts.reason : kind;
  return { code: facts.code, detail };
}

export function interruption(lost: TroubleFacts | null, signal: AbortSignal | undefined, rest: readonly string[]) {
  const reason = lost
    ? `the credentials are not accepted any more: ${lost.detail} (${lost.code})`
    : `${signal?.reason}`;
  return { reason, ...(lost && { code: lost.code }), notReached: rest };
}

function* interrupted(
  session: Session,
  signal: AbortSignal | undefined,
  lost: TroubleFacts | null,
): Generator<VerifyStep> {
  for (const record of session.reach.records()) yield { type: 'chain', record };
  const run: Subject = { type: 'run', ...bucketOf(session) };
  yield told(verdict('run-interrupted', run, interruption(lost, signal, session.reach.rest())));
}

async function* prove(session: Session): AsyncGenerator<readonly VerifyStep[], void, undefined> {
  try {
    yield* proveAll(session);
  } finally {
    await session.ahead.end();
  }
}

async function* proveAll(session: Session): AsyncGenerator<readonly VerifyStep[], void, undefined> {
  const { request } = session;
  // So far ahead of what is in flight that the last listings begin while there are logs to be read.
  const ahead = 2 * request.concurrency;
  const begun = mapBatches(judgeDigests(session, null), ahead, (task) => beginTask(session, task));
  const tasks = mapBatches(begun, request.concurrency, (task) => finishTask(session, task));
  let chains = 0;
  // Without a chain only a refusal says why there is none.
  let explained = false;
  let refused = false;
  const named = createNamed(request.scope);
  const owed = createOwedRegions(request.scope);
  for await (const finished of tasks) {
    const steps = finished.flat();
    for (const step of steps) {
      if (step.type === 'chain') {
        chains++;
        named.chain(step.record.chain);
        owed.chain(step.record.chain);
      } else if (/^(?:digest|coverage)-/.test(step.verdict.kind)) {
        explained = true;
        refused ||= step.verdict.subject.type === 'object';
        if (step.verdict.kind === 'coverage-elsewhere') owed.elsewhere(step.verdict.subject);
        if (step.verdict.kind === 'coverage-nothing-found' || step.verdict.kind === 'coverage-due') {
          named.subject(step.verdict.subject);
          owed.subject(step.verdict.subject);
        }
      }
    }
    yield steps;
  }
  const run: Subject = { type: 'run', ...bucketOf(session) };
  if (request.signal?.aborted) return;
  const blind = tellBlindness(session);
  if (blind !== null) yield [blind];
  if (chains === 0 && !explained) {
    const facts = { ...asked(request.range), reason: 'no digest in the scope that was asked for' };
    yield [told(verdict('coverage-nothing-found', run, facts))];
    return;
  }
  // A folder that could not be listed may hold what is missing, and is told already.
  if (refused) return;
  const facts = { ...asked(request.range), reason: 'it was asked for by name, and no digest of it was found' };
  yield Array.from(named.unmet(), (subject) =>
    told(verdict('coverage-nothing-found', { ...subject, ...bucketOf(session) }, facts)),
  );
  yield Array.from(owed.unseen(), ({ subject, isHome }) => {
    const place = { ...subject, ...bucketOf(session) };
    const reason = isHome ? HOME_UNSEEN : REGION_UNSEEN;
    return told(
      verdict(isHome ? 'coverage-nothing-found' : 'coverage-unseen', place, { ...asked(request.range), reason }),
    );
  });
}

const HOME_UNSEEN = 'it is the home Region of the trail, of which digests in other Regions were found';
const REGION_UNSEEN =
  'CloudTrail says that the trail logs all Regions, and every account has this one; digests of others were found';
