import { describe, expect, it } from 'vitest';
import { markup } from '../../src/report/html/markup.ts';
import { CHAIN, finding, hostileFindings, log, posture, render } from './sample.ts';

describe('markup', () => {
  it('escapes every hole that is not markup itself', () => {
    const inner = markup`<b>${'<i>&"\'</i>'}</b>`;
    expect(markup`<p title="${'"><script>'}">${inner}${['<', inner]}${3}</p>`.source).toBe(
      '<p title="&quot;&gt;&lt;script&gt;"><b>&lt;i&gt;&amp;&quot;&#39;&lt;/i&gt;</b>&lt;<b>&lt;i&gt;&amp;&quot;&#39;&lt;/i&gt;</b>3</p>',
    );
  });
});

describe('html', () => {
  it('has one script of its own and nothing from elsewhere', () => {
    const page = render('html', hostileFindings());
    expect(page.match(/<script/g)).toHaveLength(1);
    expect(page).not.toMatch(/\b(src|href|action|data|poster|srcset)="(?!#|data:,")/);
    expect(page).not.toMatch(/@import|url\(/);
    expect(page).not.toMatch(/<[^>]*\son\w+=/);
  });

  it('gives every finding that does not pass its place', () => {
    const page = render('html', hostileFindings());
    for (const { id, outcome } of hostileFindings()) if (outcome !== 'pass') expect(page).toContain(`id="${id}"`);
  });

  it.each([
    ['kept too short', { days: 200, required: 365 }, '200 of 365 days'],
    ['kept not at all', { days: null, required: 365 }, '0 of 365 days'],
    ['kept long enough', { RetentionPeriod: 2557, required: 365 }, '2,557 of 365 days'],
    ['a mode and no days', { Mode: 'GOVERNANCE', required: 'COMPLIANCE' }, null],
    ['days that nothing demands', { days: 200 }, null],
  ])('draws retention against what is required: %s', (_, evidence, label) => {
    const page = render('html', [{ ...posture('LOCK-03', 'fail'), evidence }]);
    expect(/aria-label="([^"]+ days)"/.exec(page)?.[1] ?? null).toBe(label);
  });

  it('says what it leaves out', () => {
    const page = render(
      'html',
      Array.from({ length: 300 }, (_, i) => log(`k${i}`)),
    );
    expect(page).toContain('<h2 id="failed">Failed (300)</h2>');
    expect(page).toContain(
      '… and 100 more log-altered: the JSON Lines output of this run (--output jsonl=FILE) has all of them.',
    );
  });

  it('says which controls and bars it leaves out, those that passed as well', () => {
    const about = (outcome: 'pass' | 'fail') =>
      Array.from({ length: 260 }, (_, i) =>
        finding({
          control: 'LOCK-02',
          kind: 'posture',
          outcome,
          evidence: { days: 400, required: 365 },
          subject: { type: 'bucket', bucket: `${outcome}-${i}` },
        }),
      );
    const page = render('html', [...about('fail'), ...about('pass')]);
    const [, controls = ''] = page.split('<h2 id="controls">');
    const [table = '', retention = ''] = controls.split('<h2 id="retention">');
    expect(table).toContain('… and 60 more LOCK-02, 60 more LOCK-02: the JSON Lines output');
    expect(retention).toContain('… and 200 more that are not drawn');
  });

  it('draws troubled chains first where there are too many to draw', () => {
    const chains = Array.from({ length: 3_000 }, (_, i) => ({
      ...CHAIN,
      region: `r-${i}`,
      from: '2026-03-01T00:00:00Z',
      to: '2026-03-02T00:00:00Z',
      digests: 24,
      logs: 0,
      bytes: 0,
      coverage: [{ from: '2026-03-01T00:00:00Z', to: '2026-03-02T00:00:00Z', state: 'proven' as const }],
    }));
    const page = render('html', [log('k', 'fail', 'log-altered', 'r-2999')], { facts: { chains } });
    const [first] = page.match(/data-name="[^"]+"/) ?? [];
    expect(first).toContain('r-2999');
    expect(page).toContain('500 more chains not drawn');
    for (const region of ['r-0', 'r-2998']) expect(page).toContain(`<td class="">${region}</td>`);
  });
});
