import type { Finding, Json } from './finding.ts';
import { OUTCOMES, type Outcome } from './finding.ts';
import type { ChainTotals, RunHeader, Summary } from './report.ts';
import { chainKey } from './tally.ts';

/** Said of what another shard looks at. */
export const ELSEWHERE = 'coverage-elsewhere';

/** The first and the last line of a shard's saved run. */
export interface SavedShard {
  readonly name: string;
  readonly run: RunHeader;
  readonly summary: Summary;
}

/** The shards of one run, by their number. */
export interface JoinedShards<S extends SavedShard> {
  /** The head of the one report. */
  readonly run: RunHeader;
  readonly shards: readonly S[];
  readonly of: number;
  /** Numbers of the shards that are not there. */
  readonly missing: readonly number[];
}

/** Files that are not shards of one and the same run. */
export class JoinError extends Error {
  override readonly name = 'JoinError';
}

/** What may differ between the shards of a run: where reports went, and how hard each worked. */
const FREE: ReadonlySet<string> = new Set(
  ['shard', 'output', 'quiet', 'verbose', 'color', 'concurrency', 'deadline', 'evidence', 'now', 'profile'].flatMap(
    (name) => [name, name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)],
  ),
);

/** Checks that the files belong together. Throws `JoinError`. */
export function joinShards<S extends SavedShard>(files: readonly S[]): JoinedShards<S> {
  const byIndex = new Map<number, S>();
  const [first] = files;
  if (first === undefined) throw new JoinError('there is no shard to merge');
  const { of } = shardOf(first);
  for (const file of files) {
    const shard = shardOf(file);
    if (shard.of !== of) throw new JoinError(`${file.name} is one of ${shard.of} shards, ${first.name} one of ${of}`);
    const twin = byIndex.get(shard.index);
    if (twin !== undefined) throw new JoinError(`${twin.name} and ${file.name} are both shard ${shard.index}/${of}`);
    byIndex.set(shard.index, file);
    const different = differences(first.run, file.run);
    if (different.length > 0) {
      throw new JoinError(`${first.name} and ${file.name} are not of one run: they differ in ${different.join(', ')}`);
    }
  }
  const shards = [...byIndex].sort(([a], [b]) => a - b).map(([, file]) => file);
  checkChains(shards);
  const missing = Array.from({ length: of }, (_, i) => i + 1).filter((index) => !byIndex.has(index));
  return { run: headOf(shards.map(({ run }) => run)), shards, of, missing };
}

function shardOf({ name, run }: SavedShard): { index: number; of: number } {
  const [, index, of] = /^(\d{1,5})\/(\d{1,5})$/.exec(String(run.arguments['shard'])) ?? [];
  if (run.command !== 'verify' || index === undefined) throw new JoinError(`${name} is not a shard of a run of verify`);
  const shard = { index: Number(index), of: Number(of) };
  if (shard.index >= 1 && shard.index <= shard.of) return shard;
  throw new JoinError(`${name}: there is no shard ${index}/${of}`);
}

function differences(a: RunHeader, b: RunHeader): string[] {
  const fields = [
    ['version', a.version, b.version],
    ['window', a.window, b.window],
    ['inputs', a.inputs, b.inputs],
  ] as const;
  const options = new Set([...Object.keys(a.arguments), ...Object.keys(b.arguments)]);
  return [
    ...fields.filter(([, x, y]) => !same(x, y)).map(([name]) => name),
    ...[...options]
      .filter((name) => !FREE.has(name) && !same(a.arguments[name], b.arguments[name]))
      .map((name) => `--${name}`),
  ];
}

function same(a: unknown, b: unknown): boolean {
  return canonical(a) === canonical(b);
}

function canonical(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([x], [y]) => (x < y ? -1 : 1)))
      : inner,
  );
}

function checkChains(shards: readonly SavedShard[]): void {
  const seen = new Map<string, string>();
  for (const { name, summary } of shards) {
    for (const chain of summary.chains) {
      const other = seen.get(chainKey(chain));
      if (other !== undefined && other !== name) {
        throw new JoinError(`${other} and ${name} both verified ${Object.values(nameOf(chain)).join(' ')}`);
      }
      seen.set(chainKey(chain), name);
    }
  }
}

