import { describe, expect, it } from 'vitest';
import type { Waiver } from '../../src/config/waiver-schema.ts';
import { applyWaivers, waiverLedger } from '../../src/config/waivers.ts';
import { type Finding, findingId, type Subject } from '../../src/report/finding.ts';

const NOW = Date.parse('2026-03-01T12:00:00Z');
const HASH = 'a'.repeat(64);
const OTHER = 'b'.repeat(64);

function posture(change: Partial<Finding> = {}): Finding {
  const subject: Subject = { type: 'bucket', bucket: 'logs', account: '111122223333' };
  return {
    v: 1,
    id: findingId('LOCK-03', subject),
    control: 'LOCK-03',
    kind: 'posture',
    outcome: 'fail',
    severity: 'critical',
    subject,
    message: '30 days, 365 are required',
    evidence: { days: 30 },
    remedy: 'more days',
    references: [],
    waiver: null,
    ...change,
  };
}

const altered = (change: Partial<Finding> = {}): Finding =>
  posture({
    control: 'log-altered',
    kind: 'integrity',
    subject: { type: 'log', bucket: 'logs', key: 'AWSLogs/x.json.gz', account: '111122223333' },
    evidence: { expected: OTHER, found: HASH },
    ...change,
  });

function waiver(change: Partial<Waiver> = {}): Waiver {
  return {
    id: 'W-1',
    control: 'LOCK-03',
    scope: { bucket: 'logs' },
    reason: 'migration, CHG-4411',
    acceptedBy: 'j.doe',
    owner: 'platform',
    expires: '2026-12-31',
    ...change,
  };
}

function outcome(finding: Finding, terms: Waiver, nowMs = NOW): string {
  return waiverLedger([terms], nowMs).judge(finding).outcome;
}

it('an active waiver covers its finding and shows its terms', () => {
  expect(waiverLedger([waiver()], NOW).judge(posture())).toEqual({
    ...posture(),
    outcome: 'waived',
    waiver: {
      id: 'W-1',
      reason: 'migration, CHG-4411',
      acceptedBy: 'j.doe',
      owner: 'platform',
      expires: '2026-12-31',
    },
  });
});

it.each([['pass'], ['inconclusive'], ['not-applicable']] as const)('only a failure can be waived: %s stays', (is) => {
  expect(outcome(posture({ outcome: is }), waiver())).toBe(is);
});

describe('what a scope covers', () => {
  it.each<[string, Waiver['scope'], Finding, string]>([
    ['the literal text', { bucket: 'logs' }, posture(), 'waived'],
    ['nothing that merely begins so', { bucket: 'log' }, posture(), 'fail'],
    ['a star is a star', { bucket: 'lo*' }, posture(), 'fail'],
    ['a glob where asked', { bucket: 'glob:lo*' }, posture(), 'waived'],
    ['case counts', { bucket: 'Logs' }, posture(), 'fail'],
    ['every field named', { bucket: 'logs', account: '111122223333' }, posture(), 'waived'],
    ['not some of them', { bucket: 'logs', account: '999922223333' }, posture(), 'fail'],
    ['not a field the finding lacks', { bucket: 'logs', region: 'glob:*' }, posture(), 'fail'],
    ['evidence of an event', { runId: '81' }, posture({ kind: 'event', evidence: { runId: 81 } }), 'waived'],
    ['nothing when empty', {}, posture(), 'fail'],
  ])('%s', (_, scope, finding, expected) => {
    expect(outcome(finding, waiver({ scope }))).toBe(expected);
  });

  it('not another control', () => {
    expect(outcome(posture(), waiver({ control: 'LOCK-02' }))).toBe('fail');
  });
});

