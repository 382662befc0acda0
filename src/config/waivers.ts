import { type Finding, findingId, type Json, type Subject, type WaiverTerms } from '../report/finding.ts';
import { globMatches } from './glob.ts';
import { SCOPE_FIELDS, type ScopeField } from './scope-fields.ts';
import type { Waiver } from './waiver-schema.ts';
import { DAY_MS, endOfTerm, exactFields, neverWaivable } from './waiver-terms.ts';

const WARN_DAYS = 14;
const GLOB = 'glob:';

/** Waivers over the findings of one run: what each covered is remembered, the findings are not. */
export interface WaiverLedger {
  /** The finding as the waivers leave it: waived, failing again under an expired waiver, or as it was. */
  judge(finding: Finding): Finding;
  /** After the last finding: what is to be said of the waivers themselves. */
  close(): Finding[];
}

/**
 * `nowMs` is the run's clock. `covers` says whether this run judges a control at all: a waiver of another one is not
 * unused, it was not asked for.
 */
export function waiverLedger(
  waivers: readonly Waiver[],
  nowMs: number,
  covers: (control: string) => boolean = () => true,
): WaiverLedger {
  const byControl = new Map<string, Waiver[]>();
  for (const waiver of waivers) byControl.set(waiver.control, [...(byControl.get(waiver.control) ?? []), waiver]);
  const covered = new Map<Waiver, number>(waivers.map((waiver) => [waiver, 0]));
  const holds = (waiver: Waiver): boolean => nowMs < endOfTerm(waiver);
  return {
    judge(finding) {
      if (finding.outcome !== 'fail') return finding;
      const candidates = byControl.get(finding.control)?.filter((waiver) => matches(waiver, finding)) ?? [];
      const waiver = candidates.find(holds) ?? candidates[0];
      if (waiver === undefined) return finding;
      covered.set(waiver, (covered.get(waiver) ?? 0) + 1);
      if (holds(waiver)) return { ...finding, outcome: 'waived', waiver: termsOf(waiver) };
      const message = `${finding.message} (waiver ${waiver.id} expired ${waiver.expires}, owner ${waiver.owner})`;
      return { ...finding, message, waiver: termsOf(waiver) };
    },
    close: () =>
      [...covered].flatMap(([waiver, count]) => {
        if (count === 0) return covers(waiver.control) ? [unused(waiver, holds(waiver))] : [];
        if (!holds(waiver)) return [expired(waiver, count)];
        const daysLeft = Math.floor((endOfTerm(waiver) - nowMs) / DAY_MS);
        return daysLeft <= WARN_DAYS ? [expiring(waiver, count, daysLeft)] : [];
      }),
  };
}

/** The findings of a run with its waivers applied, those about the waivers last. Holds one finding at a time. */
export async function* applyWaivers(
  findings: Iterable<Finding> | AsyncIterable<Finding>,
  waivers: readonly Waiver[],
  nowMs: number,
  covers?: (control: string) => boolean,
): AsyncGenerator<Finding> {
  const ledger = waiverLedger(waivers, nowMs, covers);
  for await (const finding of findings) yield ledger.judge(finding);
  yield* ledger.close();
}

function matches(waiver: Waiver, finding: Finding): boolean {
  const { scope } = waiver;
  if (neverWaivable(finding.control)) return false;
  if (finding.kind === 'integrity' && !isExact(waiver, finding)) return false;
  const named = SCOPE_FIELDS.filter((field) => scope[field] !== undefined);
  return (
    named.length > 0 &&
    named.every((field) => valuesOf(finding, field).some((value) => fits(scope[field] ?? '', value)))
  );
}

function isExact({ scope }: Waiver, { control, subject }: Finding): boolean {
  const literal = (field: ScopeField): boolean => scope[field] !== undefined && !scope[field].startsWith(GLOB);
  const fields = exactFields(control);
  return fields?.every((field) => literal(field) || (field === 'bucket' && subject.bucket === undefined)) ?? false;
}

function fits(asked: string, value: string): boolean {
  return asked.startsWith(GLOB) ? globMatches(asked.slice(GLOB.length), value) : asked === value;
}

function valuesOf({ subject, evidence }: Finding, field: ScopeField): string[] {
  // The hash that was found, under the names that verdicts give it; never the one that was expected.
  if (field === 'sha256') {
    const found = [evidence['sha256'], evidence['found']];
    return found.filter((value) => typeof value === 'string').filter((value) => /^[0-9a-f]{64}$/.test(value));
  }
  const value: Json | undefined = (subject as Partial<Record<ScopeField, string>>)[field] ?? evidence[field];
  return typeof value === 'string' || typeof value === 'number' ? [String(value)] : [];
}

function termsOf({ id, reason, acceptedBy, owner, expires }: Waiver): WaiverTerms {
  return { id, reason, acceptedBy, owner, expires };
}

function unused(waiver: Waiver, holds: boolean): Finding {
  const since = holds ? '' : `; it expired ${waiver.expires}`;
  return about(waiver, 'waiver-unused', {
    outcome: 'not-applicable',
    severity: 'info',
    message: `waiver ${waiver.id} covered nothing in this run${since}`,
    remedy: 'Remove it from the config once what it accepted is repaired.',
    count: 0,
  });
}

function expired(waiver: Waiver, count: number): Finding {
  return about(waiver, 'waiver-expired', {
    outcome: 'fail',
    severity: 'low',
    message: `waiver ${waiver.id} expired ${waiver.expires}; what it covered fails again`,
    remedy: `Repair it (${waiver.owner}), or have the exception accepted anew with a new date.`,
    count,
  });
}

function expiring(waiver: Waiver, count: number, daysLeft: number): Finding {
  const left = daysLeft === 0 ? 'today' : `in ${daysLeft} ${daysLeft === 1 ? 'day' : 'days'}`;
  return about(waiver, 'waiver-expiring', {
    outcome: 'not-applicable',
    severity: 'info',
    message: `waiver ${waiver.id} expires ${left}, at the end of ${waiver.expires} UTC`,
    remedy: `Repair what it covers (${waiver.owner}) before that.`,
    count,
  });
}

function about(
  waiver: Waiver,
  control: string,
  { count, ...said }: Pick<Finding, 'outcome' | 'severity' | 'message' | 'remedy'> & { readonly count: number },
): Finding {
  const subject: Subject = { type: 'waiver', key: waiver.id };
  return {
    v: 1,
    id: findingId(control, subject),
    control,
    kind: 'posture',
    subject,
    evidence: { control: waiver.control, scope: scopeText(waiver), findings: count },
    references: [],
    waiver: termsOf(waiver),
    ...said,
  };
}

function scopeText({ scope }: Waiver): string {
  return SCOPE_FIELDS.filter((field) => scope[field] !== undefined)
    .map((field) => `${field}=${scope[field]}`)
    .join(' ');
}
