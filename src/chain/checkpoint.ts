import type { Outcome, Subject } from '../report/finding.ts';
import type { DigestEntry } from './attestation.ts';
import { type Chain, formatTime } from './location.ts';
import { type Verdict, verdict } from './verdict.ts';

/** The last digest a run has proven; what the next one must find unchanged. Times ISO 8601 UTC, hashes lowercase hex. */
export interface RememberedDigest {
  readonly bucket: string | null;
  readonly key: string;
  /** Of the uncompressed bytes. */
  readonly sha256: string;
  /** Hex; `null` where only its successor carried it. */
  readonly signature: string | null;
  readonly fingerprint: string;
  readonly startTime: string;
  readonly endTime: string;
}

/** What one chain has come to, kept between nights. */
export interface Checkpoint {
  readonly v: 1;
  readonly account: string;
  readonly region: string;
  readonly trail: string;
  readonly homeRegion: string;
  /** `[prefix/]AWSLogs/[o-xxxx/]{account}/` */
  readonly root: string;
  /** 1 for the first. */
  readonly sequence: number;
  /** SHA-256 of the checkpoint before this one, as stored; `null` for the first. */
  readonly previous: string | null;
  /** The first instant that was ever verified without a break since. */
  readonly firstVerified: string;
  /** The clock of the run that wrote it. */
  readonly verifiedAt: string;
  readonly digest: RememberedDigest;
  /** Since `firstVerified`. */
  readonly totals: { readonly digests: number; readonly logs: number };
  /** What kept it from going further. */
  readonly open: readonly { readonly kind: string; readonly key: string }[];
}

/** What the name of a checkpoint tells of its chain. */
export type NamedChain = Pick<Chain, 'account' | 'region' | 'trail' | 'homeRegion'>;

/** A checkpoint as it was found, with the hash of its bytes. */
export interface Recalled {
  readonly checkpoint: Checkpoint;
  readonly sha256: string;
}

/** One chain's memory, followed through a run. What it holds does not grow with the length of the chain. */
export interface ChainMemory {
  /** Each hourly digest in chain order, as it was read, before anything is judged of it. */
  read(entry: DigestEntry): void;
  /** Each verdict on the chain, in chain order: a digest's own, its link, then those on its logs, after waivers. */
  judged(kind: string, outcome: Outcome, subject: Subject): void;
  /** `listed`: the listing of the chain's digests was whole, so that what was not seen is not there. */
  end(listed: boolean): ChainMemoryEnd;
}

export interface ChainMemoryEnd {
  readonly verdicts: readonly Verdict[];
  /** To be kept in place of the old one; `null`: the old one stays. */
  readonly next: Checkpoint | null;
}

interface Step {
  readonly digest: RememberedDigest;
  readonly startsAnew: boolean;
  readonly logs: number;
}

const MAX_OPEN = 100;
const BACKFILL = '_backfill.json.gz';

/**
 * The range that is read must begin at or before the remembered digest. A checkpoint goes forward over attested digests
 * whose logs were all in order, up to the first that is not; where anything failed, it stays.
 */
