import { type TroubleFacts, type Verdict, verdict } from '../chain/verdict.ts';
import type { Subject } from '../report/finding.ts';
import { areCredentialsGone } from '../source/credentials-gone.ts';
import { openReader } from '../source/thread-reader.ts';
import { untilGivenUp } from '../stream/give-up.ts';
import { mapOrdered } from '../stream/map-ordered.ts';
import { judgeDigests } from './judge-digests.ts';
import { createNamed } from './named.ts';
import { createOwedRegions } from './owed-regions.ts';
import { createReach } from './reach.ts';
import type { VerifyRequest } from './request.ts';
import { bucketOf, openSession, type Session, tellBlindness, told, type VerifyStep } from './session.ts';
import { asked } from './successions.ts';
import { finishTask } from './task.ts';

export type { VerifyRequest } from './request.ts';
export type { VerifyStep } from './session.ts';

/**
 * Proves a bucket: list, read, attest, link, hash, judge. Two flat windows do the waiting: one over the digests of all
 * chains, one over the log files that attested digests name. Nothing flows back, and memory is bounded by the windows.
 */
export async function* verify(request: VerifyRequest): AsyncGenerator<VerifyStep> {
  const reader = openReader(request.source, request.concurrency);
  const credentials = new AbortController();
  const signal = AbortSignal.any([credentials.signal, ...(request.signal ? [request.signal] : [])]);
  const session = openSession({ ...request, signal }, reader, createReach(request));
  let lost: TroubleFacts | null = null;
  try {
    for await (const step of untilGivenUp<VerifyStep | null>(prove(session), signal, PATIENCE_MS, () => null)) {
      // What comes behind the first read that was refused was read with the same credentials, or is not whole.
      if (lost !== null || step === null) continue;
      if (step.type === 'verdict') {
        lost = credentialsLost(step.verdict);
        if (lost !== null) {
          credentials.abort();
          continue;
        }
        session.reach.told(step.verdict, step.record);
      }
      yield step;
    }
    if (signal.aborted) yield* interrupted(session, request.signal, lost);
  } finally {
    await Promise.all([reader.close(), session.elsewhere.close()]);
  }
}

/** How long what is in flight may take to end after the signal: a store that hangs must not hold up the reports. */
const PATIENCE_MS = 2_000;

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

async function* prove(session: Session): AsyncGenerator<VerifyStep> {
  const { request } = session;
  const tasks = mapOrdered(judgeDigests(session, null), request.concurrency, (task) => finishTask(session, task));
  let chains = 0;
  // Without a chain only a refusal says why there is none.
  let explained = false;
  let refused = false;
  const named = createNamed(request.scope);
  const owed = createOwedRegions(request.scope);
  for await (const steps of tasks) {
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
      yield step;
    }
  }
  const run: Subject = { type: 'run', ...bucketOf(session) };
  if (request.signal?.aborted) return;
  const blind = tellBlindness(session);
  if (blind !== null) yield blind;
  if (chains === 0 && !explained) {
    const facts = { ...asked(request.range), reason: 'no digest in the scope that was asked for' };
    yield told(verdict('coverage-nothing-found', run, facts));
    return;
  }
  // A folder that could not be listed may hold what is missing, and is told already.
  if (refused) return;
  for (const subject of named.unmet()) {
    const facts = { ...asked(request.range), reason: 'it was asked for by name, and no digest of it was found' };
    yield told(verdict('coverage-nothing-found', { ...subject, ...bucketOf(session) }, facts));
  }
  for (const { subject, isHome } of owed.unseen()) {
    const place = { ...subject, ...bucketOf(session) };
    const facts = { ...asked(request.range), reason: isHome ? HOME_UNSEEN : REGION_UNSEEN };
    yield told(verdict(isHome ? 'coverage-nothing-found' : 'coverage-unseen', place, facts));
  }
}

const HOME_UNSEEN = 'it is the home Region of the trail, of which digests in other Regions were found';
const REGION_UNSEEN =
  'CloudTrail says that the trail logs all Regions, and every account has this one; digests of others were found';
