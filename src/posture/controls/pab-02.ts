import { cannotTell, fail, pass } from '../answer.ts';
import { control } from '../control.ts';
import { FLAGS, inForce, lackingOfBlocks } from '../public-access.ts';
import { logBuckets, ownerFacts } from '../world.ts';

export const pab02 = control({
  id: 'PAB-02',
  title: 'public access to the log bucket is blocked in every way',
  severity: 'critical',
  remedy: 'aws s3api put-public-access-block on the bucket, or on its account, all four settings true',
  calls: ['GetPublicAccessBlock', 'GetAccountPublicAccessBlock'],
  none: 'there is no log bucket',
  over: logBuckets,
  check: ({ facts: bucket }, { snapshot }) => {
    const owner = ownerFacts(snapshot, bucket);
    const states = FLAGS.map((flag) => ({ flag, on: inForce(flag, bucket, owner) }));
    const facts = { inForce: Object.fromEntries(states.map(({ flag, on }) => [flag, on])) };
    const off = states.filter(({ on }) => on === false).map(({ flag }) => flag);
    if (off.length > 0) return fail(`neither bucket nor account sets ${off.join(', ')}`, facts);
    return states.every(({ on }) => on === true)
      ? pass('bucket or account sets each of the four blocks', facts)
      : cannotTell(lackingOfBlocks(bucket, owner), facts);
  },
});
