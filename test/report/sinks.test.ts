import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import Draft04 from 'ajv-draft-04';
import formatsOfAjv from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import { csv, markdown } from '../../src/report/escape.ts';
import { fc } from '../support/property.ts';
import { finding, HOSTILE, hostileFindings, log, posture, RUN, render } from './sample.ts';

describe('sarif', () => {
  const schema = JSON.parse(
    readFileSync(
      createRequire(import.meta.url).resolve('@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json'),
      'utf8',
    ),
  );
  const ajv = new Draft04.default({ strict: false, allErrors: true, unicodeRegExp: false });
  formatsOfAjv.default(ajv);
  const validate = ajv.compile(schema);
  const read = (...how: Parameters<typeof render> extends [unknown, ...infer Rest] ? Rest : never) => {
    const log = JSON.parse(render('sarif', ...how));
    expect(validate(log), JSON.stringify(validate.errors)).toBe(true);
    return log.runs[0];
  };

  it('is valid by the official schema, hostile names included', () => {
    expect(read(hostileFindings()).results.length).toBeGreaterThan(60);
    expect(read([]).results).toEqual([]);
  });

  it('gives every result a line in a file of the repository', () => {
    for (const { locations } of read(hostileFindings()).results) {
      expect(locations[0].physicalLocation).toEqual({
        artifactLocation: { uri: 'trailseal.yaml' },
        region: { startLine: 1 },
      });
    }
  });

  it('takes the line from whoever knows the config', () => {
    const [result] = read([log('k')], { options: { locate: () => ({ path: '../a dir/t.yaml', line: 7 }) } }).results;
    expect(result.locations[0].physicalLocation).toEqual({
      artifactLocation: { uri: 'a%20dir/t.yaml' },
      region: { startLine: 7 },
    });
  });

  it('keeps open what could not be verified, and suppresses what is waived', () => {
    const { results } = read([
      log('a'),
      log('b', 'inconclusive', 'log-unreadable'),
      posture('K', 'waived'),
      posture('P', 'pass'),
    ]);
    expect(results.map((each: Record<string, unknown>) => [each['ruleId'], each['kind'], each['level']])).toEqual([
      ['log-altered', 'fail', 'error'],
      ['log-unreadable', 'open', 'none'],
      ['K', 'fail', 'error'],
    ]);
    expect(results[2].suppressions[0].justification).toBe('migration, CHG-4411');
  });

  it('says how many results it leaves out', () => {
    const many = Array.from({ length: 5_010 }, (_, i) => log(`k${i}`));
    const run = read(many, { facts: { chains: [] } });
    expect(run.results).toHaveLength(5_000);
    expect(run.invocations[0].toolExecutionNotifications[0].message.text).toMatch(/^10 more findings/);
  });
});

describe('ocsf', () => {
  const read = (findings: Parameters<typeof render>[1], how = {}) =>
    render('ocsf', findings, how)
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));

  it.each([
    ['pass', 2003, 1, 4],
    ['inconclusive', 2003, 2, 1],
    ['fail', 2003, 3, 1],
    ['waived', 2003, 3, 3],
    ['not-applicable', 2003, 99, 1],
  ] as const)('%s', (outcome, classUid, compliance, status) => {
    const [event] = read([posture('LOCK-02', outcome, 'critical')]);
    expect(event).toMatchObject({
      class_uid: classUid,
      type_uid: 200_301,
      category_uid: 2,
      severity_id: 5,
      status_id: status,
      time: Date.parse(RUN.clock),
      compliance: { control: 'LOCK-02', status_id: compliance },
      metadata: { product: { name: 'trailseal' }, version: '1.5.0' },
    });
  });

  it('tells events as detections', () => {
    const [event] = read([finding({ control: 'EVT-01', kind: 'event', subject: { type: 'event' } })]);
    expect(event).toMatchObject({ class_uid: 2004, type_uid: 200_401, is_alert: true });
    expect(event.compliance).toBeUndefined();
  });

  it('ends with the run itself', () => {
    expect(read([log('k')]).at(-1)).toMatchObject({
      message: 'FAILED: at least one finding failed',
      compliance: { status_id: 3 },
    });
    expect(read([], { facts: { complete: false } }).at(-1)).toMatchObject({ compliance: { status_id: 2 } });
  });
});

