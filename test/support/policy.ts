import { known } from '../../src/posture/evidence.ts';
import type { Snapshot } from '../../src/posture/snapshot.ts';
import { ACCOUNT, LOG_BUCKET, LOG_POLICY, withBucket } from './snapshot.ts';

export const BUCKET_ARN = `arn:aws:s3:::${LOG_BUCKET}`;
export const OBJECTS_ARN = `${BUCKET_ARN}/*`;
export const STRANGER = 'arn:aws:iam::999999999999:role/somebody';
export const BREAK_GLASS = `arn:aws:iam::${ACCOUNT}:role/break-glass`;

export type StatementDocument = { readonly [element: string]: unknown };

export const LOG_STATEMENTS: readonly StatementDocument[] = JSON.parse(LOG_POLICY).Statement;

/** The log bucket with exactly these statements in its policy. */
export const withStatements = (...Statement: readonly StatementDocument[]): Snapshot =>
  withBucket({ policy: known(JSON.stringify({ Version: '2012-10-17', Statement })) });

/** The good policy and these statements besides. */
export const withMore = (...more: readonly StatementDocument[]): Snapshot => withStatements(...LOG_STATEMENTS, ...more);

export const allow = (Action: unknown, more: StatementDocument = {}): StatementDocument => ({
  Sid: 'Extra',
  Effect: 'Allow',
  Principal: { AWS: STRANGER },
  Action,
  Resource: [BUCKET_ARN, OBJECTS_ARN],
  ...more,
});

export const deny = (Action: unknown, more: StatementDocument = {}): StatementDocument => ({
  Sid: 'Guard',
  Effect: 'Deny',
  Principal: '*',
  Action,
  Resource: [BUCKET_ARN, OBJECTS_ARN],
  ...more,
});
