import { expect, test } from 'vitest';
import type { LifecycleRule } from '../../src/posture/bucket-facts.ts';
import { judgeLifecycle, type VersioningState } from '../../src/posture/lifecycle.ts';
import { fc, runs } from '../support/property.ts';

/** Day 0 of the simulation is this date. */
const DAY_ZERO = Date.UTC(2026, 0, 1);
const dayOf = (date: string) => Math.round((Date.parse(date) - DAY_ZERO) / 86_400_000);
const dateOf = (day: number) => new Date(DAY_ZERO + day * 86_400_000).toISOString();

interface Log {
  readonly key: string;
  readonly size: number;
  readonly born: number;
  readonly tagged: boolean;
}
interface Lived {
  hidden: number | null;
  deleted: number | null;
  archived: number | null;
}

/** One log, one day after the other, one rule after the other, as S3 would go over them each night. */
function live(log: Log, rules: readonly LifecycleRule[], versioning: VersioningState, days: number): Lived {
  const lived: Lived = { hidden: null, deleted: null, archived: null };
  let hiddenOn: number | null = null;
  for (let today = log.born; today <= log.born + days; today++) {
    const age = today - log.born;
    for (const rule of rules) {
      if (rule.Status !== 'Enabled' || !matches(rule, log)) continue;
      if (hiddenOn === null)
        for (const transition of rule.Transitions ?? [])
          if (
            ['GLACIER', 'DEEP_ARCHIVE'].includes(transition.StorageClass ?? '') &&
            reached(transition.Days, transition.Date, age, today)
          )
            lived.archived ??= age;
      const { Days, Date: date } = rule.Expiration ?? {};
      if (hiddenOn === null && reached(Days, date, age, today)) {
        hiddenOn = today;
        lived.hidden = age;
        if (versioning !== 'enabled') lived.deleted = age;
      }
    }
    if (lived.deleted !== null) return lived;
    if (hiddenOn === null) continue;
    for (const rule of rules) {
      if (rule.Status !== 'Enabled' || !matches(rule, log)) continue;
      for (const transition of rule.NoncurrentVersionTransitions ?? [])
        if (
          ['GLACIER', 'DEEP_ARCHIVE'].includes(transition.StorageClass ?? '') &&
          !transition.NewerNoncurrentVersions &&
          today >= hiddenOn + (transition.NoncurrentDays ?? 0)
        )
          lived.archived ??= age;
      const noncurrent = rule.NoncurrentVersionExpiration;
      if (noncurrent === undefined || noncurrent.NewerNoncurrentVersions) continue;
      if (today >= hiddenOn + (noncurrent.NoncurrentDays ?? 0)) lived.deleted ??= age;
    }
    if (lived.deleted !== null) return lived;
  }
  return lived;
}

function reached(days: number | undefined, date: string | undefined, age: number, today: number): boolean {
  if (date !== undefined) return today >= dayOf(date);
  return days !== undefined && age >= days;
}

function matches(rule: LifecycleRule, log: Log): boolean {
  const filter = rule.Filter;
  for (const prefix of [rule.Prefix, filter?.Prefix, filter?.And?.Prefix])
    if (prefix !== undefined && log.key.indexOf(prefix) !== 0) return false;
  for (const above of [filter?.ObjectSizeGreaterThan, filter?.And?.ObjectSizeGreaterThan])
    if (above !== undefined && log.size <= above) return false;
  for (const below of [filter?.ObjectSizeLessThan, filter?.And?.ObjectSizeLessThan])
    if (below !== undefined && log.size >= below) return false;
  if ((filter?.Tag !== undefined || filter?.And?.Tags !== undefined) && !log.tagged) return false;
  return true;
}

const PREFIXES = ['', 'a', 'a/', 'a/b', 'a/b/', 'a/c', 'b', 'x/'];
const KEYS = ['a/b/1', 'a/c', 'a/b', 'a/x', 'a/1', 'b1', 'x/1', 'ab'];
const LOGS = 'a/';

