import { judgeAccessPoint } from '../access-points.ts';
import { type Answer, every, look, pass } from '../answer.ts';
import { control } from '../control.ts';
import { policyIn } from '../policy-evidence.ts';
import { logBuckets, ownerFacts } from '../world.ts';

export const ap02 = control({
  id: 'AP-02',
  title: 'no multi-Region access point opens another way to the logs',
  severity: 'medium',
  remedy: 'take the log bucket out of the multi-Region access point, or narrow its policy',
  calls: ['ListMultiRegionAccessPoints', 'GetMultiRegionAccessPointPolicy'],
  none: 'there is no log bucket',
  over: logBuckets,
  check: (bucket, world): Answer => {
    const { account, multiRegionAccessPoints } = ownerFacts(world.snapshot, bucket.facts);
    return look({ multiRegionAccessPoints }, (seen) => {
      const members = seen.multiRegionAccessPoints.filter(({ Regions = [] }) =>
        Regions.some(({ Bucket }) => Bucket === bucket.name),
      );
      const [first, ...rest] = members.map(({ Alias = '', policy }) =>
        judgeAccessPoint(
          `arn:${world.snapshot.partition}:s3::${account}:accesspoint/${Alias}`,
          policyIn(policy, 'GetMultiRegionAccessPointPolicy'),
          bucket,
          world,
        ),
      );
      return first === undefined
        ? pass('no multi-Region access point has the bucket as a member')
        : every(first, ...rest);
    });
  },
});
