/** Which findings a waiver covers. The names are those of a finding's subject and evidence. */
export const SCOPE_FIELDS = [
  'arn',
  'account',
  'region',
  'trail',
  'bucket',
  'key',
  'versionId',
  'hour',
  'sha256',
  'eventId',
  'eventName',
  'principal',
  'session',
  'runId',
] as const;

export type ScopeField = (typeof SCOPE_FIELDS)[number];
