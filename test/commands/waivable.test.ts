import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { meaning } from '../../src/chain/meaning.ts';
import { waiverProblems } from '../../src/commands/waivable.ts';
import { exactFields, neverWaivable } from '../../src/config/waiver-terms.ts';
import { runCli } from '../support/run-cli.ts';
import { tempDir } from '../support/temp.ts';

const terms = { id: 'W-1', reason: 'r', acceptedBy: 'a', owner: 'o', expires: '2026-12-31' };
const OBJECT = { bucket: 'logs', key: 'AWSLogs/x.json.gz', sha256: 'a'.repeat(64) };
const told = (control: string, scope: object) =>
  waiverProblems([{ ...terms, control, scope } as never]).map(
    ({ path, message }) => `${path.slice(2).join('.')}: ${message}`,
  );

describe('a waiver that could never cover anything', () => {
  it.each<[string, object, RegExp]>([
    ['log-altered', { ...OBJECT, bucket: undefined }, /^scope\.bucket: is required/],
    ['log-altered', { ...OBJECT, key: undefined }, /^scope\.key: is required/],
    ['log-recoverable', { ...OBJECT, sha256: undefined }, /^scope\.sha256: is required/],
    ['link-broken', { ...OBJECT, key: 'glob:*' }, /^scope\.key: must be literal/],
    ['log-altered', { ...OBJECT, sha256: 'A'.repeat(64) }, /^scope\.sha256: expected 64 lowercase hex digits/],
    ['coverage-gap-explained', { account: '1', region: 'r', trail: 't' }, /^scope\.hour: is required/],
    ['log-missing', OBJECT, /^control: log-missing cannot be waived/],
    ['log-intact', OBJECT, /^control: log-intact is never a failure/],
    ['log-alterd', OBJECT, /^control: there is no control or verdict "log-alterd"; did you mean log-altered\?/],
    ['LOCK-3', { bucket: 'logs' }, /^control: .* did you mean LOCK-0\d\?/],
    ['after-hours', { bucket: 'logs' }, /^control: there is no control or verdict "after-hours"/],
  ])('%s %j', (control, scope, expected) => {
    const problems = told(control, scope);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(expected);
  });

  it('is told field by field', () => {
    expect(told('log-altered', { account: '111122223333' })).toHaveLength(3);
  });
});

it.each<[string, object]>([
  ['log-altered', OBJECT],
  ['LOCK-03', { bucket: 'glob:*' }],
  ['coverage-gap-explained', { account: '111122223333', region: 'r', trail: 't', hour: 'a/b' }],
])('%s %j is in order', (control, scope) => expect(told(control, scope)).toEqual([]));

it('every failure is either waived by exact fields, or the config is told that it cannot be', () => {
  for (const [kind, { outcome }] of Object.entries(meaning)) {
    const isTold = neverWaivable(kind) || told(kind, {}).length > 0;
    expect([kind, isTold]).toEqual([kind, true]);
    if (exactFields(kind) !== null) expect([kind, outcome]).toEqual([kind, 'fail']);
  }
});

it('the command refuses it before anything is judged, naming file, place and field', async () => {
  const file = join(tempDir(), 'trailseal.yaml');
  writeFileSync(
    file,
    JSON.stringify({ waivers: [{ ...terms, control: 'log-altered', scope: { key: 'x' } }] }, null, 1),
  );
  const { code, out, err } = await runCli(['verify', '--config', file, '--directory', '.', '--now', '2026-03-01']);
  expect({ code, out }).toEqual({ code: 2, out: '' });
  expect(err).toContain(`${file}:10:4 waivers[0].scope`);
  expect(err).toContain('waivers[0].scope.bucket: is required: a waiver of log-altered names bucket, key, sha256');
  expect(err).toContain('waivers[0].scope.sha256: is required');
});
