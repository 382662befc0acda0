import { type Answer, cannotTell, look } from './answer.ts';
import { type Policy, parsePolicy } from './bucket-policy/index.ts';
import { type CallName, namedIn } from './calls.ts';
import { type Evidence, unknown } from './evidence.ts';

/** Judges a policy that could be read and understood; `null` where there is none. One that cannot be parsed decides nothing. */
export function underPolicy(
  call: CallName,
  policy: Evidence<string>,
  judge: (policy: Policy | null) => Answer,
): Answer {
  return look({ policy }, (seen) => {
    if (seen.policy === null) return judge(null);
    const parsed = parsePolicy(seen.policy);
    if (parsed.ok) return judge(parsed.policy);
    const errors = parsed.errors.map(({ path, problem }) => ({ path, problem }));
    return cannotTell([unknown('parse', namedIn(call), 'MalformedPolicy')], { errors });
  });
}
