import { expect, it } from 'vitest';
import type { Retention } from '../../src/posture/object-facts.ts';
import { defaultRetentionDays, judgeRetention, type RetentionVerdict } from '../../src/posture/retention.ts';

it.each([
  [{ Days: 365 }, 365],
  [{ Years: 1 }, 365],
  [{ Years: 7 }, 2555],
  [{ Days: 365, Years: 0 }, 365],
  [{ Days: 0, Years: 1 }, 365],
  [{ Days: 30, Years: 1 }, 30],
  [{ Days: 0, Years: 0 }, null],
  [{ DefaultEventHold: { Days: 365 } }, null],
])('default period of %j is %s days', (retention, days) => {
  expect(defaultRetentionDays(retention)).toBe(days);
});

const BORN = '2026-01-01T04:39:46.000Z';
const NOW = Date.parse('2026-01-20T00:00:00.000Z');
const until = (RetainUntilDate: string, Mode = 'COMPLIANCE'): Retention => ({ Mode, RetainUntilDate });

it.each<[string, Retention | null, 'COMPLIANCE' | 'GOVERNANCE', RetentionVerdict]>([
  ['to the second', until('2026-01-31T04:39:46.000Z'), 'COMPLIANCE', 'retained'],
  ['longer', until('2036-01-31T04:39:46.000Z'), 'COMPLIANCE', 'retained'],
  [
    'from the creation instant, before LastModified was rounded',
    until('2026-01-31T04:39:45.913Z'),
    'COMPLIANCE',
    'retained',
  ],
  ['at the end of the slack', until('2026-01-31T04:39:44.000Z'), 'COMPLIANCE', 'retained'],
  ['beyond the slack', until('2026-01-31T04:39:43.999Z'), 'COMPLIANCE', 'short'],
  ['over already', until('2026-01-02T04:39:46.000Z'), 'COMPLIANCE', 'expired'],
  ['GOVERNANCE', until('2036-01-31T04:39:46.000Z', 'GOVERNANCE'), 'COMPLIANCE', 'governance'],
  ['GOVERNANCE where accepted', until('2026-01-31T04:39:46.000Z', 'GOVERNANCE'), 'GOVERNANCE', 'retained'],
  ['COMPLIANCE where GOVERNANCE is enough', until('2026-01-31T04:39:46.000Z'), 'GOVERNANCE', 'retained'],
  ['none', null, 'COMPLIANCE', 'unlocked'],
  ['an empty answer', {}, 'COMPLIANCE', 'unlocked'],
  ['an event hold without mode', { EventHold: 'ON' }, 'COMPLIANCE', 'event-hold-only'],
  ['an event hold that was released', { EventHold: 'OFF' }, 'COMPLIANCE', 'unlocked'],
  ['an event hold beside a mode', { EventHold: 'ON', ...until('2026-01-31T04:39:46.000Z') }, 'COMPLIANCE', 'retained'],
  ['a mode of tomorrow', until('2036-01-31T04:39:46.000Z', 'STRICT'), 'COMPLIANCE', 'unreadable'],
  ['no date', { Mode: 'COMPLIANCE' }, 'COMPLIANCE', 'unreadable'],
])('retention: %s', (_, retention, mode, verdict) => {
  expect(judgeRetention(retention, BORN, { mode, days: 30 }, NOW)).toBe(verdict);
});
