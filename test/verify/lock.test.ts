import { expect, it } from 'vitest';
import { HOUR } from '../../src/chain/location.ts';
import { trail } from '../../src/demo/trail.ts';
import type { Lock, RetentionAnswer } from '../../src/source/source.ts';
import { MemorySource } from '../support/memory-source.ts';
import { countKinds, requestFor, verdictsOf } from '../support/verify-trail.ts';

const DAY = 24 * HOUR;
const demand = { mode: 'COMPLIANCE', days: 365 } as const;

/** Every object of a built trail under the same lock, counted from when it was written. */
async function judged(lock: ((written: number) => Lock) | null, answer?: RetentionAnswer) {
  const built = trail().build();
  const source = new MemorySource(built.bucket);
  for (const [key, object] of built.objects) source.put(key, { ...object, lock: lock?.(object.lastModified) ?? null });
  if (answer) source.retention = () => Promise.resolve(answer);
  const counts = countKinds(await verdictsOf({ ...requestFor(built, source), lock: demand }));
  return Object.fromEntries(Object.entries(counts).filter(([kind]) => kind.startsWith('lock-')));
}

const until =
  (days: number, slack = 0, mode: Lock['mode'] = 'COMPLIANCE') =>
  (written: number): Lock => ({
    mode,
    retainUntil: written + days * DAY + slack,
    legalHold: false,
  });

it.each([
  ['long enough', until(365), undefined, { 'lock-retained': 18 }],
  ['short by the rounding of LastModified', until(365, -900), undefined, { 'lock-retained': 18 }],
  ['a day short', until(364), undefined, { 'lock-short': 18 }],
  ['GOVERNANCE', until(365, 0, 'GOVERNANCE'), undefined, { 'lock-governance': 18 }],
  ['legal hold only', () => ({ mode: null, retainUntil: null, legalHold: true }), undefined, { 'lock-absent': 18 }],
  ['none, which is known', null, { ok: true, lock: null }, { 'lock-absent': 18 }],
  ['none in the headers, but there', null, { ok: true, lock: until(1e4)(Date.UTC(2026, 3)) }, { 'lock-retained': 18 }],
  [
    'not permitted to see',
    null,
    { ok: false, trouble: { kind: 'denied', code: 'AccessDenied', message: 'no' } },
    { 'lock-unknown': 18 },
  ],
] as const)('retention: %s', async (_name, lock, answer, expected) => {
  expect(await judged(lock as never, answer as never)).toEqual(expected);
});
