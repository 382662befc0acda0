import { HOUR } from '../../src/chain/location.ts';
import type { Verdict, VerdictKind } from '../../src/chain/verdict.ts';
import type { BuiltBucket } from '../../src/demo/trail.ts';
import { savedKeys } from '../../src/keys/key-source.ts';
import { parseSavedKeys } from '../../src/keys/saved-keys.ts';
import type { Source } from '../../src/source/source.ts';
import { type VerifyRequest, type VerifyStep, verify } from '../../src/verify/verify.ts';
import { MemorySource } from './memory-source.ts';

/** The built bucket behind the port. */
export function sourceOf(built: Pick<BuiltBucket, 'bucket' | 'objects'>): MemorySource {
  return new MemorySource(built.bucket, Object.fromEntries(built.objects));
}

/** What verify is asked of a built trail when nothing else is said: all of its range, an hour after its end. */
export function requestFor(built: BuiltBucket, source: Source = sourceOf(built)): VerifyRequest {
  return {
    source,
    keys: savedKeys(parseSavedKeys(JSON.stringify(built.publicKeys))),
    scope: { prefix: null },
    range: built.range,
    now: built.range.end + HOUR,
    grace: 4 * HOUR,
    inventory: 'full',
    relocation: null,
    concurrency: 8,
  };
}

/** The steps one by one. */
export async function* stepsOf(request: VerifyRequest): AsyncGenerator<VerifyStep> {
  for await (const steps of verify(request)) yield* steps;
}

export async function verdictsOf(request: VerifyRequest): Promise<Verdict[]> {
  const verdicts: Verdict[] = [];
  for await (const step of stepsOf(request)) if (step.type === 'verdict') verdicts.push(step.verdict);
  return verdicts;
}

/** How often each kind was reached, without those that are zero. */
export function countKinds(verdicts: readonly Verdict[]): Partial<Record<VerdictKind, number>> {
  const counts: Partial<Record<VerdictKind, number>> = {};
  for (const { kind } of verdicts) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
}

export async function judge(
  built: BuiltBucket,
  change: Partial<VerifyRequest> = {},
): Promise<Partial<Record<VerdictKind, number>>> {
  return countKinds(await verdictsOf({ ...requestFor(built), ...change }));
}
