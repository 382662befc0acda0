import { describe, expect, it } from 'vitest';
import { known } from '../../../src/posture/evidence.ts';
import type { PostureScope } from '../../../src/posture/scope.ts';
import type { Snapshot } from '../../../src/posture/snapshot.ts';
import type { Outcome } from '../../../src/report/finding.ts';
import { ACCOUNT, DENIED, findingOf, LOG_BUCKET, scope, withBucket, withTrail } from '../../support/snapshot.ts';

type Row = [what: string, given: Snapshot, outcome: Outcome, demanded?: PostureScope];
const table = (id: string, rows: Row[]) =>
  describe(id, () => {
    const no: Row = ['no log bucket', withTrail({ description: known({}) }), 'not-applicable'];
    it.each([...rows, no])('%s', (_, given, outcome, demanded = scope()) => {
      expect(findingOf(id, given, demanded).outcome).toBe(outcome);
    });
  });

table('MISC-01', [
  ['the owner pays', withBucket({}), 'pass'],
  ['the requester pays', withBucket({ requestPayment: known({ Payer: 'Requester' }) }), 'fail'],
  ['refused', withBucket({ requestPayment: DENIED }), 'inconclusive'],
]);

const top = (prefixes: string[], keys: string[] = []) =>
  withBucket({ topLevel: known({ prefixes, keys, truncated: false }) });
table('MISC-02', [
  ['only logs', withBucket({}), 'pass'],
  ['nothing yet', top([]), 'pass'],
  ['another folder', top(['AWSLogs/', 'backup/']), 'fail'],
  ['a file', top(['AWSLogs/'], ['notes.txt']), 'fail'],
  ['its own access log', withBucket({ logging: known({ LoggingEnabled: { TargetBucket: LOG_BUCKET } }) }), 'fail'],
  [
    'the state bucket',
    withBucket({}),
    'fail',
    scope({ stateBuckets: [{ bucket: LOG_BUCKET, owner: ACCOUNT, keyPrefixes: [''] }] }),
  ],
  ['listing refused', withBucket({ topLevel: DENIED }), 'inconclusive'],
  ['logging refused', withBucket({ logging: DENIED }), 'inconclusive'],
]);
