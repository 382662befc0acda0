import { createHash } from 'node:crypto';
import type { Finding } from './finding.ts';
import { jsonl } from './jsonl.ts';
import { type Case, caseName, casesOf, completed, type Suite, within, zeroes } from './junit-cases.ts';
import { propertiesOf, writeXml } from './junit-xml.ts';
import type { ChainName, Report, RunHeader } from './report.ts';

export interface JunitOptions {
  /** Failing objects listed for one suite, for all suites, and testcases in one file (Buildkite reads 5,000). */
  readonly perSuite?: number;
  readonly perRun?: number;
  readonly perFile?: number;
}

/**
 * JUnit XML by the rules of spec "reports", section 3. A stable testcase of a chain stands for the first object in its
 * worst outcome, every further object is a testcase of its own: readers count exactly the failures, errors and skips
 * that the summary counts, as long as no cap cuts in.
 */
export function junit({ perSuite = 100, perRun = 1_000, perFile = 5_000 }: JunitOptions = {}): Report {
  const suites = new Map<string, Suite>();
  const canonical = jsonl();
  const hash = createHash('sha256');
  let run: RunHeader | undefined;
  let listed = 0;
  let interruption: Finding | undefined;

  function suite(name: string): Suite {
    let found = suites.get(name);
    if (found === undefined) {
      found = { name, groups: new Map(), listed: [], unlisted: zeroes() };
      suites.set(name, found);
    }
    return found;
  }

  return {
    start(header) {
      run = header;
      hash.update(canonical.start(header));
      return '';
    },
    step(finding) {
      hash.update(canonical.step(finding));
      if (finding.control === 'run-interrupted' && interruption === undefined) {
        interruption = finding;
        return '';
      }
      const into = suite(suiteName(finding));
      if (finding.kind === 'integrity') {
        if (finding.outcome === 'pass') return '';
        const name = caseName(finding.control);
        const group = into.groups.get(name) ?? { counts: zeroes(), heads: new Map() };
        into.groups.set(name, group);
        group.counts[finding.outcome] += 1;
        // The first of each outcome may be needed for the stable testcase, whatever the caps say.
        if (!group.heads.has(finding.outcome)) {
          group.heads.set(finding.outcome, finding);
          return '';
        }
      }
      if (finding.kind === 'posture' || (into.listed.length < perSuite && listed < perRun)) {
        into.listed.push(finding);
        if (finding.kind !== 'posture') listed += 1;
      } else {
        into.unlisted[finding.outcome] += 1;
      }
      return '';
    },
    end(summary) {
      const header = run ?? NO_RUN;
      const sha256 = hash.copy().update(canonical.end(summary)).digest('hex');
      const properties = propertiesOf(header, summary, sha256);
      for (const chain of summary.chains) suite(chainSuite(chain));
      const byName = new Map(summary.chains.map((chain) => [chainSuite(chain), chain]));
      const cases = [...suites.values()].map((each): [string, Case[]] => [
        each.name,
        casesOf(each, byName.get(each.name), header.titles ?? {}),
      ]);
      const all: [string, Case[]][] = [['run', [completed(summary, interruption)]]];
      for (const [name, own] of cases) {
        if (name === 'run') all[0]?.[1].push(...own);
        else all.push([name, own]);
      }
      return writeXml(within(all, perFile), properties, header, summary);
    },
  };
}

const NO_RUN: RunHeader = {
  tool: 'trailseal',
  version: '',
  command: '',
  arguments: {},
  window: null,
  clock: '1970-01-01T00:00:00Z',
  identity: null,
  inputs: {},
};

function chainSuite({ account, region, trail }: ChainName): string {
  return `integrity ${account} ${region} ${trail}`;
}

function suiteName({ kind, subject }: Finding): string {
  if (subject.type === 'waiver') return 'waivers';
  if (subject.type === 'run') return 'run';
  const { account, region, trail } = subject;
  if (kind === 'posture') return ['posture', account].filter((part) => part !== undefined).join(' ');
  if (kind === 'event') return 'events';
  return ['integrity', account, region, trail].filter((part) => part !== undefined).join(' ');
}
