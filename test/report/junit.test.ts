import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { jsonl } from '../../src/report/jsonl.ts';
import { junit } from '../../src/report/junit.ts';
import { readJunit } from './junit-reader.ts';
import {
  CHAIN,
  CHAINS,
  finding,
  fold,
  HOSTILE,
  hostileFindings,
  log,
  posture,
  RUN,
  render,
  summaryOf,
} from './sample.ts';

function read(findings = hostileFindings(), facts = {}, options = {}) {
  return readJunit(fold(junit(options), findings, summaryOf(findings, facts)));
}

describe('junit', () => {
  it('names each suite, the run first and every chain', () => {
    expect(read().suites.map(({ attributes }) => attributes['name'])).toEqual([
      'run',
      'integrity 111122223333 us-east-1 rig',
      'integrity 111122223333 us-east-1',
      'posture 111122223333',
      'events',
      'waivers',
      'integrity 111122223333 eu-west-1 rig',
    ]);
  });

  it('has stable testcases for a chain on which nothing failed', () => {
    const quiet = read().cases.filter(({ suite }) => suite.endsWith('eu-west-1 rig'));
    expect(quiet.map(({ name, outcome }) => [name, outcome])).toEqual([
      ['digest.signature', 'passed'],
      ['digest.continuity', 'passed'],
      ['coverage', 'passed'],
      ['logs.integrity', 'passed'],
    ]);
  });

  it('lets the stable testcase stand for the first object and says how many', () => {
    const { cases } = read([log('one'), log('two'), log('three', 'inconclusive', 'log-unreadable')]);
    const own = cases.filter(({ outcome }) => outcome !== 'passed');
    expect(own.map(({ name, outcome }) => [name, outcome])).toEqual([
      ['logs.integrity', 'failure'],
      ['log-unreadable s3://logs/three', 'error'],
      ['log-altered s3://logs/two', 'failure'],
    ]);
    expect(own[0]?.message).toBe(
      '2 fail, 1 inconclusive of 13; first: s3://logs/one: the log differs from the hash that its digest signed',
    );
    expect(own[0]?.text).toContain(`expected: ${'aa'.repeat(32)}\nfound: ${'bb'.repeat(32)}`);
  });

  it('never lets two hostile names become one', () => {
    const names = read()
      .cases.filter(({ name }) => name.startsWith('log-altered'))
      .map(({ name }) => name);
    expect(new Set(names).size).toBe(HOSTILE.length - 1);
  });

  it('tells the same finding twice apart', () => {
    const twice = [log('first'), log('same'), log('same')];
    expect(read(twice).cases.map(({ name }) => name)).toContain('log-altered s3://logs/same (2)');
  });

  it('hides an attachment marker from Jenkins', () => {
    expect(render('junit', hostileFindings())).not.toContain('[[ATTACHMENT|');
  });

  it('reports a cut run as an error of run.completed, with or without a finding that says why', () => {
    const bare = read([], { complete: false }).cases.find(({ name }) => name === 'run.completed');
    expect(bare?.outcome).toBe('error');
    const why = finding({
      control: 'run-interrupted',
      outcome: 'inconclusive',
      subject: { type: 'run' },
      message: 'deadline',
    });
    const { cases } = read([why], { complete: false });
    expect(
      cases.filter(({ suite }) => suite === 'run').map(({ name, outcome, message }) => [name, outcome, message]),
    ).toEqual([['run.completed', 'error', 'deadline']]);
  });

  it('caps objects for each suite and says how many more', () => {
    const many = Array.from({ length: 250 }, (_, i) => log(`k${i}`, i < 240 ? 'fail' : 'inconclusive'));
    const own = read(many).cases.filter(({ suite }) => suite === 'integrity 111122223333 us-east-1 rig');
    const more = own.at(-1);
    expect(own.filter(({ name }) => name.startsWith('log-altered'))).toHaveLength(101);
    expect([more?.name, more?.outcome]).toEqual(['more', 'failure']);
    expect(more?.message).toBe('148 more are not listed here (139 fail, 9 inconclusive)');
    expect(more?.text).toContain('findings.jsonl');
  });

  it('caps objects over all suites', () => {
    const many = Array.from({ length: 60 }, (_, i) => log(`k${i}`, 'fail', 'log-altered', `r-${i % 3}`));
    const { cases } = read(many, { chains: [] }, { perRun: 10 });
    expect(cases.filter(({ name }) => name.startsWith('log-altered'))).toHaveLength(10);
    expect(cases.filter(({ name }) => name === 'more')).toHaveLength(3);
  });

  it('drops passing testcases before troubled ones where the file would be too long', () => {
    const chains = Array.from({ length: 30 }, (_, i) => ({
      ...CHAIN,
      region: `r-${i}`,
      from: null,
      to: null,
      digests: 1,
      logs: 1,
      bytes: 1,
    }));
    const { cases } = read([log('k', 'fail', 'log-altered', 'r-29')], { chains }, { perFile: 50 });
    expect(cases).toHaveLength(50);
    expect(cases.filter(({ outcome }) => outcome === 'failure').map(({ suite }) => suite)).toEqual([
      'integrity 111122223333 r-29 rig',
    ]);
    expect(cases.find(({ name }) => name === 'more')?.outcome).toBe('passed');
  });

  it('carries the hash of the JSON Lines of the same run', () => {
    const findings = [log('k'), posture('LOCK-02', 'pass')];
    const canonical = fold(jsonl(), findings, summaryOf(findings));
    const properties = read(findings).suites[0]?.children[0]?.children.map(({ attributes }) => attributes);
    expect(properties).toContainEqual({
      name: 'findings.jsonl.sha256',
      value: createHash('sha256').update(canonical).digest('hex'),
    });
  });

  it('names controls by id and title so that names stay from night to night', () => {
    const names = read([posture('LOCK-02', 'fail'), posture('LOCK-02', 'pass', 'high', 'other')]).cases.filter(
      ({ suite }) => suite.startsWith('posture'),
    );
    expect(names.map(({ classname, name }) => [classname, name])).toEqual([
      ['trailseal.posture.111122223333.arn:aws:s3:::logs', 'LOCK-02 default retention is COMPLIANCE'],
      ['trailseal.posture.111122223333.arn:aws:s3:::other', 'LOCK-02 default retention is COMPLIANCE'],
    ]);
  });

  it('says localhost where the host is not known and takes the clock from the run', () => {
    const { host: _, ...run } = RUN;
    const { suites } = readJunit(render('junit', [], { run }));
    expect(suites[0]?.attributes).toMatchObject({ hostname: 'localhost', timestamp: '2026-03-02T04:00:00' });
    expect(CHAINS.length + 1).toBe(suites.length);
  });
});