describe('integrity', () => {
  const exact = { bucket: 'logs', key: 'AWSLogs/x.json.gz', sha256: HASH };
  const ask = (scope: Waiver['scope'], control = 'log-altered'): Waiver => waiver({ control, scope });
  it.each<[string, Waiver, Finding, string]>([
    ['the exact object and its hash', ask(exact), altered(), 'waived'],
    ['the object without its hash', ask({ bucket: 'logs', key: exact.key }), altered(), 'fail'],
    ['the hash without the object', ask({ sha256: HASH }), altered(), 'fail'],
    ['the object without its bucket', ask({ key: exact.key, sha256: HASH }), altered(), 'fail'],
    ['the hash that was expected', ask({ ...exact, sha256: OTHER }), altered(), 'fail'],
    ['a glob for the hash', ask({ ...exact, sha256: 'glob:*' }), altered(), 'fail'],
    ['a glob for the key', ask({ ...exact, key: 'glob:*' }), altered(), 'fail'],
    [
      'one whose attested bytes are in an older version',
      ask(exact, 'log-recoverable'),
      altered({ control: 'log-recoverable', evidence: { expected: OTHER, current: 'altered', found: HASH } }),
      'waived',
    ],
    ['altered once more', ask(exact), altered({ evidence: { expected: OTHER, found: 'c'.repeat(64) } }), 'fail'],
    [
      'a missing object has no hash',
      ask(exact, 'log-missing'),
      altered({ control: 'log-missing', evidence: { expected: HASH } }),
      'fail',
    ],
  ])('%s', (_, terms, finding, expected) => {
    expect(outcome(finding, terms)).toBe(expected);
  });

  it.each([
    'digest-signature-invalid',
    'digest-missing',
    'coverage-gap',
    'coverage-tail-stale',
    'link-discontinuous',
    'checkpoint-rewritten',
  ])('%s is never waived', (control) => {
    const finding = altered({ control, evidence: { sha256: HASH, found: HASH } });
    expect(outcome(finding, ask(exact, control))).toBe('fail');
  });

  it('a gap that an event explains can be, the one interval of the one trail', () => {
    const place = {
      account: '111122223333',
      region: 'eu-west-2',
      trail: 't-1',
      hour: '2026-01-01T00:00:00Z/2026-01-01T02:00:00Z',
    };
    const gap = altered({ control: 'coverage-gap-explained', subject: { type: 'chain', ...place }, evidence: {} });
    expect(outcome(gap, ask(place, 'coverage-gap-explained'))).toBe('waived');
    expect(outcome(gap, ask({ ...place, hour: 'glob:*' }, 'coverage-gap-explained'))).toBe('fail');
    expect(outcome(gap, ask({ trail: 't-1' }, 'coverage-gap-explained'))).toBe('fail');
  });
});

describe('time', () => {
  it.each([
    ['2026-12-31T23:59:59.999Z', 'waived'],
    ['2027-01-01T00:00:00.000Z', 'fail'],
  ])('holds through its last day: %s %s', (now, expected) => {
    expect(outcome(posture(), waiver(), Date.parse(now))).toBe(expected);
  });

  it('what it covered fails again and says so', () => {
    const ledger = waiverLedger([waiver({ expires: '2026-02-28' })], NOW);
    const judged = ledger.judge(posture());
    expect(judged).toMatchObject({ outcome: 'fail', waiver: { id: 'W-1', expires: '2026-02-28' } });
    expect(judged.message).toBe('30 days, 365 are required (waiver W-1 expired 2026-02-28, owner platform)');
    expect(ledger.close()).toMatchObject([{ control: 'waiver-expired', outcome: 'fail', subject: { type: 'waiver' } }]);
  });

  it('a newer waiver for the same thing counts before an expired one', () => {
    const ledger = waiverLedger([waiver({ expires: '2026-02-28' }), waiver({ id: 'W-2' })], NOW);
    expect(ledger.judge(posture())).toMatchObject({ outcome: 'waived', waiver: { id: 'W-2' } });
  });

  it.each([
    ['2026-03-01', 'waiver W-1 expires today, at the end of 2026-03-01 UTC'],
    ['2026-03-02', 'waiver W-1 expires in 1 day, at the end of 2026-03-02 UTC'],
    ['2026-03-15', 'waiver W-1 expires in 14 days, at the end of 2026-03-15 UTC'],
    ['2026-03-16', undefined],
  ])('the last 14 days are told: %s', (expires, message) => {
    const ledger = waiverLedger([waiver({ expires })], NOW);
    ledger.judge(posture());
    expect(ledger.close().map((finding) => finding.message)).toEqual(message === undefined ? [] : [message]);
  });
});

describe('unused', () => {
  it('is reported, and does not fail the run', () => {
    expect(waiverLedger([waiver()], NOW).close()).toMatchObject([
      { control: 'waiver-unused', outcome: 'not-applicable', message: 'waiver W-1 covered nothing in this run' },
    ]);
  });
  it('says when it expired too', () => {
    const [finding] = waiverLedger([waiver({ expires: '2026-01-31' })], NOW).close();
    expect(finding?.message).toBe('waiver W-1 covered nothing in this run; it expired 2026-01-31');
  });
  it('not for a control this run does not judge', () => {
    expect(waiverLedger([waiver()], NOW, (control) => control === 'log-altered').close()).toEqual([]);
  });
});

it('holds one finding at a time', async () => {
  let ahead = 0;
  function* many(): Generator<Finding> {
    for (let n = 0; n < 100_000; n++) {
      ahead++;
      yield altered();
    }
  }
  let most = 0;
  let waived = 0;
  for await (const finding of applyWaivers(many(), [waiver()], NOW)) {
    most = Math.max(most, ahead--);
    if (finding.outcome === 'waived') waived++;
  }
  expect({ most, waived }).toEqual({ most: 1, waived: 0 });
});
