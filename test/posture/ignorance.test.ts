import { describe, expect, it } from 'vitest';
import type { Unknown } from '../../src/posture/evidence.ts';
import { judge } from '../../src/posture/judge.ts';
import type { Snapshot } from '../../src/posture/snapshot.ts';
import type { Finding } from '../../src/report/finding.ts';
import { DENIED, scope, snapshot } from '../support/snapshot.ts';

/** Every copy of the snapshot with one piece of evidence taken away, and the path of that piece. */
function* blinded(value: unknown, path: string[] = []): Generator<[path: string, copy: unknown]> {
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      for (const [where, copy] of blinded(item, [...path, String(index)])) yield [where, value.with(index, copy)];
    }
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  if ('state' in value) yield [path.join('.'), { ...DENIED, api: path.join('.') } satisfies Unknown];
  for (const [name, field] of Object.entries(value)) {
    for (const [where, copy] of blinded(field, [...path, name])) yield [where, { ...value, [name]: copy }];
  }
}

const key = (finding: Finding): string => `${finding.control} ${finding.subject.arn ?? ''}`;
const good = snapshot();
const full = new Map(judge(good, scope()).map((finding) => [key(finding), finding.outcome]));

describe('taking away any one piece of evidence leaves each outcome as it was or makes it inconclusive', () => {
  it.each([...blinded(good)])('%s', (_, copy) => {
    for (const finding of judge(copy as Snapshot, scope())) {
      expect(['inconclusive', full.get(key(finding))], finding.control).toContain(finding.outcome);
    }
  });
});
