import { type Answer, cannotTell, every, fail, look, pass } from '../answer.ts';
import { bucketTarget, contains, type Grant, glob, grants, isPinned } from '../bucket-policy/index.ts';
import { control } from '../control.ts';
import { actsOf, WRITING } from '../forbidden.ts';
import { judgeNobodyBut, logResources, policyOf } from '../log-policy.ts';
import { grantFacts, nameOf } from '../policy-evidence.ts';
import { type LogBucket, logBuckets, notCollected, type World } from '../world.ts';

const CLOUDTRAIL = ['cloudtrail.amazonaws.com', 'cloudtrail.amazonaws.com.cn'];

export const pol02 = control({
  id: 'POL-02',
  title: 'only CloudTrail may put objects, and only for the expected trails',
  severity: 'critical',
  remedy:
    'grant s3:PutObject to cloudtrail.amazonaws.com alone, on the AWSLogs prefix, with StringEquals aws:SourceArn naming the trail; other writers belong in the config (writers)',
  calls: ['GetBucketPolicy', 'GetPublicAccessBlock', 'GetAccountPublicAccessBlock', 'DescribeTrails'],
  none: 'there is no log bucket',
  over: logBuckets,
  check: (bucket, world, subject) =>
    every(
      judgeNobodyBut(WRITING, [...CLOUDTRAIL, ...bucket.demands.writers], { bucket, world, subject }),
      look({ policy: policyOf(bucket) }, ({ policy }) => {
        if (policy === null) return pass('there is no bucket policy');
        const arn = subject.arn ?? '';
        const ours = grants(policy, bucketTarget(arn)).filter(
          (grant) => CLOUDTRAIL.includes(grant.principal.text) && actsOf(grant, WRITING) !== null,
        );
        return worst(ours.map((grant) => judgeDelivery(grant, logResources(arn, bucket), trailArns(bucket, world))));
      }),
    ),
});

/** Trails that may write here: those found to, and those the config says do (they may be out of our sight). */
function trailArns({ name, trails }: LogBucket, { scope }: World): readonly string[] {
  const named = scope.trails.filter(({ bucket }) => bucket === null || bucket === name);
  return [...new Set([...trails, ...named].map(({ arn }) => arn))];
}

function judgeDelivery(grant: Grant, places: readonly string[], trails: readonly string[]): Answer {
  const statement = nameOf(grant.statement);
  const facts = { delivery: grantFacts(grant, grant.actions), trails };
  if (trails.length === 0) return cannotTell([notCollected('DescribeTrails')], facts);
  // A trail keeps its name and account when its home Region changes.
  const expected = trails.map((arn) => arn.replace(/^(arn:[^:]+:cloudtrail:)[^:]+:/, '$1*:'));
  const accounts = trails.map((arn) => arn.split(':')[4] ?? '');
  const ofAccounts = trails.map((arn) => arn.replace(/^(arn:[^:]+:cloudtrail:)[^:]+:(\d+):.*$/, '$1*:$2:*'));
  if (!isPinned(grant, 'aws:sourcearn', expected)) {
    return isPinned(grant, 'aws:sourcearn', ofAccounts) || isPinned(grant, 'aws:sourceaccount', accounts)
      ? fail(`${statement} lets CloudTrail write for every trail of the account`, facts, { severity: 'medium' })
      : fail(`${statement} lets CloudTrail write for trails of other accounts: aws:SourceArn does not tie it`, facts);
  }
  const outside = grant.resources.filter((resource) => !places.some((place) => contains(glob(place), glob(resource))));
  if (outside.length > 0) {
    return fail(
      `${statement} lets CloudTrail write outside ${places.join(', ')}`,
      { ...facts, outside },
      { severity: 'medium' },
    );
  }
  return pass('CloudTrail writes for the expected trails only');
}

/** The gravest answer first: a fail that keeps the control's own severity outweighs a lowered one. */
function worst(answers: readonly Answer[]): Answer {
  const isGrave = (answer: Answer) => answer.outcome === 'fail' && answer.severity === undefined;
  const [first, ...rest] = [...answers].sort((a, b) => Number(isGrave(b)) - Number(isGrave(a)));
  return first === undefined ? pass('CloudTrail is granted nothing to write') : every(first, ...rest);
}
