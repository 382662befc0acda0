import { type Finding, findingId, type Severity, type Subject } from '../report/finding.ts';
import { type Answer, cannotTell, notApplicable } from './answer.ts';
import { type CallName, namedIn } from './calls.ts';
import { type Unknown, unknown } from './evidence.ts';
import { references } from './references.ts';
import { accountOf, type Target, type Targets, type World } from './world.ts';

interface Card {
  /** Stable and public: users put it in waivers. Never re-used. */
  readonly id: string;
  /** What ought to be true, in a few words: "default retention is COMPLIANCE". */
  readonly title: string;
  readonly severity: Severity;
  /** What to do when it is not. */
  readonly remedy: string;
  /** Calls whose answers the control reads; the collector makes no others. */
  readonly calls: readonly CallName[];
  /** Judged only when `scope.optIn` names it. */
  readonly optional?: boolean;
}

/** A control as its file writes it: what it is about, and what is so about one of these. */
export interface ControlSpec<T> extends Card {
  over(world: World): Targets<T>;
  /** Pure. What reads evidence goes through `look`, so that nothing unread decides. */
  check(target: T, world: World, subject: Subject): Answer;
  /** Said when there is nothing to judge, "no state bucket is configured". */
  readonly none: string;
}

/** A control as the registry holds it. */
export interface Control extends Card {
  /** Tags such as `CIS 3.2`, `NIST AU-9`. */
  readonly references: readonly string[];
  judge(world: World): readonly Finding[];
}

export function control<T>(spec: ControlSpec<T>): Control {
  const { over: _over, check: _check, none, ...card } = spec;
  const tags = references(spec.id);
  const finding = (subject: Subject, answer: Answer): Finding => ({
    v: 1,
    id: findingId(spec.id, subject),
    control: spec.id,
    kind: 'posture',
    outcome: answer.outcome,
    severity: answer.severity ?? spec.severity,
    subject,
    message: answer.message,
    evidence:
      answer.outcome === 'inconclusive'
        ? { ...answer.facts, lacking: answer.lacking.map(({ state: _, ...why }) => ({ ...why })) }
        : answer.facts,
    remedy: answer.remedy ?? (answer.outcome === 'inconclusive' ? permit(answer.lacking) : spec.remedy),
    references: tags,
    waiver: null,
  });
  return {
    ...card,
    references: tags,
    judge(world) {
      const { list, unseen } = targetsOf(spec, world);
      if (list.length > 0) {
        return list.map(({ subject, of }: Target<T>) => finding(subject, answerOf(spec, of, world, subject)));
      }
      const account = accountOf(world);
      const subject: Subject = { type: 'account', ...(account ? { account } : {}) };
      return [finding(subject, unseen.length > 0 ? cannotTell(unseen) : notApplicable(none))];
    },
  };
}

function targetsOf<T>({ over, calls }: ControlSpec<T>, world: World): Targets<T> {
  try {
    return over(world);
  } catch (error) {
    return { list: [], unseen: [unjudgeable(calls, error)] };
  }
}

function answerOf<T>({ check, calls }: ControlSpec<T>, target: T, world: World, subject: Subject): Answer {
  try {
    return check(target, world, subject);
  } catch (error) {
    return cannotTell([unjudgeable(calls, error)]);
  }
}

/** Evidence of a form that nobody foresaw costs the control that stumbles over it, and no other. */
function unjudgeable([first]: readonly CallName[], error: unknown): Unknown {
  const call = first === undefined ? { api: 'the snapshot', iamAction: '' } : namedIn(first);
  return unknown('parse', call, error instanceof Error ? `${error.name}: ${error.message}` : String(error));
}

function permit(lacking: readonly { readonly iamAction: string; readonly reason: string }[]): string {
  const actions = new Set(lacking.filter(({ reason }) => reason === 'access-denied').map(({ iamAction }) => iamAction));
  return actions.size > 0
    ? `allow ${[...actions].join(', ')} to the identity that runs posture (trailseal iam-policy prints the whole policy), then run again`
    : 'run again once the calls named in the evidence can be answered';
}
