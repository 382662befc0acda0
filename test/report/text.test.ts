import { describe, expect, it } from 'vitest';
import type { Outcome } from '../../src/report/finding.ts';
import { CHAIN, finding, hostileFindings, log, posture, render } from './sample.ts';

const first = (written: string) => written.split('\n')[0];

describe('text', () => {
  it.each([
    ['proven', [], {}, 'PROVEN 2026-03-01T00:00Z … 2026-03-02T00:00Z · 2 Regions · 108 logs · 48 digests'],
    [
      'failed',
      [log('k')],
      {},
      'FAILED 2026-03-01T00:00Z … 2026-03-02T00:00Z · 2 Regions · 108 logs · 48 digests · 1 failed',
    ],
    [
      'refused',
      [log('k', 'inconclusive', 'log-unreadable')],
      {},
      'INCONCLUSIVE 2026-03-01T00:00Z … 2026-03-02T00:00Z · 2 Regions · 108 logs · 48 digests · 1 could not be verified',
    ],
    [
      'cut',
      [],
      { complete: false },
      'INCONCLUSIVE 2026-03-01T00:00Z … 2026-03-02T00:00Z · 2 Regions · 108 logs · 48 digests · the run was cut short',
    ],
  ])('says first what was found: %s', (_, findings, facts, line) => {
    expect(first(render('text', findings, { facts }))).toBe(line);
  });

  it.each(['text', 'markdown', 'html'] as const)('calls no chain of a run cut short proven: %s', (format) => {
    expect(render(format, [], { facts: { complete: false } })).toContain('proven so far');
    expect(render(format, [])).not.toContain('proven so far');
  });

  it('names object, expected, found and what to do', () => {
    const written = render('text', [log('AWSLogs/a b.json.gz')]);
    expect(written).toContain(
      [
        '  high  log-altered  the log differs from the hash that its digest signed',
        '      log         s3://logs/AWSLogs/a b.json.gz',
        '      in          111122223333 us-east-1 rig',
        '      hour        2026-03-01T06:00:00Z',
        `      expected    ${'aa'.repeat(32)}`,
        `      found       ${'bb'.repeat(32)}`,
        '      to do       keep the object as it is and compare it with the copy in the log archive',
      ].join('\n'),
    );
  });

  it('puts what failed before what could not be verified, and both before the chains', () => {
    const written = render('text', hostileFindings());
    const places = [
      'severity',
      '\nFAILED (',
      '\nCOULD NOT BE VERIFIED (',
      '\nWAIVED (',
      '\nNOT APPLICABLE (',
      '\nCHAINS (',
      '\ncounts',
    ];
    const found = places.map((place) => written.indexOf(place));
    expect(found).toEqual([...found].sort((a, b) => a - b));
    expect(found).not.toContain(-1);
  });

  it('holds nothing a terminal or a CI runner obeys', () => {
    const written = render('text', hostileFindings(), { options: { verbose: true } });
    expect(written.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}]|##(vso)?\[/u);
    expect(written).not.toMatch(/^\s*::/m);
  });

  it('lists at most 50 of a kind and says how many more', () => {
    const written = render(
      'text',
      Array.from({ length: 1_060 }, (_, i) => log(`k${i}`)),
    );
    expect(written).toContain('FAILED (1,060)');
    expect(written.match(/ s3:\/\/logs\/k\d+ /g)).toHaveLength(50);
    expect(written).toContain('… and 1,010 more log-altered: --output jsonl=FILE lists all of them');
  });

  it('lists at most 500 that failed, of however many kinds', () => {
    const kinds = Array.from({ length: 15 }, (_, i) =>
      Array.from({ length: 40 }, (_, k) => log(`k${k}`, 'fail', `log-${i}`)),
    );
    const written = render('text', kinds.flat());
    expect(written.match(/ s3:\/\/logs\/k\d+ /g)).toHaveLength(500);
    expect(written).toContain('… and 20 more log-12');
    expect(written).toContain('… and 40 more log-14');
  });

  it('says once what several findings have in common, and the remedy once for a control', () => {
    const unknown = (key: string, message = 'no public key') =>
      finding({ ...log(key, 'inconclusive', 'digest-key-unknown'), message, remedy: 'give the key' });
    const written = render('text', [unknown('a'), unknown('c', 'no other key'), unknown('b')]);
    expect(written.match(/no public key/g)).toHaveLength(1);
    expect(written).toContain('digest-key-unknown  no public key (×2)\n');
    expect(written).toMatch(/ log {9}s3:\/\/logs\/a {2}f_\w+\n {18}s3:\/\/logs\/b {2}f_\w+\n/);
    expect(written).toMatch(/no other key\n {6}log {9}s3:\/\/logs\/c\n/);
    expect(written.match(/give the key/g)).toHaveLength(1);
  });

  it('counts the logs of a digest that is not attested instead of repeating each', () => {
    const of = (kind: string, n: number) =>
      Array.from({ length: n }, (_, i) => {
        const message = `nothing vouches for it: its digest is ${kind}`;
        return finding({ ...log(`${kind}-${i}`, 'inconclusive', 'log-unattested'), message });
      });
    const written = render('text', of('key-unknown', 120));
    expect(written).toContain('nothing vouches for it: its digest is key-unknown (×120)\n');
    expect(written).not.toContain('key-unknown-0');
    expect(written).not.toContain('… and');
    expect(written).toContain('      log         120: --output jsonl=FILE lists each\n');
    const two = render('text', [...of('key-unknown', 40), ...of('unsigned', 40)]);
    expect(two).toContain('(×40)');
    expect(two).toContain('(×10)');
    expect(two).toContain('… and 30 more log-unattested');
    expect(render('text', of('key-unknown', 3), { options: { verbose: true } })).toContain('key-unknown-2');
  });

  it('streams passes of verify before the verdict when verbose, and hides them otherwise', () => {
    const pass = finding({ ...log('good.gz'), outcome: 'pass', control: 'log-intact' });
    expect(first(render('text', [pass], { options: { verbose: true } }))).toBe('pass  log-intact  s3://logs/good.gz');
    expect(render('text', [pass])).not.toContain('good.gz');
  });

  it('shows a pass that carries a note', () => {
    const pass = finding({
      ...log('odd.gz'),
      outcome: 'pass',
      control: 'log-intact',
      evidence: { notes: ['stored uncompressed'] },
    });
    expect(render('text', [pass])).toMatch(/NOTES \(1\)[\s\S]*stored uncompressed/);
    const due = finding({ ...pass, control: 'coverage-pending', evidence: {} });
    for (const format of ['text', 'markdown', 'html'] as const)
      expect(render(format, [due])).toContain('coverage-pending');
  });

  it('tells the checks that passed in a paragraph a group, each thing once, and in full when verbose', () => {
    const check = (control: string, message: string, outcome: Outcome = 'pass') =>
      finding({ control, kind: 'posture', outcome, message, subject: { type: 'bucket', bucket: 'logs' } });
    const findings = [
      check('TRAIL-02', 'the trail is logging'),
      check('LOCK-01', 'Object Lock is enabled; a caveat of many'),
      check('LOCK-04', 'versioning is enabled'),
      check('LOCK-04', 'versioning is enabled'),
      check('REP-01', 'the config demands no copy', 'not-applicable'),
    ];
    expect(render('text', findings)).toContain(
      [
        'PASSED (4)',
        '',
        '  TRAIL  the trail is logging',
        '  LOCK   Object Lock is enabled [1] · versioning is enabled (×2)',
        '  [1] a caveat of many',
        '',
        'NOT APPLICABLE (1)',
        '',
        '  REP  the config demands no copy',
      ].join('\n'),
    );
    const verbose = render('text', findings, { options: { verbose: true } });
    expect(verbose).toContain('LOCK-04');
    expect(verbose).toContain('NOTES (1)');
  });

  it('shows a few of many references', () => {
    const references = ['CIS 1', 'CIS 2', 'CIS 3', 'CIS 4', 'CIS 5', 'CIS 6', 'CIS 7'];
    const failed = finding({ control: 'LOCK-02', kind: 'posture', subject: { type: 'bucket' }, references });
    expect(render('text', [failed])).toMatch(/see +CIS 1, CIS 2, CIS 3, CIS 4, CIS 5 and 2 more\n/);
    expect(render('text', [failed], { options: { verbose: true } })).toContain('CIS 6, CIS 7');
  });

  it('names every chain however many there are', () => {
    const chains = Array.from({ length: 60 }, (_, i) => ({
      ...CHAIN,
      region: `region-${i}-end`,
      from: '2026-03-01T00:00:00Z',
      to: '2026-03-02T00:00:00Z',
      digests: 24,
      logs: 10,
      bytes: 1,
    }));
    const written = render('text', [log('k', 'fail', 'log-altered', 'region-7-end')], { facts: { chains } });
    for (const { region } of chains) expect(written).toContain(region);
    expect(written).toContain('proven in 59 Regions: 1,416 digests, 590 logs');
    expect(written).toMatch(/region-7-end {2}rig .* 1 failed\n/);
  });

  it('colours only when told to', () => {
    expect(render('text', [log('k')])).not.toContain('\u001b');
    expect(render('text', [log('k')], { options: { color: true } })).toContain('\u001b[31m');
  });

  it('counts posture by severity', () => {
    const written = render('text', [
      posture('A', 'fail', 'critical'),
      posture('B', 'pass', 'critical'),
      posture('C', 'pass', 'low'),
    ]);
    expect(written).toMatch(/ {2}critical +1 +0 +0 +1 +0\n {2}low +0 +0 +0 +1 +0\n/);
  });
});
