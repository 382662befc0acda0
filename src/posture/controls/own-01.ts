import { fail, look, pass } from '../answer.ts';
import { control } from '../control.ts';
import { logBuckets } from '../world.ts';

export const own01 = control({
  id: 'OWN-01',
  title: 'the bucket owner owns every object',
  severity: 'medium',
  remedy: 'aws s3api put-bucket-ownership-controls with ObjectOwnership=BucketOwnerEnforced: ACLs then grant nothing',
  calls: ['GetBucketOwnershipControls'],
  none: 'there is no log bucket',
  over: logBuckets,
  check: ({ facts: { ownership } }) =>
    look({ ownership }, (seen) => {
      const ObjectOwnership = seen.ownership?.Rules?.[0]?.ObjectOwnership ?? null;
      return ObjectOwnership === 'BucketOwnerEnforced'
        ? pass('the bucket owner owns every object', { ObjectOwnership })
        : fail(`object ownership is ${ObjectOwnership ?? 'not set'}, so ACLs can grant access`, { ObjectOwnership });
    }),
});
