import { type Attestation, type DigestEntry, samePlace, showPlace } from './attestation.ts';
import type { Digest } from './digest.ts';
import { formatTime, HOUR } from './location.ts';
import type { Verdict } from './verdict.ts';
import { verdict } from './verdict.ts';

/** A digest whose own verdict is reached. */
export interface Settled {
  readonly entry: DigestEntry;
  readonly attestation: Attestation;
  /** The window it stands for: by its word where attested, else by its name. Epoch milliseconds. */
  readonly start: number;
  readonly end: number;
}

/**
 * What a chain remembers of a digest until the end of the run: not the logs that it names, which are judged, and hashes in
 * memory of their own, as a small `Buffer` holds on to 8 KiB that it shares with others.
 */
export function remembered({ entry, attestation, start, end }: Settled): Settled {
  const { reading } = entry;
  const brief =
    reading.kind === 'content'
      ? { ...reading, sha256: Uint8Array.from(reading.sha256), digest: withoutLogs(reading.digest) }
      : reading;
  const { digest, verdict: judged } = attestation;
  return {
    entry: { ...entry, reading: brief },
    attestation: { verdict: judged, digest: digest && withoutLogs(digest) },
    start,
    end,
  };
}

function withoutLogs<D extends Digest>(digest: D): D {
  const { previous } = digest;
  const hash = previous && Buffer.alloc(previous.hash.length, previous.hash);
  return { ...digest, logs: [], previous: previous && { ...previous, hash } };
}

/**
 * Judges what an attested digest says of the one before it against what was found there. The digest before need not be
 * attested itself: its bytes are a fact. Where they could not be read there is nothing to compare, and no verdict.
 */
export function judgeLink(later: Settled, earlier: Settled): Verdict[] {
  const previous = later.attestation.digest?.previous;
  if (!previous) return [];
  const { subject } = later.entry;
  if (!samePlace(previous, earlier.entry.place)) {
    const facts = { what: 'place' as const, expected: showPlace(previous), found: showPlace(earlier.entry.place) };
    return [verdict('link-broken', subject, facts)];
  }
  const { reading } = earlier.entry;
  // A directory does not know its bucket, but both digests say one.
  if (reading.kind === 'content' && earlier.attestation.digest && reading.digest.bucket !== previous.bucket) {
    const facts = { what: 'place' as const, expected: showPlace(previous), found: showPlace(reading.digest) };
    return [verdict('link-broken', subject, facts)];
  }
  if (reading.kind === 'trouble' || reading.sha256 === null) return [];
  const found = Buffer.from(reading.sha256);
  if (!found.equals(previous.hash)) {
    const facts = { what: 'hash' as const, expected: previous.hash.toString('hex'), found: found.toString('hex') };
    return [verdict('link-broken', subject, facts)];
  }
  const signature = reading.kind === 'content' ? reading.signature : null;
  if (signature !== null && signature.toLowerCase() !== previous.signatureText.toLowerCase()) {
    const facts = { what: 'signature' as const, expected: previous.signatureText, found: signature };
    return [verdict('link-broken', subject, facts)];
  }
  if (later.start !== earlier.end && !later.entry.key.chain.backfill) {
    const facts = {
      reason:
        later.start > earlier.end
          ? 'this digest is linked to the one before it, and there is time between them'
          : 'this digest begins before the one before it ends',
      expected: `a start at ${formatTime(earlier.end)}`,
      found: formatTime(later.start),
    };
    return [verdict('link-discontinuous', subject, facts)];
  }
  return [verdict('link-linked', subject, {})];
}

/**
 * Ends of the hourly digests that must have stood between two instants, newest first. The oldest of them may have
 * covered less than an hour.
 */
export function hoursBetween(earlierEnd: number, laterStart: number): number[] {
  const count = Math.max(0, Math.ceil((laterStart - earlierEnd) / HOUR));
  return Array.from({ length: count }, (_, i) => laterStart - i * HOUR);
}
