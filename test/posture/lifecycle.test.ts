import { describe, expect, it } from 'vitest';
import type { LifecycleRule } from '../../src/posture/bucket-facts.ts';
import { judgeLifecycle, type VersioningState } from '../../src/posture/lifecycle.ts';

const LOGS = ['AWSLogs/123456789012/'];
const rule = (id: string, terms: LifecycleRule): LifecycleRule => ({ ID: id, Status: 'Enabled', Filter: {}, ...terms });
const expire = (id: string, days: number, terms: LifecycleRule = {}) =>
  rule(id, { Expiration: { Days: days }, ...terms });
const noncurrent = (id: string, days: number, terms: LifecycleRule = {}) =>
  rule(id, { NoncurrentVersionExpiration: { NoncurrentDays: days }, ...terms });

describe('earliest hiding and permanent deletion', () => {
  it.each<[string, LifecycleRule[], VersioningState, number | null, number | null]>([
    ['no rule', [], 'enabled', null, null],
    ['disabled', [expire('a', 1, { Status: 'Disabled' })], 'enabled', null, null],
    ['expiration alone only hides', [expire('a', 30)], 'enabled', 30, null],
    ['expiration without versions deletes', [expire('a', 30)], 'never', 30, 30],
    ['expiration of a null version deletes', [expire('a', 30)], 'suspended', 30, 30],
    ['two rules add up', [expire('a', 30), noncurrent('b', 60)], 'enabled', 30, 90],
    ['noncurrent alone leaves untouched logs', [noncurrent('b', 1)], 'enabled', null, null],
    ['a date is day 0', [rule('a', { Expiration: { Date: '2031-01-01T00:00:00.000Z' } })], 'never', 0, 0],
    ['only markers', [rule('a', { Expiration: { ExpiredObjectDeleteMarker: true } })], 'enabled', null, null],
    ['another prefix', [expire('a', 1, { Filter: { Prefix: 'tmp/' } })], 'enabled', null, null],
    ['a prefix above', [expire('a', 30, { Filter: { Prefix: 'AWSLogs/' } })], 'enabled', 30, null],
    [
      'a prefix below',
      [expire('a', 30, { Filter: { Prefix: 'AWSLogs/123456789012/CloudTrail-Digest/' } })],
      'enabled',
      30,
      null,
    ],
    [
      'a prefix of the name only',
      [expire('a', 30, { Filter: { Prefix: 'AWSLogs/12345678901' } })],
      'enabled',
      30,
      null,
    ],
    ['another account', [expire('a', 30, { Filter: { Prefix: 'AWSLogs/999999999999/' } })], 'enabled', null, null],
    [
      'the legacy place of the prefix',
      [{ Status: 'Enabled', Prefix: 'tmp/', Expiration: { Days: 1 } }],
      'enabled',
      null,
      null,
    ],
    [
      'And',
      [expire('a', 30, { Filter: { And: { Prefix: 'tmp/', ObjectSizeGreaterThan: 1 } } })],
      'enabled',
      null,
      null,
    ],
    ['tags', [expire('a', 30, { Filter: { Tag: { Key: 'k', Value: 'v' } } })], 'enabled', null, null],
    ['sizes may match', [expire('a', 30, { Filter: { ObjectSizeGreaterThan: 500 } })], 'enabled', 30, null],
    [
      'sizes that exclude each other',
      [
        expire('a', 30, { Filter: { ObjectSizeGreaterThan: 500 } }),
        noncurrent('b', 1, { Filter: { ObjectSizeLessThan: 400 } }),
      ],
      'enabled',
      30,
      null,
    ],
    [
      'prefixes that exclude each other',
      [
        expire('a', 30, { Filter: { Prefix: 'AWSLogs/123456789012/CloudTrail/' } }),
        noncurrent('b', 1, { Filter: { Prefix: 'AWSLogs/123456789012/CloudTrail-Digest/' } }),
      ],
      'enabled',
      30,
      null,
    ],
    [
      'newer versions that nobody makes',
      [expire('a', 30), rule('b', { NoncurrentVersionExpiration: { NoncurrentDays: 1, NewerNoncurrentVersions: 1 } })],
      'enabled',
      30,
      null,
    ],
  ])('%s', (_, rules, versioning, hidden, deleted) => {
    const verdict = judgeLifecycle(rules, versioning, LOGS);
    expect([verdict.hidden?.days ?? null, verdict.deleted?.days ?? null]).toEqual([hidden, deleted]);
  });

  it('names the rules, tells what tags would do and what awaits a deleted version', () => {
    const tagged = expire('t', 5, { Filter: { And: { Prefix: 'AWSLogs/', Tags: [{ Key: 'k', Value: 'v' }] } } });
    expect(judgeLifecycle([expire('a', 30), tagged, noncurrent('b', 60)], 'enabled', LOGS)).toEqual({
      hidden: { days: 30, rules: ['a'] },
      deleted: { days: 90, rules: ['a', 'b'] },
      archived: null,
      ifTagged: { hidden: { days: 5, rules: ['t'] }, deleted: { days: 65, rules: ['t', 'b'] }, archived: null },
      afterHiding: { days: 60, rules: ['b'] },
    });
  });
});

describe('earliest archive', () => {
  const to = (storage: string, days: number) => rule(storage, { Transitions: [{ Days: days, StorageClass: storage }] });
  it.each<[string, LifecycleRule[], number | null]>([
    ['Glacier', [to('GLACIER', 30)], 30],
    ['Deep Archive before Glacier', [to('GLACIER', 90), to('DEEP_ARCHIVE', 10)], 10],
    [
      'classes that answer at once',
      ['GLACIER_IR', 'STANDARD_IA', 'ONEZONE_IA', 'INTELLIGENT_TIERING'].map((one) => to(one, 1)),
      null,
    ],
    ['a class of tomorrow', [to('GLACIER_FROZEN', 1)], 1],
    ['by date', [rule('a', { Transitions: [{ Date: '2031-01-01T00:00:00.000Z', StorageClass: 'GLACIER' }] })], 0],
    [
      'after hiding',
      [expire('a', 30), rule('b', { NoncurrentVersionTransitions: [{ NoncurrentDays: 5, StorageClass: 'GLACIER' }] })],
      35,
    ],
  ])('%s', (_, rules, days) => {
    expect(judgeLifecycle(rules, 'enabled', LOGS).archived?.days ?? null).toBe(days);
  });
});
