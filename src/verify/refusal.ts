import { verdict } from '../chain/verdict.ts';
import type { Subject } from '../report/finding.ts';
import type { Trouble } from '../source/source.ts';
import { bucketOf, type Session, told, type VerifyStep } from './session.ts';

/** An object that CloudTrail did not put there. */
export function foreign(session: Session, key: string, reason: string): VerifyStep {
  const subject: Subject = { type: 'object', ...bucketOf(session), key };
  return told(verdict('object-foreign', subject, { reason }));
}

const IN_LOGS = /\/CloudTrail\/([^/]*\/)?(\d{4}\/\d{2}\/\d{2}\/)?$/;

/** A folder that could not be listed: of digests it leaves chains unproven, of logs it only hides what no digest names. */
export function refusal(session: Session, prefix: string, trouble: Trouble): VerifyStep {
  const subject: Subject = { type: 'object', ...bucketOf(session), key: prefix };
  const facts = { code: trouble.code, detail: trouble.message };
  if (IN_LOGS.test(prefix)) return told(verdict('object-unlisted', subject, facts));
  return told(verdict(trouble.kind === 'denied' ? 'digest-unreadable' : 'digest-error', subject, facts));
}
