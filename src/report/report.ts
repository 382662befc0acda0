import type { Finding, Json, Outcome } from './finding.ts';

/** What is known before the first finding. Everything that differs between machines and nights comes in from outside. */
export interface RunHeader {
  readonly tool: 'trailseal';
  readonly version: string;
  readonly command: string;
  /** The options as given, secrets never among them. */
  readonly arguments: { readonly [option: string]: Json | undefined };
  /** ISO 8601 UTC, or the word `beginning` as start; `null` for runs that judge no interval (posture). */
  readonly window: { readonly start: string; readonly end: string } | null;
  /** The instant that counts as now, ISO 8601 UTC. */
  readonly clock: string;
  /** ARN of the caller where it is known. */
  readonly identity: string | null;
  /** SHA-256 (hex) of each input file: config, keys, snapshot. */
  readonly inputs: { readonly [name: string]: string };
  /** Name of the machine that ran; `localhost` is said where it is not known. */
  readonly host?: string;
  /** What each control or rule of this run demands, in a few words, by id: `LOCK-02` → `default retention is COMPLIANCE`. */
  readonly titles?: { readonly [control: string]: string };
}

/** Where one chain belongs. */
export interface ChainName {
  readonly account: string;
  readonly region: string;
  readonly trail: string;
}

export const COVERAGE_STATES = ['proven', 'failed', 'inconclusive', 'gap', 'pending'] as const;
export type CoverageState = (typeof COVERAGE_STATES)[number];

/** A stretch of time in one state; ISO 8601 UTC, `to` exclusive. */
export interface CoverageInterval {
  readonly from: string;
  readonly to: string;
  readonly state: CoverageState;
}

/** What one chain (account, Region, trail) came to. */
export interface ChainTotals extends ChainName {
  /** First and last instant that attested digests cover, ISO 8601 UTC; `null` where there is none. */
  readonly from: string | null;
  readonly to: string | null;
  /** Digests and logs judged (whatever the verdict) and the bytes of them that were read, as stored. */
  readonly digests: number;
  readonly logs: number;
  readonly bytes: number;
  /** Every verdict reached, by kind. */
  readonly verdicts: { readonly [kind: string]: number };
  /**
   * By time, not overlapping, neighbours of one state joined: a quiet year is one interval. What the digests attest, less
   * the hours of logs that are not intact. For the map in HTML.
   */
  readonly coverage?: readonly CoverageInterval[];
}

/** The last word of a run. Its JSON form is public: spec "cli", JSON Lines. */
export interface Summary {
  readonly complete: boolean;
  readonly exitCode: number;
  readonly outcomes: { readonly [outcome in Outcome]: number };
  readonly verdicts: { readonly [kind: string]: number };
  readonly chains: readonly ChainTotals[];
  readonly requests: { readonly list: number; readonly get: number; readonly bytes: number };
  readonly elapsedMs: number;
}

/**
 * A report is a clockless fold over the findings of one run: the same calls give the same bytes. Each call returns the
 * text to append, `''` where the format has to wait for the end. `step` is called for each finding that is listed, in
 * order; passes of `verify` are counted in the summary and not stepped unless the user asked for them. After `end` more may
 * come, and `end` again: its text then takes the place of the former end.
 */
export interface Report {
  start(run: RunHeader): string;
  step(finding: Finding): string;
  end(summary: Summary): string;
}
