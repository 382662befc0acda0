import type { LifecycleRule } from './bucket-facts.ts';

/** `never`: versions were never switched on. */
export type VersioningState = 'enabled' | 'suspended' | 'never';

/** The youngest age, in whole days, at which something may happen to a log, and the rules that do it. */
export interface Due {
  readonly days: number;
  readonly rules: readonly string[];
}

/** What the lifecycle does to logs that nobody touches. `null`: never. */
export interface LogFate {
  /** A delete marker covers the log or, without versions, the log goes: it leaves the plain listing. */
  readonly hidden: Due | null;
  /** The bytes are gone for good. */
  readonly deleted: Due | null;
  /** The bytes need a restore before they can be read. */
  readonly archived: Due | null;
}

export interface LifecycleVerdict extends LogFate {
  /** The same, were the tags set that the rules ask for. CloudTrail sets none, but who may tag may also expire. */
  readonly ifTagged: LogFate;
  /** Days after which a version dies that somebody overwrote or deleted. */
  readonly afterHiding: Due | null;
}

/** Read at once; every other storage class, also one that is not known yet, counts as archive. */
const IMMEDIATE = new Set([
  'STANDARD',
  'STANDARD_IA',
  'ONEZONE_IA',
  'INTELLIGENT_TIERING',
  'GLACIER_IR',
  'REDUCED_REDUNDANCY',
  'EXPRESS_ONEZONE',
]);

/**
 * The fate of logs under any of the key prefixes (`AWSLogs/123456789012/`). A rule by date applies to new objects as well
 * once the date has come, so that it counts as day 0. Days are those of the rules: S3 rounds up to the next midnight.
 */
export function judgeLifecycle(
  rules: readonly LifecycleRule[],
  versioning: VersioningState,
  prefixes: readonly string[],
): LifecycleVerdict {
  const clauses = rules.filter(({ Status }) => Status !== 'Disabled').map(normalise);
  const untagged = clauses.filter(({ tagged }) => !tagged);
  const deepest = soonest(
    prefixes.flatMap((prefix) => untagged.filter((one) => compatible([prefix, one.prefix])).flatMap(noncurrentDeaths)),
  );
  return {
    ...fateOf(untagged, versioning, prefixes),
    ifTagged: fateOf(clauses, versioning, prefixes),
    afterHiding: versioning === 'never' ? null : deepest,
  };
}

interface Clause {
  readonly id: string;
  readonly prefix: string;
  readonly tagged: boolean;
  /** Sizes that match, both ends exclusive. */
  readonly above: number;
  readonly below: number;
  readonly expires: number | null;
  /** Only deaths that need no newer versions: a log that nobody touches has none. */
  readonly noncurrentExpires: number | null;
  readonly noncurrentKeeps: number;
  readonly archives: number | null;
  readonly noncurrentArchives: number | null;
}

function normalise(rule: LifecycleRule, index: number): Clause {
  const and = rule.Filter?.And;
  const noncurrent = rule.NoncurrentVersionExpiration;
  return {
    id: rule.ID ?? `#${index + 1}`,
    prefix: and?.Prefix ?? rule.Filter?.Prefix ?? rule.Prefix ?? '',
    tagged: rule.Filter?.Tag !== undefined || (and?.Tags?.length ?? 0) > 0,
    above: and?.ObjectSizeGreaterThan ?? rule.Filter?.ObjectSizeGreaterThan ?? -1,
    below: and?.ObjectSizeLessThan ?? rule.Filter?.ObjectSizeLessThan ?? Number.POSITIVE_INFINITY,
    expires: ageOf(rule.Expiration),
    noncurrentExpires: noncurrent?.NoncurrentDays ?? null,
    noncurrentKeeps: noncurrent?.NewerNoncurrentVersions ?? 0,
    archives: least((rule.Transitions ?? []).filter(isArchive).map(ageOf)),
    noncurrentArchives: least(
      (rule.NoncurrentVersionTransitions ?? [])
        .filter((one) => isArchive(one) && (one.NewerNoncurrentVersions ?? 0) === 0)
        .map(({ NoncurrentDays }) => NoncurrentDays ?? null),
    ),
  };
}

const isArchive = ({ StorageClass }: { readonly StorageClass?: string | undefined }): boolean =>
  !IMMEDIATE.has(StorageClass ?? '');

function ageOf(terms: { readonly Days?: number | undefined; readonly Date?: string | undefined } | undefined) {
  return terms?.Date !== undefined ? 0 : (terms?.Days ?? null);
}

function least(days: readonly (number | null)[]): number | null {
  return days.reduce((a, b) => (a === null ? b : b === null ? a : Math.min(a, b)), null);
}

function fateOf(clauses: readonly Clause[], versioning: VersioningState, prefixes: readonly string[]): LogFate {
  const hidden: Due[] = [];
  const deleted: Due[] = [];
  const archived: Due[] = [];
  for (const prefix of prefixes)
    for (const first of clauses.filter((clause) => compatible([prefix, clause.prefix]) && sizesMeet(clause, clause))) {
      if (first.archives !== null) archived.push({ days: first.archives, rules: [first.id] });
      if (first.expires === null) continue;
      hidden.push({ days: first.expires, rules: [first.id] });
      if (versioning !== 'enabled') {
        deleted.push({ days: first.expires, rules: [first.id] });
        continue;
      }
      // The delete marker makes the version noncurrent; from there any rule that matches the same log takes over.
      for (const second of clauses) {
        if (!compatible([prefix, first.prefix, second.prefix]) || !sizesMeet(first, second)) continue;
        const rules = first.id === second.id ? [first.id] : [first.id, second.id];
        if (second.noncurrentExpires !== null && second.noncurrentKeeps === 0)
          deleted.push({ days: first.expires + second.noncurrentExpires, rules });
        if (second.noncurrentArchives !== null)
          archived.push({ days: first.expires + second.noncurrentArchives, rules });
      }
    }
  return { hidden: soonest(hidden), deleted: soonest(deleted), archived: soonest(archived) };
}

function noncurrentDeaths(clause: Clause): Due[] {
  return clause.noncurrentExpires === null ? [] : [{ days: clause.noncurrentExpires, rules: [clause.id] }];
}

/** Whether one key can start with all of them. */
function compatible(prefixes: readonly string[]): boolean {
  const longest = prefixes.reduce((a, b) => (a.length >= b.length ? a : b), '');
  return prefixes.every((prefix) => longest.startsWith(prefix));
}

/** Whether one object can have a size that both rules match. */
function sizesMeet(a: Clause, b: Clause): boolean {
  return Math.max(a.above, b.above) + 1 < Math.min(a.below, b.below);
}

function soonest(dues: readonly Due[]): Due | null {
  return dues.reduce<Due | null>((best, due) => (best === null || due.days < best.days ? due : best), null);
}
