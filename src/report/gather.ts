import { isNote } from './detail.ts';
import type { Finding, Outcome, Severity } from './finding.ts';
import { chainKey, chainOf } from './tally.ts';

/** How many findings are listed, the rest being counted: no report grows with the number of failing objects. */
export interface Limits {
  /** For one control (or verdict kind) and outcome. */
  readonly perControl: number;
  /** For one outcome. */
  readonly perOutcome: number;
}

/** Findings of one chain that keep it from being simply proven. */
export interface ChainTrouble {
  readonly fail: number;
  readonly inconclusive: number;
  readonly waived: number;
}

export interface Gathered {
  readonly listed: readonly Finding[];
  /** Controls of which more were found than are listed, with how many more. */
  readonly unlisted: ReadonlyMap<string, number>;
  readonly total: number;
}

/** The memory of the formats for people, who read the verdict first and hence the findings last. */
export interface Gathering {
  /** Passes of verify are left to the counts, but for those that tell something. */
  add(finding: Finding): void;
  readonly notes: Gathered;
  /** About waivers themselves, as far as nothing fails for it: unused, soon to expire. */
  readonly waivers: Gathered;
  of(outcome: Outcome): Gathered;
  /** Posture and event findings by severity and outcome. */
  readonly severities: Readonly<Record<Severity, Readonly<Record<Outcome, number>>>>;
  /** By `chainKey`; a chain without trouble has no entry. */
  readonly chains: ReadonlyMap<string, ChainTrouble>;
}

export function gather(limits: Limits): Gathering {
  const outcomes: Record<Outcome, Bin> = {
    pass: bin(limits),
    fail: bin(limits),
    inconclusive: bin(limits),
    'not-applicable': bin(limits),
    waived: bin(limits),
  };
  const waivers = bin(limits);
  const notes = bin(limits);
  const none = () => ({ pass: 0, fail: 0, inconclusive: 0, 'not-applicable': 0, waived: 0 });
  const severities = { critical: none(), high: none(), medium: none(), low: none(), info: none() };
  const chains = new Map<string, Record<keyof ChainTrouble, number>>();

  return {
    waivers,
    notes,
    severities,
    chains,
    of: (outcome) => outcomes[outcome],
    add(finding) {
      const { outcome, kind, severity, subject } = finding;
      if (kind !== 'integrity') severities[severity][outcome] += 1;
      else if (outcome === 'fail' || outcome === 'inconclusive' || outcome === 'waived') {
        const chain = chainOf(finding);
        if (chain !== undefined) {
          const key = chainKey(chain);
          const counts = chains.get(key) ?? { fail: 0, inconclusive: 0, waived: 0 };
          counts[outcome] += 1;
          chains.set(key, counts);
        }
      }
      const troubled = outcome === 'fail' || outcome === 'inconclusive';
      if (subject.type === 'waiver' && !troubled) waivers.add(finding);
      else if (isNote(finding)) notes.add(finding);
      else if (kind !== 'integrity' || outcome !== 'pass') outcomes[outcome].add(finding);
    },
  };
}

interface Bin extends Gathered {
  add(finding: Finding): void;
}

function bin(limits: Limits): Bin {
  const listed: Finding[] = [];
  const unlisted = new Map<string, number>();
  const perControl = new Map<string, number>();
  let total = 0;
  return {
    listed,
    unlisted,
    get total() {
      return total;
    },
    add(finding) {
      total += 1;
      const before = perControl.get(finding.control) ?? 0;
      perControl.set(finding.control, before + 1);
      if (before < limits.perControl && listed.length < limits.perOutcome) listed.push(finding);
      else unlisted.set(finding.control, (unlisted.get(finding.control) ?? 0) + 1);
    },
  };
}
