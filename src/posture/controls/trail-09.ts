import { type Answer, every, fail, look, pass } from '../answer.ts';
import type { BucketFacts } from '../bucket-facts.ts';
import { control } from '../control.ts';
import type { TrailDescription } from '../trail-facts.ts';
import { bucketFacts, trails, type World } from '../world.ts';

export const trail09 = control({
  id: 'TRAIL-09',
  title: 'the trail writes to the expected bucket',
  severity: 'critical',
  remedy: 'restore the bucket and prefix of the config, and treat the change as an incident',
  calls: ['DescribeTrails', 'HeadBucket', 'GetBucketLocation'],
  none: 'there is no trail',
  over: trails,
  check: ({ arn, description }, world) =>
    look({ description }, ({ description: told }) => {
      const facts = bucketFacts(world.snapshot, told.S3BucketName ?? '');
      return every(asExpected(arn, told, world), isThere(facts), isOwned(facts));
    }),
});

const trimmed = (prefix: string | undefined | null): string => (prefix ?? '').replace(/^\/+|\/+$/g, '');

function asExpected(arn: string, { S3BucketName = '', S3KeyPrefix }: TrailDescription, { scope }: World): Answer {
  const expected = scope.trails.find((trail) => trail.arn === arn);
  const facts = {
    api: 'DescribeTrails',
    S3BucketName,
    S3KeyPrefix: S3KeyPrefix ?? null,
    ...(expected ? { expectedBucket: expected.bucket, expectedPrefix: expected.prefix } : {}),
  };
  if (expected && expected.bucket !== null && expected.bucket !== S3BucketName)
    return fail(`the trail writes to ${S3BucketName}, ${expected.bucket} is expected`, facts);
  if (expected && expected.prefix !== null && trimmed(expected.prefix) !== trimmed(S3KeyPrefix))
    return fail(`the trail writes under "${trimmed(S3KeyPrefix)}", "${trimmed(expected.prefix)}" is expected`, facts);
  return pass(
    expected?.bucket ? 'the trail writes where it should' : 'the trail writes to a bucket that exists',
    facts,
  );
}

const isThere = ({ bucket, location }: BucketFacts): Answer =>
  look({ location }, (seen) =>
    seen.location === null
      ? fail(`the bucket ${bucket} does not exist: whoever makes it next receives the logs`, { code: 'NoSuchBucket' })
      : pass('the bucket exists'),
  );

function isOwned({ bucket, expectedOwner, ownedAsExpected, location }: BucketFacts): Answer {
  if (expectedOwner === null || location.state === 'absent') return pass('no owner is expected');
  return look({ ownedAsExpected }, (seen) =>
    seen.ownedAsExpected
      ? pass('the bucket belongs to the expected account', { expectedOwner })
      : fail(`the bucket ${bucket} does not belong to ${expectedOwner}`, { expectedOwner }),
  );
}
