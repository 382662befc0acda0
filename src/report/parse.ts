import { z } from 'zod';
import { listed } from './agree.ts';
import { type Finding, OUTCOMES, SEVERITIES } from './finding.ts';
import { firstIssue } from './issue.ts';
import { COVERAGE_STATES, type RunHeader, type Summary } from './report.ts';

/** A saved run that cannot be trusted to be whole, with the line (from 1) at which that was seen. */
export class SavedRunError extends Error {
  readonly line: number;
  constructor(line: number, message: string) {
    super(`line ${line}: ${message}`);
    this.name = 'SavedRunError';
    this.line = line;
  }
}

export type SavedEntry =
  | { readonly type: 'run'; readonly run: RunHeader }
  | { readonly type: 'finding'; readonly finding: Finding }
  | { readonly type: 'summary'; readonly summary: Summary };

/** Reads JSON Lines back, line by line, so that memory does not grow with the run. */
export interface SavedRunReader {
  /** One line without its line feed. Throws `SavedRunError`. */
  read(line: string): SavedEntry;
  /** To be called after the last line. Throws `SavedRunError` where the run was cut off. */
  end(): void;
}

/**
 * Takes exactly header, findings, summary. What it returns is what was written, unknown keys included, so that every
 * format made from it is the one the run itself would have made. `mayPass`: whether a verdict of that kind can be a pass,
 * which alone is counted without being listed.
 */
export function savedRun(mayPass: (kind: string) => boolean = () => true): SavedRunReader {
  const found = listed(mayPass);
  let line = 0;
  let state: 'start' | 'findings' | 'over' = 'start';

  return {
    read(text) {
      line += 1;
      const entry = parseEntry(text, line);
      const expected = state === 'start' ? entry.type === 'run' : state === 'findings' && entry.type !== 'run';
      if (!expected) {
        throw new SavedRunError(line, state === 'over' ? 'something follows the summary' : EXPECTED[state]);
      }
      if (entry.type === 'finding') found.add(entry.finding);
      const contradiction = entry.type === 'summary' ? found.contradiction(entry.summary) : null;
      if (contradiction !== null) throw new SavedRunError(line, contradiction);
      state = entry.type === 'summary' ? 'over' : 'findings';
      return entry;
    },
    end() {
      if (state === 'over') return;
      throw new SavedRunError(line + 1, 'the run was cut off: there is no summary line');
    },
  };
}

const EXPECTED = {
  start: 'not a saved run: the first line must be its header ("type":"run")',
  findings: 'a second header',
} as const;

function parseEntry(text: string, line: number): SavedEntry {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new SavedRunError(line, 'not a JSON object; the run was cut off or the file is of another kind');
  }
  const checked = entrySchema.safeParse(value);
  if (!checked.success) {
    throw new SavedRunError(line, firstIssue(checked.error));
  }
  // The value itself, not what the schema made of it: unknown keys and their order are part of the run.
  const { type, ...content } = value as { type: SavedEntry['type'] } & Record<string, unknown>;
  if (type === 'run') return { type, run: content as unknown as RunHeader };
  if (type === 'finding') return { type, finding: content as unknown as Finding };
  return { type, summary: content as unknown as Summary };
}

const count = z.int().min(0);
const counts = z.record(z.string(), count);
const optional = z.string().optional();

const run = z.looseObject({
  type: z.literal('run'),
  tool: z.literal('trailseal'),
  version: z.string(),
  command: z.string(),
  arguments: z.record(z.string(), z.json()),
  window: z.object({ start: z.union([z.iso.datetime(), z.literal('beginning')]), end: z.iso.datetime() }).nullable(),
  clock: z.iso.datetime(),
  identity: z.string().nullable(),
  inputs: z.record(z.string(), z.string()),
  host: optional,
  titles: z.record(z.string(), z.string()).optional(),
});

const finding = z.looseObject({
  type: z.literal('finding'),
  v: z.literal(1),
  id: z.string(),
  control: z.string(),
  kind: z.enum(['integrity', 'posture', 'event']),
  outcome: z.enum(OUTCOMES),
  severity: z.enum(SEVERITIES),
  subject: z.looseObject({
    type: z.string(),
    arn: optional,
    account: optional,
    region: optional,
    trail: optional,
    bucket: optional,
    key: optional,
    versionId: optional,
    hour: optional,
  }),
  message: z.string(),
  evidence: z.record(z.string(), z.json()),
  remedy: z.string(),
  references: z.array(z.string()),
  waiver: z
    .looseObject({ id: z.string(), reason: z.string(), acceptedBy: z.string(), owner: z.string(), expires: z.string() })
    .nullable(),
});

const chain = z.looseObject({
  account: z.string(),
  region: z.string(),
  trail: z.string(),
  from: z.string().nullable(),
  to: z.string().nullable(),
  digests: count,
  logs: count,
  bytes: count,
  verdicts: counts,
  coverage: z
    .array(z.object({ from: z.iso.datetime(), to: z.iso.datetime(), state: z.enum(COVERAGE_STATES) }))
    .optional(),
});

const summary = z.looseObject({
  type: z.literal('summary'),
  complete: z.boolean(),
  exitCode: z.int(),
  outcomes: z.object({
    pass: count,
    fail: count,
    inconclusive: count,
    'not-applicable': count,
    waived: count,
  }),
  verdicts: counts,
  chains: z.array(chain),
  requests: z.looseObject({ list: z.number(), get: z.number(), bytes: z.number() }),
  elapsedMs: z.number(),
});

const entrySchema = z.discriminatedUnion('type', [run, finding, summary]);
