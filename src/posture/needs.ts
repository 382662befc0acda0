import { CALLS, type CallName, VERIFY_CALLS } from './calls.ts';
import { controlsOf } from './judge.ts';
import type { PostureScope } from './scope.ts';

/** What it takes to learn who asks and what there is to judge. */
const DISCOVERY: readonly CallName[] = [
  'GetCallerIdentity',
  'ListRegions',
  'DescribeTrails',
  'HeadBucket',
  'GetBucketLocation',
];
const SURVEY: readonly CallName[] = ['ListObjectVersions', 'GetObjectRetention', 'GetObjectLegalHold'];

/** The calls posture makes for this scope: discovery and what its controls read, no others. */
export function postureCalls(scope: PostureScope): ReadonlySet<CallName> {
  const declared = controlsOf(scope).flatMap(({ calls }) => calls);
  return new Set(
    [...DISCOVERY, ...declared].filter(
      (name) =>
        (scope.objects !== null || !SURVEY.includes(name)) &&
        (scope.readerRole !== null || CALLS[name].service !== 'iam'),
    ),
  );
}

export type JudgingCommand = 'verify' | 'posture' | 'audit';

/** The calls a command makes, in the order of the table. */
export function callsOf(command: JudgingCommand, scope: PostureScope): readonly CallName[] {
  const wanted = new Set<CallName>([
    ...(command === 'posture' ? [] : VERIFY_CALLS),
    ...(command === 'verify' ? [] : postureCalls(scope)),
  ]);
  return (Object.keys(CALLS) as CallName[]).filter((name) => wanted.has(name));
}
