import { type Answer, cannotTell, type Facts, fail, look, notApplicable, pass } from './answer.ts';
import { type CallName, namedIn } from './calls.ts';
import { lackingOf, type Unknown, unknown } from './evidence.ts';
import type { Counted, ObjectKind, ObjectSurvey, ObjectVersion, SampledVersion } from './object-facts.ts';
import { judgeRetention, type RetentionVerdict } from './retention.ts';
import type { LogBucket, World } from './world.ts';

const DAY = 86_400_000;
const SHOWN = 5;
/** A snapshot may have been written by hand. */
const UNDATED = 'UnreadableLastModified';

const shown = (versions: readonly ObjectVersion[]) =>
  versions.slice(0, SHOWN).map(({ Key, VersionId, LastModified }) => ({ Key, VersionId, LastModified }));

/** Why what was seen does not stand for all: the listing broke off, or only a sample was asked. */
function unseen({ complete, sample }: ObjectSurvey, call: CallName, seen: number, all: number): readonly Unknown[] {
  const lacking: Unknown[] = [];
  if (!complete) lacking.push(unknown('not-collected', namedIn('ListObjectVersions'), 'ListingIncomplete'));
  if (seen < all)
    lacking.push(unknown('not-collected', namedIn(call), `SampleOf${sample.size === 'all' ? seen : sample.size}`));
  return lacking;
}

/** A version that was listed and is gone: deleted for good while the run looked at it. */
const isGone = ({ retention }: SampledVersion): boolean =>
  retention.state === 'unknown' && retention.reason === 'not-found';

type Trouble = Exclude<RetentionVerdict, 'retained' | 'unreadable'> | 'gone';

/** Every version of one kind is locked as the config demands. One that is not decides; only all of them prove a pass. */
export function retained(
  { facts: { objects }, demands: { lock } }: LogBucket,
  { now }: World,
  kind: ObjectKind,
): Answer {
  return look({ objects }, (seen) => {
    const survey = seen.objects;
    const sampled = survey.sampled.filter((version) => version.kind === kind);
    const troubles = new Map<Trouble, SampledVersion[]>();
    const lacking: Unknown[] = [...unseen(survey, 'GetObjectRetention', sampled.length, survey.population[kind])];
    for (const version of sampled) {
      const trouble = troubleWith(version, lock, now);
      if (trouble === null) continue;
      if (typeof trouble !== 'string') lacking.push(trouble);
      else if (!troubles.get(trouble)?.push(version)) troubles.set(trouble, [version]);
    }
    const counts = Object.fromEntries([...troubles].map(([trouble, versions]) => [trouble, versions.length]));
    const facts: Facts = {
      api: 'GetObjectRetention',
      required: { mode: lock.mode, days: lock.days },
      population: survey.population[kind],
      sampled: sampled.length,
      seed: survey.sample.seed,
      counts,
      examples: shown([...troubles.values()].flat()),
    };
    if (troubles.size > 0) {
      const told = Object.entries(counts).map(([trouble, count]) => `${count} ${TOLD[trouble as Trouble]}`);
      return fail(`${kind} files are not locked as demanded: ${told.join(', ')}`, facts);
    }
    if (lacking.length > 0) return cannotTell(lackingOf(lacking), facts);
    return sampled.length === 0
      ? notApplicable(`there is no ${kind} file yet`, facts)
      : pass(`all ${sampled.length} ${kind} files are locked as demanded`, facts);
  });
}

const TOLD: Record<Trouble, string> = {
  unlocked: 'without retention',
  governance: 'in GOVERNANCE mode',
  'event-hold-only': 'under an event hold only',
  short: 'for too short a time',
  expired: 'whose retention is over too early',
  gone: 'deleted for good during the run',
};

function troubleWith(
  version: SampledVersion,
  lock: LogBucket['demands']['lock'],
  now: number,
): Trouble | Unknown | null {
  const { retention, LastModified } = version;
  if (isGone(version)) {
    const written = Date.parse(LastModified);
    if (Number.isNaN(written)) return unknown('parse', namedIn('ListObjectVersions'), UNDATED);
    return written + lock.days * DAY > now ? 'gone' : null;
  }
  if (retention.state === 'unknown') return retention;
  const verdict = judgeRetention(retention.state === 'known' ? retention.value : null, LastModified, lock, now);
  if (verdict === 'unreadable') return unknown('parse', namedIn('GetObjectRetention'), 'UnreadableRetention');
  return verdict === 'retained' ? null : verdict;
}