describe('csv', () => {
  it.each(HOSTILE)('%j is one field that no spreadsheet runs', (key) => {
    const field = csv(key);
    expect(field).toMatch(/^"([^"]|"")*"$/);
    expect(field).not.toMatch(/^"\s*[=+\-@]/);
    expect(field).not.toMatch(/[\r\n\t]/);
  });

  it('keeps a formula apart from what is written like a marked one', () => {
    expect([csv('=1'), csv("'=1"), csv("''=1")]).toEqual(['"\'=1"', '"\'\'=1"', "\"'''=1\""]);
  });

  it('keeps different strings different', () => {
    const unit = fc.constantFrom("'", '=', '"', 'a', ' ', '\\', 'u', '\n');
    fc.assert(fc.property(fc.string({ unit }), fc.string({ unit }), (a, b) => a === b || csv(a) !== csv(b)));
  });

  it('has as many fields in every row, and ends with the run', () => {
    const rows = render('csv', hostileFindings()).trimEnd().split('\r\n');
    const counts = rows.map((row) => row.match(/"([^"]|"")*"(,|$)/g)?.length);
    expect(rows).toHaveLength(hostileFindings().length + 2);
    expect(new Set(counts).size).toBe(1);
    expect(rows.at(-1)).toContain('"exit code 1: at least one finding failed"');
  });
});

describe('markdown', () => {
  it.each([
    ['[link](javascript:x)', '&#91;link&#93;&#40;javascript:x&#41;'],
    ['<img src=x>', '&#60;img src=x&#62;'],
    ['a|b`c`*d*_e_', 'a&#124;b&#96;c&#96;&#42;d&#42;&#95;e&#95;'],
    ['https://example.com www.example.com', 'https&#58;//example.com www&#46;example.com'],
    ['@team #1', '&#64;team &#35;1'],
    ['arn:aws:s3:::b/k', 'arn:aws:s3:::b/k'],
  ])('%j', (text, expected) => {
    expect(markdown(text)).toBe(expected);
  });

  it('stays below a mebibyte and says what did not fit', () => {
    const key = '日'.repeat(340);
    const controls = Array.from({ length: 40 }, (_, i) => `log-${i}`);
    const many = controls.flatMap((control) =>
      Array.from({ length: 40 }, (_, i) => log(`${key}${i}`, 'fail', control)),
    );
    const chains = Array.from({ length: 20_000 }, (_, i) => ({
      ...{ account: '1', region: `r-${i}`, trail: 't' },
      from: null,
      to: null,
      digests: 0,
      logs: 0,
      bytes: 0,
    }));
    const written = render('markdown', many, { facts: { chains } });
    expect(Buffer.byteLength(written)).toBeLessThan(1_048_576);
    expect(written).toMatch(/[\d,]+ more parts did not fit/);
    expect(written).toContain('### Failed (1,600)');
  });

  it('lists at most 50 of a control, says how many more and where they are', () => {
    const written = render(
      'markdown',
      Array.from({ length: 61 }, (_, i) => log(`k${i}`)),
    );
    expect(written.match(/<details>/g)).toHaveLength(50);
    expect(written).toContain(
      '… and 11 more log-altered: the JSON Lines output (--output jsonl=FILE) has all of them.',
    );
  });

  it('begins with the verdict', () => {
    expect(render('markdown', [log('k')])).toMatch(/^## ❌ FAILED\n/);
    expect(render('markdown', [])).toMatch(/^## ✅ PROVEN\n/);
  });
});
