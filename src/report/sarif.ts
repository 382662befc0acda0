import { details, subjectName } from './detail.ts';
import { json, sarifText } from './escape.ts';
import type { Finding, Severity } from './finding.ts';
import { number } from './headline.ts';
import type { Report, RunHeader } from './report.ts';
import { EXIT_MEANINGS } from './tally.ts';

/** A line of a file in the repository. */
export interface Place {
  /** Path from the root of the repository, `/` between its parts. */
  readonly path: string;
  /** From 1. */
  readonly line: number;
}

export interface SarifOptions {
  /** The line of the config that demands what a finding is about; the first line of the config where it is left out. */
  readonly locate?: ((finding: Finding) => Place) | undefined;
}

/** GitHub shows 5,000 results of a run. */
const LIMIT = 5_000;

const LEVELS = {
  critical: 'error',
  high: 'error',
  medium: 'warning',
  low: 'note',
  info: 'note',
} as const satisfies Record<Severity, string>;
const SCORES = { critical: '9.5', high: '8.0', medium: '5.5', low: '3.0', info: '0.0' } as const satisfies Record<
  Severity,
  string
>;

/** SARIF 2.1.0 for code scanning: what fails, what is waived (suppressed) and what is open (inconclusive). */
export function sarif({ locate }: SarifOptions = {}): Report {
  const rules = new Map<string, object>();
  const results: object[] = [];
  let run: RunHeader | undefined;
  let unlisted = 0;

  return {
    start(header) {
      run = header;
      return '';
    },
    step(finding) {
      if (finding.outcome === 'pass' || finding.outcome === 'not-applicable') return '';
      if (results.length >= LIMIT) {
        unlisted += 1;
        return '';
      }
      if (!rules.has(finding.control)) rules.set(finding.control, ruleOf(finding, run?.titles?.[finding.control]));
      results.push(
        resultOf(finding, [...rules.keys()].indexOf(finding.control), (locate ?? defaultPlace(run))(finding)),
      );
      return '';
    },
    end(summary) {
      const notes = [
        ...(unlisted === 0
          ? []
          : [`${number(unlisted)} more findings are not listed here; JSON Lines has all of them`]),
        ...(summary.complete ? [] : ['the run was cut short; this report is partial']),
      ];
      const log = {
        $schema: 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json',
        version: '2.1.0',
        runs: [
          {
            tool: {
              driver: { name: 'trailseal', ...(run ? { version: run.version } : {}), rules: [...rules.values()] },
            },
            automationDetails: { id: `trailseal/${run?.command ?? ''}/` },
            invocations: [
              {
                // A run that found something was successful; one that was cut short was not.
                executionSuccessful: summary.complete,
                exitCode: summary.exitCode,
                exitCodeDescription: EXIT_MEANINGS[summary.exitCode] ?? 'unknown',
                ...(run ? { endTimeUtc: run.clock } : {}),
                toolExecutionNotifications: notes.map((text) => ({ level: 'warning', message: { text } })),
              },
            ],
            columnKind: 'utf16CodeUnits',
            properties: { outcomes: summary.outcomes, verdicts: summary.verdicts },
            results,
          },
        ],
      };
      return `${json(log)}\n`;
    },
  };
}

function defaultPlace(run: RunHeader | undefined): () => Place {
  const config = run?.arguments['config'];
  return () => ({ path: typeof config === 'string' ? config : 'trailseal.yaml', line: 1 });
}

function ruleOf({ control, kind, severity, remedy, references }: Finding, title: string | undefined): object {
  return {
    id: control,
    shortDescription: { text: sarifText(title ?? control) },
    ...(remedy === '' ? {} : { help: { text: sarifText(remedy) } }),
    defaultConfiguration: { level: LEVELS[severity] },
    properties: { tags: ['security', kind, ...references], 'security-severity': SCORES[severity] },
  };
}

function resultOf(finding: Finding, ruleIndex: number, place: Place): object {
  const { control, outcome, severity, waiver, message, subject, id } = finding;
  const text = [message, ...details(finding).map(([label, value]) => `${label}: ${value}`)].map(sarifText).join('\n');
  return {
    ruleId: control,
    ruleIndex,
    ...(outcome === 'inconclusive' ? { kind: 'open', level: 'none' } : { kind: 'fail', level: LEVELS[severity] }),
    message: { text },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: relativeUri(place.path) },
          region: { startLine: place.line },
        },
        logicalLocations: [{ fullyQualifiedName: subjectName(subject), kind: 'resource' }],
      },
    ],
    partialFingerprints: { 'trailsealFinding/v1': id, primaryLocationLineHash: `${id}:1` },
    ...(outcome === 'waived'
      ? { suppressions: [{ kind: 'external', status: 'accepted', justification: waiver?.reason ?? '' }] }
      : {}),
  };
}

/** GitHub refuses a file that names anything outside the repository: no scheme, no root, no way up. */
function relativeUri(path: string): string {
  const parts = path.replaceAll('\\', '/').split('/');
  const inside = parts.filter((part) => part !== '' && part !== '.' && part !== '..' && !/^[A-Za-z]:$/.test(part));
  return inside.map(encodeURIComponent).join('/') || 'trailseal.yaml';
}