const prefix = fc.constantFrom(...PREFIXES);
const days = fc.integer({ min: 0, max: 8 });
const size = fc.constantFrom(0, 10, 100);
const tag = { Key: 'class', Value: 'x' };
const place: fc.Arbitrary<Pick<LifecycleRule, 'Prefix' | 'Filter'>> = fc.oneof(
  prefix.map((Prefix) => ({ Prefix })),
  prefix.map((Prefix) => ({ Filter: { Prefix } })),
  fc.constant({ Filter: {} }),
  fc.constant({ Filter: { Tag: tag } }),
  size.map((ObjectSizeGreaterThan) => ({ Filter: { ObjectSizeGreaterThan } })),
  fc
    .record(
      { Prefix: prefix, ObjectSizeGreaterThan: size, ObjectSizeLessThan: size, Tags: fc.constant([tag]) },
      { requiredKeys: [] },
    )
    .map((And) => ({ Filter: { And } })),
);
const when = fc.oneof(
  { weight: 5, arbitrary: days.map((Days) => ({ Days })) },
  { weight: 1, arbitrary: fc.integer({ min: -3, max: 12 }).map((day) => ({ Date: dateOf(day) })) },
);
const storage = fc.constantFrom('GLACIER', 'DEEP_ARCHIVE', 'GLACIER_IR', 'STANDARD_IA', 'INTELLIGENT_TIERING');
const noncurrently = <T>(more: { readonly [K in keyof T]: fc.Arbitrary<T[K]> }) =>
  fc
    .tuple(
      fc.record({ NoncurrentDays: days, ...more }),
      fc.constantFrom({}, {}, { NewerNoncurrentVersions: 1 }, { NewerNoncurrentVersions: 3 }),
    )
    .map(([terms, newer]) => ({ ...terms, ...newer }));
const actions: fc.Arbitrary<Partial<LifecycleRule>> = fc.record(
  {
    Expiration: fc.oneof({ weight: 4, arbitrary: when }, fc.constant({ ExpiredObjectDeleteMarker: true })),
    NoncurrentVersionExpiration: noncurrently({}),
    Transitions: fc.array(
      fc.tuple(when, storage).map(([at, StorageClass]) => ({ ...at, StorageClass })),
      { maxLength: 2 },
    ),
    NoncurrentVersionTransitions: fc.array(noncurrently({ StorageClass: storage }), { maxLength: 2 }),
  },
  { requiredKeys: [] },
);
const rules = fc.array(
  fc
    .tuple(fc.constantFrom('Enabled', 'Enabled', 'Enabled', 'Disabled'), place, actions)
    .map(([Status, at, what]): LifecycleRule => ({ Status, ...at, ...what })),
  { maxLength: 4 },
);

test('the earliest hiding, deletion and archiving are those of a simulation day by day', () => {
  const versionings: readonly VersioningState[] = ['enabled', 'suspended', 'never'];
  const seen = { hidden: 0, deleted: 0, archived: 0 };
  fc.assert(
    fc.property(rules, fc.constantFrom(...versionings), (configuration, versioning) => {
      const verdict = judgeLifecycle(configuration, versioning, [LOGS]);
      for (const tagged of [false, true]) {
        const earliest: Lived = { hidden: null, deleted: null, archived: null };
        for (const key of KEYS.filter((one) => one.startsWith(LOGS)))
          for (const bytes of [1, 10, 11, 99, 100, 101])
            for (const born of [0, 5, 20]) {
              const lived = live({ key, size: bytes, born, tagged }, configuration, versioning, 30);
              for (const event of ['hidden', 'deleted', 'archived'] as const) {
                const age = lived[event];
                if (age !== null) earliest[event] = Math.min(age, earliest[event] ?? age);
              }
            }
        const fate = tagged ? verdict.ifTagged : verdict;
        expect(fate.hidden?.days ?? null, 'hidden').toBe(earliest.hidden);
        expect(fate.deleted?.days ?? null, 'deleted').toBe(earliest.deleted);
        // Once hidden, a log is past the transitions of current versions; the engine names the earliest all the same.
        const archived = fate.archived?.days ?? Number.POSITIVE_INFINITY;
        if (fate.hidden === null) expect(fate.archived?.days ?? null, 'archived').toBe(earliest.archived);
        else if (earliest.archived !== null) expect(archived).toBeLessThanOrEqual(earliest.archived);
        for (const event of ['hidden', 'deleted', 'archived'] as const) if (earliest[event] !== null) seen[event]++;
      }
    }),
    { numRuns: runs(700) },
  );
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(100);
});
