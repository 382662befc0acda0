import { control } from '../control.ts';
import { publicAccessBlocked } from '../public-access.ts';
import { logBuckets, ownerFacts } from '../world.ts';

export const pab02 = control({
  id: 'PAB-02',
  title: 'public access to the log bucket is blocked in every way',
  severity: 'critical',
  remedy: 'aws s3api put-public-access-block on the bucket, or on its account, all four settings true',
  calls: ['GetPublicAccessBlock', 'GetAccountPublicAccessBlock'],
  none: 'there is no log bucket',
  over: logBuckets,
  check: ({ facts }, { snapshot }) => publicAccessBlocked(facts, ownerFacts(snapshot, facts)),
});
