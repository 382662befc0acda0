import type { DigestEntry } from '../chain/attestation.ts';
import {
  type ChainMemory,
  type Checkpoint,
  followChain,
  judgeAbsent,
  judgeForgotten,
  judgeVanished,
  type NamedChain,
  type Recalled,
} from '../chain/checkpoint.ts';
import type { Chain } from '../chain/location.ts';
import type { Verdict } from '../chain/verdict.ts';
import type { Outcome, Subject } from '../report/finding.ts';
import { chainOfName, checkpointBytes, checkpointName, parseCheckpoint, sha256Of } from './record.ts';
import { enroll, readRoll } from './roll.ts';
import { type CheckpointStore, StateError } from './store.ts';

export interface MemoryOptions {
  readonly store: CheckpointStore;
  /** A chain of which nothing is remembered begins to be; otherwise that is inconclusive. */
  readonly init: boolean;
  /** Epoch milliseconds, the run's clock. */
  readonly now: number;
  /** Whether this run looks at a chain at all. */
  readonly inScope: (checkpoint: Checkpoint) => boolean;
  /** Whether this run must come upon it: a chain of another bucket is not missed, though a trail may have moved. */
  readonly expected?: (checkpoint: Checkpoint) => boolean;
  /** Whether this run might come upon a chain of which only the name is left. */
  readonly mayFind?: (chain: NamedChain) => boolean;
}

/** What all chains of a run have come to before, and what this run adds. */
export interface Memory {
  /** The earliest instant the run has to read from, epoch milliseconds; `null` where nothing is remembered. */
  readonly start: number | null;
  /** What is remembered of the chains in scope. */
  readonly checkpoints: readonly Checkpoint[];
  /** SHA-256 of each checkpoint as it was found, by name. */
  readonly inputs: Readonly<Record<string, string>>;
  /** Each digest in chain order as it was read; backfill digests, which form a chain of their own, are passed over. */
  read(entry: DigestEntry): void;
  /** Each verdict, in chain order, with its outcome after waivers. What names no chain concerns all of its account and Region. */
  judged(kind: string, outcome: Outcome, subject: Subject): void;
  /** What is to be said when all is read. Nothing is called gone in a run that could not list everything. */
  end(): Verdict[];
  /** The checkpoints to be kept, after `end`: name and bytes. */
  pending(): readonly Pending[];
  /** Keeps them, last of all. Returns what was not kept, and why: one line each. */
  save(): Promise<string[]>;
}

export interface Pending {
  readonly name: string;
  readonly bytes: Buffer;
}

interface Followed {
  readonly chain: Chain;
  readonly memory: ChainMemory;
  readonly known: boolean;
}

interface Kept extends Recalled {
  /** The store's word for this state of it. */
  readonly version: string;
}

/** Recalls every checkpoint of the store that is in scope. Throws `StateError` where one cannot be read or is none. */
export async function recall(options: MemoryOptions): Promise<Memory> {
  const { store, init, now, inScope, expected: isExpected, mayFind = () => false } = options;
  const kept = new Map<string, Kept>();
  const names = await store.names();
  for (const name of names) {
    const stored = await store.load(name);
    if (stored === null) continue;
    const checkpoint = parseCheckpoint(stored.bytes);
    if (checkpoint === null || checkpointName(checkpoint) !== name) {
      throw new StateError(`${store.place(name)} is not a checkpoint of the chain it is named for`);
    }
    if (inScope(checkpoint)) kept.set(name, { checkpoint, sha256: sha256Of(stored.bytes), version: stored.version });
  }
  // What was once remembered and is gone is no first run, whatever this run was told.
  const enrolled = new Set(await readRoll(store));
  const followed = new Map<string, Followed>();
  /** The same by what a subject names; mostly one each. */
  const named = new Map<string, Followed[]>();
  let listed = true;
  const next: (Pending & { readonly expected: string | null })[] = [];

  function follow(chain: Chain): Followed {
    const name = checkpointName(chain);
    const known = followed.get(name);
    if (known !== undefined) return known;
    const recalled = kept.get(name) ?? null;
    const begun = { chain, memory: followChain(chain, recalled, now), known: recalled !== null };
    followed.set(name, begun);
    const subject = subjectName(chain);
    named.set(subject, [...(named.get(subject) ?? []), begun]);
    return begun;
  }

  return {
    start:
      kept.size === 0
        ? null
        : Math.min(...[...kept.values()].map(({ checkpoint }) => Date.parse(checkpoint.digest.startTime))),
    checkpoints: [...kept.values()].map(({ checkpoint }) => checkpoint),
    inputs: Object.fromEntries([...kept].map(([name, { sha256 }]) => [`checkpoint ${name}`, sha256])),
    read(entry) {
      if (!entry.key.chain.backfill) follow(entry.key.chain).memory.read(entry);
    },
    judged(kind, outcome, subject) {
      // A folder of digests that was refused, or a run cut short: what was not seen may well be there.
      if (kind === 'run-interrupted' || (kind.startsWith('digest-') && subject.type === 'object')) listed = false;
      const whole = subject.trail !== undefined && subject.region !== undefined && subject.account !== undefined;
      const concerned = whole
        ? (named.get(subjectName(subject)) ?? [])
        : [...followed.values()].filter(({ chain }) => concerns(subject, chain));
      for (const { memory } of concerned) memory.judged(kind, outcome, subject);
    },
    end() {
      const verdicts: Verdict[] = [];
      for (const [name, { chain, memory, known }] of followed) {
        const { verdicts: told, next: checkpoint } = memory.end(listed);
        verdicts.push(...told);
        if (!known && (!init || enrolled.has(name))) verdicts.push(judgeAbsent(chain, store.place(name)));
        else if (checkpoint !== null) {
          next.push({ name, bytes: checkpointBytes(checkpoint), expected: kept.get(name)?.version ?? null });
        }
      }
      if (listed) {
        for (const [name, recalled] of kept) {
          if (!followed.has(name) && isExpected?.(recalled.checkpoint) !== false)
            verdicts.push(judgeVanished(recalled));
        }
        for (const name of enrolled) {
          const chain = names.includes(name) || followed.has(name) ? null : chainOfName(name);
          if (chain !== null && mayFind(chain)) verdicts.push(judgeForgotten(chain, store.place(name)));
        }
      }
      return verdicts;
    },
    pending: () => next,
    async save() {
      const problems: string[] = [];
      for (const { name, bytes, expected } of next) {
        try {
          if (await store.save(name, bytes, expected)) continue;
          problems.push(
            `${store.place(name)}: another run has written it in the meantime; it stays as that run left it`,
          );
        } catch (error) {
          if (!(error instanceof StateError)) throw error;
          problems.push(error.message);
        }
      }
      const unlisted = next.length === 0 ? null : await enroll(store, [...names, ...next.map(({ name }) => name)]);
      if (unlisted !== null) problems.push(unlisted);
      return problems;
    },
  };
}

function subjectName({ account, region, trail }: Pick<Subject, 'account' | 'region' | 'trail'>): string {
  return `${account}/${region}/${trail}`;
}

function concerns({ account, region, trail }: Subject, chain: Chain): boolean {
  return (
    (account === undefined || account === chain.account) &&
    (region === undefined || region === chain.region) &&
    (trail === undefined || trail === chain.trail)
  );
}