function nameOf({ account, region, trail }: ChainTotals) {
  return { account, region, trail };
}

/** Of clocks the earliest: nothing is claimed of later. */
function headOf(runs: readonly RunHeader[]): RunHeader {
  const [first] = [...runs].sort((a, b) => (a.clock < b.clock ? -1 : 1));
  if (first === undefined) throw new JoinError('there is no shard to merge');
  const { host: _machine, ...head } = first;
  const kept = Object.entries(head.arguments).filter(([name]) => !FREE.has(name));
  return { ...head, arguments: Object.fromEntries<Json | undefined>(kept) };
}

/** Joins findings and counts; `add` says which findings stay. */
export interface Joining {
  /** To be told of every finding of every shard, shard by shard; `false` for one that another shard told, or that only made sense for the shard. */
  keeps(shard: SavedShard, finding: Finding): boolean;
  /** Counts a finding of the merge itself. */
  add(finding: Finding): void;
  summary(): Summary;
}

/** `unusedEverywhere`: ids of unused waivers that every shard told; one that some shard used is not unused. */
export function joining(joined: JoinedShards<SavedShard>, unusedEverywhere: ReadonlySet<string>): Joining {
  const tellers = new Map<string, SavedShard>();
  const outcomes = Object.fromEntries(OUTCOMES.map((outcome) => [outcome, 0])) as Record<Outcome, number>;
  const verdicts: Record<string, number> = {};
  const count = (outcome: Outcome, kind: string, by: number): void => {
    outcomes[outcome] += by;
    verdicts[kind] = (verdicts[kind] ?? 0) + by;
  };
  const summaries = joined.shards.map(({ summary }) => summary);
  for (const summary of summaries) {
    for (const outcome of OUTCOMES) outcomes[outcome] += summary.outcomes[outcome];
    for (const [kind, n] of Object.entries(summary.verdicts)) verdicts[kind] = (verdicts[kind] ?? 0) + n;
  }
  // Said of what other shards look at; here there is no other.
  count('pass', ELSEWHERE, -(verdicts[ELSEWHERE] ?? 0));

  return {
    keeps(shard, finding) {
      if (finding.control === ELSEWHERE) return false;
      const isRepeated = finding.subject.type !== 'digest' && finding.subject.type !== 'log';
      const teller = isRepeated ? tellers.get(finding.id) : undefined;
      if (isRepeated && teller === undefined) tellers.set(finding.id, shard);
      const isUsed = finding.control === 'waiver-unused' && !unusedEverywhere.has(finding.id);
      if (!isUsed && (teller === undefined || teller === shard)) return true;
      count(finding.outcome, finding.control, -1);
      return false;
    },
    add: (finding) => count(finding.outcome, finding.control, 1),
    summary() {
      const complete = joined.missing.length === 0 && summaries.every((summary) => summary.complete);
      // Codes of signals say that a shard was cut short, not what it found.
      const failed = summaries.some(({ exitCode }) => exitCode === 1) || (!complete && outcomes.fail > 0);
      const proven = complete && outcomes.inconclusive === 0 && summaries.every(({ exitCode }) => exitCode === 0);
      return {
        complete,
        exitCode: failed || verdicts['coverage-nothing-found'] ? 1 : proven ? 0 : 3,
        outcomes,
        verdicts: Object.fromEntries(
          Object.entries(verdicts)
            .filter(([, n]) => n !== 0)
            .sort(([a], [b]) => (a < b ? -1 : 1)),
        ),
        chains: summaries.flatMap(({ chains }) => chains).sort((a, b) => (chainKey(a) < chainKey(b) ? -1 : 1)),
        requests: {
          list: total(summaries, ({ requests }) => requests.list),
          get: total(summaries, ({ requests }) => requests.get),
          bytes: total(summaries, ({ requests }) => requests.bytes),
        },
        elapsedMs: Math.max(...summaries.map(({ elapsedMs }) => elapsedMs)),
      };
    },
  };
}

function total(summaries: readonly Summary[], of: (summary: Summary) => number): number {
  return summaries.reduce((sum, summary) => sum + of(summary), 0);
}
