import { describe, expect, it } from 'vitest';
import { known, type Unknown } from '../../src/posture/evidence.ts';
import { judge } from '../../src/posture/judge.ts';
import type { Snapshot } from '../../src/posture/snapshot.ts';
import type { Finding } from '../../src/report/finding.ts';
import { DENIED, scope, snapshot } from '../support/snapshot.ts';

/** Every copy of the snapshot with one piece of evidence taken away, or replaced, and the path of that piece. */
function* blinded(
  value: unknown,
  replace: (path: string) => unknown = (where) => ({ ...DENIED, api: where }) satisfies Unknown,
  path: string[] = [],
): Generator<[path: string, copy: unknown]> {
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      for (const [where, copy] of blinded(item, replace, [...path, String(index)]))
        yield [where, value.with(index, copy)];
    }
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  if ('state' in value) yield [path.join('.'), replace(path.join('.'))];
  for (const [name, field] of Object.entries(value)) {
    for (const [where, copy] of blinded(field, replace, [...path, name])) yield [where, { ...value, [name]: copy }];
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

describe('evidence of a form that nobody foresaw costs no control but those that read it', () => {
  const ids = new Set(judge(good, scope()).map(({ control }) => control));

  it.each([null, 'x', 5, [null], { EventSelectors: 'x' }])('%j', (value) => {
    for (const [where, copy] of blinded(good, () => known(value))) {
      // Whose snapshot it is stands in the head of every finding, and is read when it is loaded.
      if (where === 'identity') continue;
      const told = judge(copy as Snapshot, scope());
      expect(new Set(told.map(({ control }) => control)), where).toEqual(ids);
    }
  });
});
