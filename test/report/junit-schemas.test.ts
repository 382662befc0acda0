import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { junit } from '../../src/report/junit.ts';
import type { RunFacts } from '../../src/report/tally.ts';
import { sharedPath } from '../support/shared.ts';
import { fold, HOSTILE, hostileFindings, log, posture, RUN, render, summaryOf, yearInRegions } from './sample.ts';

/**
 * The schemas are other people's and are not copied into this repository: a folder that holds Jenkins' `junit-10.xsd` and
 * windyroad's `JUnit.xsd` is named by JUNIT_SCHEMAS, or lies in ../shared. `junit-reader.ts` keeps the same rules where
 * they are absent.
 */
const FOLDER = process.env['JUNIT_SCHEMAS'] ?? sharedPath('data/junit');
const SCHEMAS = ['junit-10.xsd', 'JUnit.xsd'].map((name) => join(FOLDER, name));
const able = spawnSync('xmllint', ['--version']).status === 0 && SCHEMAS.every((path) => existsSync(path));
if (!able) console.warn(`xmllint or ${SCHEMAS.join(' or ')} is absent: the JUnit schemas are not asked`);

/** What xmllint complains of, for each schema. */
function complaints(document: string): string[] {
  return SCHEMAS.flatMap((schema) => {
    const { status, stderr } = spawnSync('xmllint', ['--noout', '--nonet', '--schema', schema, '-'], {
      input: document,
      encoding: 'utf8',
    });
    return status === 0 ? [] : [`${schema}: ${stderr.slice(0, 500)}`];
  });
}

const many = Array.from({ length: 3_000 }, (_, i) => log(`k${i}`, i % 2 ? 'fail' : 'inconclusive'));
const everyCharacter = Array.from({ length: 0x300 }, (_, i) => String.fromCharCode(i)).join('');
const named = (name: string) => [log(name), posture('LOCK-02', 'fail', 'critical', name)];

describe.skipIf(!able)('the JUnit schemas accept', () => {
  it.each<[string, () => string]>([
    ['hostile names', () => render('junit', hostileFindings())],
    ['every character up to U+02FF', () => render('junit', named(everyCharacter))],
    ['names of nothing but blanks', () => render('junit', [...named(' '), ...named('\n\t'), ...named('')])],
    ['nothing found', () => render('junit', [], { facts: { chains: [] } })],
    ['a run cut short', () => render('junit', hostileFindings(), { facts: { complete: false } as Partial<RunFacts> })],
    ['more than is listed', () => render('junit', many)],
    [
      'a year in 17 Regions',
      () => {
        const { findings, facts, run } = yearInRegions();
        return render('junit', findings, { facts, run });
      },
    ],
    ['a hostile host', () => render('junit', hostileFindings(), { run: { ...RUN, host: ' \u0000]]>\n' } })],
    ['few cases', () => fold(junit({ perFile: 3 }), hostileFindings(), summaryOf(hostileFindings()))],
    ...HOSTILE.map((name): [string, () => string] => [
      JSON.stringify(name).slice(0, 40),
      () => render('junit', named(name), { run: { ...RUN, arguments: { [name]: name }, inputs: { [name]: 'ab' } } }),
    ]),
  ])('%s', (_, make) => {
    expect(complaints(make())).toEqual([]);
  });

  it('and refuse what is none', () => {
    expect(complaints(render('junit', [log('k')]).replace('timestamp=', 'time-stamp='))).toHaveLength(2);
  });
});
