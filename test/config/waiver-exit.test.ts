import { expect, it } from 'vitest';
import { waiverLedger } from '../../src/config/waivers.ts';
import { tally } from '../../src/report/tally.ts';

const NOW = Date.parse('2026-03-01T12:00:00Z');
const WAIVER = {
  id: 'W-1',
  control: 'LOCK-03',
  scope: { bucket: 'logs' },
  reason: 'r',
  acceptedBy: 'a',
  owner: 'o',
  expires: '2026-12-31',
};

it.each([
  [0, 3],
  [1, 0],
])('an unused waiver beside %d passes: exit %d', (passes, code) => {
  const counts = tally();
  for (let n = 0; n < passes; n++) counts.count('log-intact', 'pass');
  for (const finding of waiverLedger([WAIVER], NOW).close()) counts.add(finding);
  const facts = { complete: true, chains: [], requests: { list: 0, get: 0, bytes: 0 }, elapsedMs: 0 };
  expect(counts.summary(facts).exitCode).toBe(code);
});
