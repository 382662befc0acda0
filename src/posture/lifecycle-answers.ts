import { type Answer, type Facts, fail, look, notApplicable, pass } from './answer.ts';
import { type Due, judgeLifecycle, type LifecycleVerdict, type VersioningState } from './lifecycle.ts';
import { lockedDays } from './lock.ts';
import { underVersioning } from './versioning.ts';
import type { LogBucket } from './world.ts';

export const noEarlyDeletion = (bucket: LogBucket): Answer =>
  underLifecycle(bucket, (verdict) => {
    const required = bucket.demands.keepDays;
    const facts = factsOf(verdict, { required });
    if (isEarly(verdict.deleted, required)) {
      // Lifecycle does not delete a version before its lock is over.
      const locked = lockedDays(bucket.facts, bucket.demands) >= required;
      return fail(
        `lifecycle deletes logs for good after ${told(verdict.deleted)}, ${required} are required`,
        facts,
        locked ? { severity: 'info' } : {},
      );
    }
    if (isEarly(verdict.ifTagged.deleted, required))
      return fail(
        `logs that somebody tags are deleted for good after ${told(verdict.ifTagged.deleted)}, ${required} are required`,
        facts,
        { severity: 'low' },
      );
    return pass(
      verdict.deleted
        ? `lifecycle deletes logs after ${told(verdict.deleted)}`
        : 'lifecycle never deletes logs for good',
      facts,
    );
  });

export const noEarlyHiding = (bucket: LogBucket): Answer =>
  underLifecycle(bucket, (verdict, state) => {
    const required = bucket.demands.keepDays;
    const facts = factsOf(verdict, { required });
    const plain = isEarly(verdict.hidden, required);
    const due = plain ? verdict.hidden : verdict.ifTagged.hidden;
    if (!isEarly(due, required))
      return pass(due ? `lifecycle hides logs after ${told(due)}` : 'lifecycle never hides logs', facts);
    if (state === 'never') return notApplicable('without versions nothing is hidden: it is deleted', facts);
    return plain
      ? fail(
          `lifecycle puts a delete marker over logs after ${told(due)}, ${required} are required; a lock does not stop it`,
          facts,
        )
      : fail(`logs that somebody tags get a delete marker after ${told(due)}, ${required} are required`, facts, {
          severity: 'low',
        });
  });

export const noEarlyArchive = (bucket: LogBucket): Answer =>
  underLifecycle(bucket, (verdict) => {
    const required = bucket.demands.hotDays;
    const facts = factsOf(verdict, { required });
    const plain = isEarly(verdict.archived, required);
    const due = plain ? verdict.archived : verdict.ifTagged.archived;
    if (!isEarly(due, required))
      return pass(due ? `logs go to an archive class after ${told(due)}` : 'logs never go to an archive class', facts);
    return fail(
      `logs ${plain ? '' : 'that somebody tags '}need a restore after ${told(due)}, ${required} days at hand are required`,
      facts,
      plain ? {} : { severity: 'low' },
    );
  });

export const retentionEnds = (bucket: LogBucket): Answer =>
  underLifecycle(bucket, (verdict) => {
    const facts = factsOf(verdict, {});
    return verdict.deleted
      ? pass(`lifecycle deletes logs after ${told(verdict.deleted)}`, facts)
      : fail('logs are kept forever', facts);
  });

function underLifecycle(
  { facts, prefixes }: LogBucket,
  judge: (verdict: LifecycleVerdict, state: VersioningState) => Answer,
): Answer {
  return look({ lifecycle: facts.lifecycle }, ({ lifecycle }) =>
    underVersioning(facts.versioning, (state) =>
      judge(
        judgeLifecycle(
          lifecycle?.Rules ?? [],
          state,
          prefixes.map((prefix) => `${prefix}AWSLogs/`),
        ),
        state,
      ),
    ),
  );
}

const isEarly = (due: Due | null, days: number): boolean => due !== null && due.days < days;
const told = (due: Due | null): string => (due ? `${due.days} days (rule ${due.rules.join(' and ')})` : 'never');

function factsOf({ hidden, deleted, archived, afterHiding, ifTagged }: LifecycleVerdict, more: Facts): Facts {
  const plain = (due: Due | null) => (due ? { days: due.days, rules: due.rules } : null);
  return {
    api: 'GetBucketLifecycleConfiguration',
    hidden: plain(hidden),
    deleted: plain(deleted),
    archived: plain(archived),
    afterHiding: plain(afterHiding),
    ifTagged: { hidden: plain(ifTagged.hidden), deleted: plain(ifTagged.deleted), archived: plain(ifTagged.archived) },
    ...more,
  };
}