export function followChain(chain: Chain, recalled: Recalled | null, nowMs: number): ChainMemory {
  const before = recalled?.checkpoint ?? null;
  const subject = subjectOf(chain, before?.digest ?? null);
  const verdicts: Verdict[] = [];
  /** Read, not judged yet: as many as the pipeline has in flight. */
  const unjudged = new Map<string, Step>();
  let newest: string | null = null;
  let anchor: 'unseen' | 'unchanged' | 'unreadable' | 'changed' = 'unseen';
  let state: 'open' | 'halted' | 'failed' = 'open';
  /** Signed; its logs are still being judged. */
  let current: Step | null = null;
  let proven: Step | null = null;
  let firstStart: string | null = null;
  const passed = { digests: 0, logs: 0 };
  const open: { kind: string; key: string }[] = [];

  function settle(): void {
    if (current !== null && state === 'open') {
      // The part of a chain that lies elsewhere is read after what came later here.
      if (proven === null || current.digest.endTime > proven.digest.endTime) proven = current;
      passed.digests++;
      passed.logs += current.logs;
      firstStart ??= current.digest.startTime;
    }
    current = null;
  }

  function compare({ reading }: DigestEntry, expected: RememberedDigest): void {
    if (reading.kind === 'trouble' && reading.trouble.kind !== 'absent') {
      anchor = 'unreadable';
      return;
    }
    const changes =
      reading.kind === 'trouble' ? [changed('object', 'there', 'not there')] : compareBytes(reading, expected);
    anchor = changes.length === 0 ? 'unchanged' : 'changed';
    verdicts.push(...changes);
    if (changes.length === 0) verdicts.push(verdict('checkpoint-continuous', subject, { digest: expected.key }));
  }

  function changed(what: string, expected: string, found: string): Verdict {
    return verdict('checkpoint-rewritten', subject, { digest: before?.digest.key ?? '', what, expected, found });
  }

  function compareBytes(
    reading: Exclude<DigestEntry['reading'], { readonly kind: 'trouble' }>,
    expected: RememberedDigest,
  ): Verdict[] {
    if (reading.sha256 === null) return [changed('SHA-256', expected.sha256, 'the object is no gzip file')];
    const sha256 = Buffer.from(reading.sha256).toString('hex');
    if (sha256 !== expected.sha256) return [changed('SHA-256', expected.sha256, sha256)];
    const signature = reading.kind === 'content' ? (reading.signature?.toLowerCase() ?? null) : null;
    const differs = signature !== null && expected.signature !== null && signature !== expected.signature;
    return differs ? [changed('signature', expected.signature ?? '', signature ?? '')] : [];
  }

  function isNew(digest: RememberedDigest): boolean {
    return before === null || digest.endTime > before.digest.endTime;
  }

  return {
    read(entry) {
      const end = formatTime(entry.key.endTime);
      if (newest === null || end > newest) newest = end;
      if (before !== null && entry.key.key === before.digest.key) compare(entry, before.digest);
      if (entry.reading.kind === 'content') unjudged.set(entry.key.key, stepOf(entry, entry.reading));
    },
    judged(kind, outcome, about) {
      // Backfill digests come in between and say nothing of the logs before them.
      if (kind.startsWith('digest-') && about.key?.endsWith(BACKFILL) !== true) settle();
      if (outcome === 'fail') state = 'failed';
      if (outcome === 'inconclusive') {
        if (open.length < MAX_OPEN) open.push({ kind, key: about.key ?? '' });
        if (state === 'open') state = 'halted';
        // Without an hour it may be about any of them, those already passed included; a run cut short is about what it
        // did not come to.
        const isBehind = about.hour === undefined || (proven !== null && about.hour <= proven.digest.endTime);
        if (isBehind && kind !== 'run-interrupted') proven = null;
      }
      const step = about.key === undefined ? undefined : unjudged.get(about.key);
      if (step === undefined || !kind.startsWith('digest-')) return;
      unjudged.delete(step.digest.key);
      if (kind !== 'digest-signed' || !isNew(step.digest)) return;
      if (before !== null && step.startsAnew) {
        const facts = { digest: before.digest.key, startedAt: step.digest.startTime };
        verdicts.push(verdict('checkpoint-restarted', subject, facts));
        state = 'failed';
      }
      current = step;
    },
    end(listed) {
      settle();
      if (before !== null && anchor === 'unseen' && listed) {
        const { key, endTime } = before.digest;
        const behind = newest === null || newest < endTime;
        verdicts.push(
          behind
            ? verdict('checkpoint-truncated', subject, { digest: key, newest })
            : changed('object', 'there', 'not there'),
        );
      }
      const mayAdvance = state !== 'failed' && (before === null || anchor === 'unchanged');
      return { verdicts, next: mayAdvance ? nextCheckpoint() : null };
    },
  };

  function nextCheckpoint(): Checkpoint | null {
    // A quiet night moves only the clock on; with something open and nothing new proven, not even that.
    const digest = proven?.digest ?? (before !== null && open.length === 0 ? before.digest : null);
    if (digest === null) return null;
    return {
      v: 1,
      account: chain.account,
      region: chain.region,
      trail: chain.trail,
      homeRegion: chain.homeRegion,
      root: chain.root,
      sequence: (before?.sequence ?? 0) + 1,
      previous: recalled?.sha256 ?? null,
      firstVerified: before?.firstVerified ?? firstStart ?? digest.startTime,
      verifiedAt: formatTime(nowMs),
      digest,
      totals: {
        digests: (before?.totals.digests ?? 0) + passed.digests,
        logs: (before?.totals.logs ?? 0) + passed.logs,
      },
      open,
    };
  }
}

/** A chain that is remembered and of which this run found nothing at all, in a listing that was whole. */
export function judgeVanished({ checkpoint }: Recalled): Verdict {
  const { digest } = checkpoint;
  return verdict('checkpoint-truncated', subjectOf(checkpoint, digest), { digest: digest.key, newest: null });
}

/** A chain that nothing is remembered of, in a run that was told there would be. */
export function judgeAbsent(chain: Chain, place: string): Verdict {
  return verdict('checkpoint-absent', subjectOf(chain, null), { place });
}

/** A chain that was once remembered, of which neither the checkpoint nor any digest is there. */
export function judgeForgotten(chain: NamedChain, place: string): Verdict {
  return verdict('checkpoint-absent', subjectOf(chain, null), { place, chain: 'gone' });
}

function stepOf({ key, place }: DigestEntry, reading: Extract<DigestEntry['reading'], { kind: 'content' }>): Step {
  const { digest, sha256, signature } = reading;
  return {
    digest: {
      bucket: place.bucket,
      key: key.key,
      sha256: Buffer.from(sha256).toString('hex'),
      signature: signature?.toLowerCase() ?? null,
      fingerprint: digest.fingerprint,
      startTime: formatTime(digest.startTime),
      endTime: formatTime(digest.endTime),
    },
    startsAnew: digest.previous === null,
    logs: digest.logs.length,
  };
}

function subjectOf(
  { account, region, trail }: Pick<Chain, 'account' | 'region' | 'trail'>,
  digest: RememberedDigest | null,
): Subject {
  const bucket = digest?.bucket ?? null;
  return { type: 'chain', account, region, trail, ...(bucket === null ? {} : { bucket }) };
}
