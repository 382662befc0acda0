import { type Verdict, verdict } from '../chain/verdict.ts';
import { credentialsLost, interruption, type VerifyRequest, type VerifyStep, verify } from '../verify/verify.ts';
import type { Forecast } from './forecast.ts';

export interface Turns {
  /** Reached before anything is read. */
  readonly early: readonly Verdict[];
  readonly requests: readonly VerifyRequest[];
  /** Parts of them that were verified before; the chains they belong to are told by `requests`. */
  readonly again: readonly VerifyRequest[];
  readonly ahead: Forecast;
}

/** One place after the other, up to the first that is cut short: whatever ended it would end the rest. */
export async function* inTurn({ early, requests, again, ahead }: Turns): AsyncGenerator<VerifyStep> {
  for (const [index, judged] of early.entries()) {
    const lost = credentialsLost(judged);
    if (lost !== null) {
      const rest = [...early.slice(index).map(({ subject }) => subject.arn ?? subject.type), ...requests.map(placeOf)];
      const ended = verdict('run-interrupted', { type: 'run' }, interruption(lost, undefined, rest));
      yield { type: 'verdict', verdict: ended, record: null };
      return;
    }
    yield { type: 'verdict', verdict: judged, record: null };
  }
  for (const [index, request] of requests.entries()) {
    const rest = [...requests.slice(index + 1).map(placeOf), ...again.map(oldDays)];
    for await (const step of verify({ ...request, pace: ahead.next() })) {
      const ended = withRest(step, rest);
      yield ended ?? step;
      if (ended !== null) return;
    }
  }
  for (const [index, request] of again.entries()) {
    for await (const step of verify(request)) {
      const ended = withRest(step, again.slice(index + 1).map(oldDays));
      if (step.type === 'verdict') yield ended ?? step;
      if (ended !== null) return;
    }
  }
}

/** `null` where the step is not the last one of a run that was cut short. */
function withRest(step: VerifyStep, rest: readonly string[]): VerifyStep | null {
  if (step.type !== 'verdict' || step.verdict.kind !== 'run-interrupted') return null;
  const { subject, facts } = step.verdict;
  const notReached = [...(facts.notReached ?? []), ...rest];
  return { ...step, verdict: verdict('run-interrupted', subject, { ...facts, notReached }) };
}

function placeOf({ source }: VerifyRequest): string {
  return source.bucket ?? 'the directory';
}

function oldDays({ scope, range }: VerifyRequest): string {
  const names = [...(scope.accounts ?? []), ...(scope.regions ?? []), ...(scope.trails ?? []).map(({ name }) => name)];
  const day = new Date(range.start ?? range.end).toISOString().slice(0, 10);
  return `${names.join(' ')} again from ${day}`;
}
