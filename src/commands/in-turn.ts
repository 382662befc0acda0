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
export async function* inTurn({ early, requests, again, ahead }: Turns): AsyncGenerator<readonly VerifyStep[]> {
  for (const [index, judged] of early.entries()) {
    const lost = credentialsLost(judged);
    if (lost !== null) {
      const rest = [...early.slice(index).map(({ subject }) => subject.arn ?? subject.type), ...requests.map(placeOf)];
      const ended = verdict('run-interrupted', { type: 'run' }, interruption(lost, undefined, rest));
      yield [{ type: 'verdict', verdict: ended, record: null }];
      return;
    }
    yield [{ type: 'verdict', verdict: judged, record: null }];
  }
  for (const [index, request] of requests.entries()) {
    const rest = [...requests.slice(index + 1).map(placeOf), ...again.map(oldDays)];
    for await (const steps of verify({ ...request, pace: ahead.next() })) {
      const ended = withRest(steps, rest);
      yield ended ?? steps;
      if (ended !== null) return;
    }
  }
  for (const [index, request] of again.entries()) {
    for await (const steps of verify(request)) {
      const ended = withRest(steps, again.slice(index + 1).map(oldDays));
      yield (ended ?? steps).filter(({ type }) => type === 'verdict');
      if (ended !== null) return;
    }
  }
}

/** `null` where the steps are not the last ones of a run that was cut short. */
function withRest(steps: readonly VerifyStep[], rest: readonly string[]): readonly VerifyStep[] | null {
  const last = steps.at(-1);
  if (last?.type !== 'verdict' || last.verdict.kind !== 'run-interrupted') return null;
  const { subject, facts } = last.verdict;
  const notReached = [...(facts.notReached ?? []), ...rest];
  return [...steps.slice(0, -1), { ...last, verdict: verdict('run-interrupted', subject, { ...facts, notReached }) }];
}

function placeOf({ source }: VerifyRequest): string {
  return source.bucket ?? 'the directory';
}

function oldDays({ scope, range }: VerifyRequest): string {
  const names = [...(scope.accounts ?? []), ...(scope.regions ?? []), ...(scope.trails ?? []).map(({ name }) => name)];
  const day = new Date(range.start ?? range.end).toISOString().slice(0, 10);
  return `${names.join(' ')} again from ${day}`;
}
