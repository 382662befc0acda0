import type { AwsSettings } from '../aws/clients.ts';
import { listPublicKeys } from '../aws/public-keys.ts';
import { regionsByDefault } from '../aws/regions.ts';
import { describeTrail, type TrailArn, trailStatus } from '../aws/trails.ts';
import { type Verdict, verdict } from '../chain/verdict.ts';
import { listedKeys } from '../keys/key-source.ts';
import type { Subject } from '../report/finding.ts';
import { s3Source } from '../source/s3.ts';
import { SourceError, type Trouble } from '../source/source.ts';
import type { Scope, TrailChoice } from '../verify/scope.ts';
import { awsSettings } from './aws-settings.ts';
import { UsageError } from './command.ts';
import { choiceOf, normalPrefix, scopeOf, trailArnOf, type VerifyOptions } from './verify-options.ts';
import type { Target, Targets } from './verify-target.ts';

/** The buckets that the options name, or that CloudTrail says the trails write to. */
export async function s3Targets(given: VerifyOptions): Promise<Targets> {
  const settings = awsSettings(given);
  const open = (bucket: string) =>
    s3Source({ ...settings, bucket, ...(given.concurrency === undefined ? {} : { concurrency: given.concurrency }) });
  const target = (bucket: string, scope: Scope): Target => ({
    source: open(bucket),
    sourceOf: open,
    scope,
    keys: (range) => listedKeys((region, from, to) => listPublicKeys(settings, region, from, to), range),
  });
  const scope = scopeOf(given);
  if (given.s3Bucket !== undefined) return { targets: [target(given.s3Bucket, scope)], verdicts: [], notes: [] };
  if (given.trailArn === undefined) throw new UsageError('say what to prove: --trail-arn, --s3-bucket or --directory');

  const verdicts: Verdict[] = [];
  const notes: string[] = [];
  const everywhere = regionsOnce(settings, notes);
  const places = new Map<string, { bucket: string; prefix: string; trails: TrailChoice[] }>();
  for (const arn of given.trailArn.map(trailArnOf)) {
    try {
      const { bucket, prefix, isMultiRegion } = await describeTrail(settings, arn);
      const place = places.get(`${bucket}/${prefix}`) ?? { bucket, prefix, trails: [] };
      places.set(`${bucket}/${prefix}`, place);
      const [delivered, regions] = await Promise.all([
        lastDelivery(settings, arn),
        isMultiRegion ? everywhere(arn) : [],
      ]);
      place.trails.push({ ...choiceOf(arn), ...delivered, ...(regions.length > 0 && { regions }) });
    } catch (error) {
      if (!(error instanceof SourceError)) throw error;
      verdicts.push(undescribed(arn, error.trouble));
    }
  }
  // Trails that share a place are proven together: a log is undigested only if none of them names it.
  const targets = [...places.values()].map(({ bucket, prefix, trails }) =>
    target(bucket, { ...scope, prefix: normalPrefix(prefix), trails }),
  );
  return { targets, verdicts, notes };
}

/** Of every account; one question for all trails. Where it is refused, a note says what that costs. */
function regionsOnce(settings: AwsSettings, notes: string[]): (arn: TrailArn) => Promise<readonly string[]> {
  let answer: Promise<readonly string[]> | null = null;
  const ask = async ({ region }: TrailArn): Promise<readonly string[]> => {
    try {
      return await regionsByDefault(settings, region);
    } catch (error) {
      if (!(error instanceof SourceError)) throw error;
      const { code } = error.trouble;
      notes.push(`a Region whose digests and logs are all gone may not be missed: account:ListRegions said ${code}`);
      return [];
    }
  };
  return (arn) => {
    answer ??= ask(arn);
    return answer;
  };
}

/** A second witness, welcome where it may be asked: without it the age of the newest digest decides alone. */
async function lastDelivery(settings: AwsSettings, arn: TrailArn): Promise<{ lastDelivery?: number }> {
  try {
    const { latestDigestDelivery } = await trailStatus(settings, arn);
    return latestDigestDelivery === null ? {} : { lastDelivery: latestDigestDelivery };
  } catch (error) {
    if (error instanceof SourceError) return {};
    throw error;
  }
}

function undescribed({ arn, account, region, name }: TrailArn, trouble: Trouble): Verdict {
  const subject: Subject = { type: 'trail', arn, account, region, trail: name };
  const facts = { code: trouble.code, detail: trouble.message };
  return verdict(trouble.kind === 'denied' ? 'digest-unreadable' : 'digest-error', subject, facts);
}