/** Nothing of this sort lies under the log prefixes; one is enough to fail, only a whole listing proves none. */
export function noneListed(
  { facts: { objects } }: LogBucket,
  count: (survey: ObjectSurvey) => Counted,
  none: string,
  some: (count: number) => string,
): Answer {
  return look({ objects }, (seen) => {
    const { count: found, first } = count(seen.objects);
    const facts = { api: 'ListObjectVersions', count: found, examples: shown(first), owners: owners(first) };
    if (found > 0) return fail(some(found), facts);
    const lacking = unseen(seen.objects, 'ListObjectVersions', 0, 0);
    return lacking.length > 0 ? cannotTell(lacking, facts) : pass(none, facts);
  });
}

const owners = (versions: readonly ObjectVersion[]) => [...new Set(versions.flatMap(({ Owner }) => Owner ?? []))];

/** No version dates from before the lock: with the id `null`, or without retention. */
export function noneBeforeLock({ facts: { objects } }: LogBucket): Answer {
  return look({ objects }, (seen) => {
    const { sampled, preVersioning, population } = seen.objects;
    const bare = sampled.filter(({ retention }) => retention.state === 'absent');
    const facts = {
      api: 'GetObjectRetention',
      withoutRetention: bare.length,
      beforeVersioning: preVersioning.count,
      examples: shown(bare.length > 0 ? bare : preVersioning.first),
    };
    if (bare.length > 0) return fail(`${bare.length} versions carry no retention: the lock came after them`, facts);
    const lacking = lackingOf([
      ...unseen(seen.objects, 'GetObjectRetention', sampled.length, population.log + population.digest),
      ...sampled.filter((version) => !isGone(version)).map(({ retention }) => retention),
    ]);
    return lacking.length > 0 ? cannotTell(lacking, facts) : pass('every version carries a retention', facts);
  });
}

/** No object younger than the hot window lies in an archive class. */
export function recentAtHand({ facts: { objects }, demands: { hotDays } }: LogBucket, { now }: World): Answer {
  return look({ objects }, (seen) => {
    const { archived } = seen.objects;
    const recent = archived.first.filter(({ LastModified }) => Date.parse(LastModified) + hotDays * DAY > now);
    const undated = archived.first.filter(({ LastModified }) => Number.isNaN(Date.parse(LastModified)));
    const facts = { api: 'ListObjectVersions', archived: archived.count, hotDays, examples: shown(recent) };
    if (recent.length > 0)
      return fail(`objects younger than ${hotDays} days need a restore before they can be read`, facts);
    const lacking = [
      ...unseen(seen.objects, 'ListObjectVersions', 0, 0),
      ...undated.map(() => unknown('parse', namedIn('ListObjectVersions'), UNDATED)),
    ];
    return lacking.length > 0 ? cannotTell(lackingOf(lacking), facts) : pass('recent objects are at hand', facts);
  });
}

/** How many of the versions asked about are under a hold. Counts, never fails. */
export function holds({ facts: { objects } }: LogBucket): Answer {
  return look({ objects }, (seen) => {
    const { sampled } = seen.objects;
    const asked = sampled.filter((version) => !isGone(version));
    const legal = asked.filter(({ legalHold }) => legalHold.state === 'known' && legalHold.value.Status === 'ON');
    const event = asked.filter(({ retention }) => retention.state === 'known' && retention.value.EventHold === 'ON');
    const facts = { api: 'GetObjectLegalHold', asked: asked.length, legalHold: legal.length, eventHold: event.length };
    const lacking = lackingOf(asked.map(({ legalHold }) => legalHold));
    if (lacking.length > 0) return cannotTell(lacking, facts);
    return pass(
      `${legal.length} of ${asked.length} versions are under a legal hold, ${event.length} under an event hold`,
      facts,
    );
  });
}
