import { type DigestEntry, judgeDigest } from '../chain/attestation.ts';
import { type Chain, chainId, dayPath, digestFolder, HOUR, parseDigestKey } from '../chain/location.ts';
import { logClaims } from '../chain/signing.ts';
import { type Verdict, verdict } from '../chain/verdict.ts';
import { findTrailChange, type TrailChange } from '../events/trail-change.ts';
import { areCredentialsGone } from '../source/credentials-gone.ts';
import { each } from '../source/pages.ts';
import { SourceError, type Trouble } from '../source/source.ts';
import { readDigest } from './read-digest.ts';
import { presentOf } from './scope.ts';
import type { Session } from './session.ts';

export type Gap = Verdict<'coverage-gap' | 'coverage-tail-stale'>;

/** Calls that change a trail are recorded in its home Region, at the end of what the last digest before the gap covers. */
const BEFORE = HOUR;
const AFTER = HOUR;

/** Looks for an attested event that explains why digests stopped; without one the gap stays what it is. */
export async function explainGap(session: Session, chain: Chain, gap: Gap): Promise<Verdict> {
  const at = Date.parse(gap.facts.from ?? '');
  try {
    const change = await findChange(session, chain, at);
    if (change === null) return gap;
    const { from, to } = gap.facts;
    return verdict('coverage-gap-explained', gap.subject, { from, to, ...change });
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    const { code, message } = error.trouble;
    // Whether anything explains the gap is left for the run that can read.
    return areCredentialsGone(code) ? verdict('digest-error', gap.subject, { code, detail: message }) : gap;
  }
}

async function findChange(session: Session, chain: Chain, at: number): Promise<TrailChange | null> {
  const { source, relocation } = session.request;
  const entries = await digestsAround(session, { ...chain, region: chain.homeRegion }, at);
  for (const [index, entry] of entries.entries()) {
    const next = entries[index + 1]?.reading;
    const { digest } = judgeDigest(entry, next?.kind === 'content' ? next.digest.previous : null);
    for (const claim of digest ? logClaims(digest) : []) {
      const reading = await session.reader.read(source, presentOf(source.bucket, relocation, claim), { keep: true });
      goOnUnlessGone(reading);
      if (reading.kind !== 'content' || !reading.content || !claim.hash.equals(reading.sha256)) continue;
      const change = findTrailChange(reading.content, chain.trail, at - BEFORE, at + AFTER);
      if (change) return change;
    }
  }
  return null;
}

/** The event's log can be named by the last digest before the gap or, delivered late, by the first ones after it. */
async function digestsAround({ request, walk }: Session, chain: Chain, at: number): Promise<DigestEntry[]> {
  const { source, keys } = request;
  const folder = digestFolder(chain.root, chain.region);
  const last = folder + dayPath(at + 3 * HOUR);
  const entries: DigestEntry[] = [];
  for await (const { key } of each(source.list(folder, folder + dayPath(at - BEFORE)))) {
    if (key.slice(0, last.length) > last) break;
    const parsed = parseDigestKey(key);
    if (!parsed || chainId(parsed.chain) !== chainId(chain)) continue;
    if (parsed.endTime < at - BEFORE || parsed.endTime > at + 3 * HOUR) continue;
    const entry = await readDigest(source, keys, parsed, walk.place(key));
    goOnUnlessGone(entry.reading);
    entries.push(entry);
  }
  return entries;
}

/** What cannot be read explains nothing, and the next object may; unless none can be read any more. */
function goOnUnlessGone(reading: { readonly kind: string; readonly trouble?: Trouble }): void {
  if (reading.trouble && areCredentialsGone(reading.trouble.code)) throw new SourceError(reading.trouble);
}
