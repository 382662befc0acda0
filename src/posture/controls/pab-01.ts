import { fail, look, pass } from '../answer.ts';
import { control } from '../control.ts';
import { ownerOf } from '../log-policy.ts';
import { FLAGS } from '../public-access.ts';
import { logBuckets, ownerFacts } from '../world.ts';

export const pab01 = control({
  id: 'PAB-01',
  title: "the owner's account blocks public access",
  severity: 'high',
  remedy: 'aws s3control put-public-access-block for the account that owns the log bucket, all four settings true',
  calls: ['GetAccountPublicAccessBlock'],
  none: 'there is no log bucket',
  over: logBuckets,
  check: (bucket, { snapshot }) => {
    const { publicAccessBlock } = ownerFacts(snapshot, bucket.facts);
    const owner = ownerOf(bucket);
    return look({ publicAccessBlock }, (seen) => {
      const off = FLAGS.filter((flag) => seen.publicAccessBlock?.[flag] !== true);
      const facts = { owner, effective: { ...seen.publicAccessBlock } };
      return off.length === 0
        ? pass('the account blocks all public access', facts)
        : fail(`the account does not set ${off.join(', ')}`, facts);
    });
  },
});
