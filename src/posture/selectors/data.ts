import type { BasicSelector } from '../trail-facts.ts';
import { advancedGaps } from './advanced.ts';
import { operationGaps } from './basic.ts';
import { allOf, anyOf, type Coverage, coverageOf, NO_COVERAGE } from './coverage.ts';
import { type Operation, type PlacedSelector, placeSelectors, type SelectorOwner } from './shapes.ts';

const S3_OBJECT = 'AWS::S3::Object';

export interface BucketScope {
  /** `aws`, `aws-cn`, `aws-us-gov`. */
  readonly partition: string;
  readonly bucket: string;
  /**
   * Keys in scope, each a prefix (`env:/`) or, with one asterisk, a prefix and a suffix (`*.tflock`). Every one must be
   * covered; none at all means the whole bucket.
   */
  readonly keys: readonly string[];
}

/** Whether the selectors of all owners together record the object events of a bucket; the caller picks owners that see its Region. */
export function bucketCoverage(owners: readonly SelectorOwner[], scope: BucketScope, operation: Operation): Coverage {
  const placed = placeSelectors(owners);
  const keys = scope.keys.length === 0 ? [''] : scope.keys;
  return allOf(
    keys.map((pattern) => {
      const objects = objectsOf(scope, pattern);
      return anyOf(placed.map((one) => coverageByOne(one, objects, operation)));
    }),
  );
}

interface Objects {
  /** ARN of the service, which stands for every bucket: `arn:aws:s3`. */
  readonly service: string;
  /** ARN of the bucket, no slash. */
  readonly bucket: string;
  /** What the ARN of each object in scope starts and ends with. */
  readonly prefix: string;
  readonly suffix: string;
}

function objectsOf({ partition, bucket }: BucketScope, pattern: string): Objects {
  const [prefix = '', suffix = '', ...more] = pattern.split('*');
  const service = `arn:${partition}:s3`;
  const arn = `${service}:::${bucket}`;
  // A second asterisk is beyond the language: the wider scope is the safe one.
  return { service, bucket: arn, prefix: `${arn}/${prefix}`, suffix: more.length > 0 ? '' : suffix };
}

function coverageByOne(placed: PlacedSelector, objects: Objects, operation: Operation): Coverage {
  switch (placed.form) {
    case 'default':
      return NO_COVERAGE;
    case 'unclear':
      return coverageOf(placed, ['both basic and advanced selectors were returned']);
    case 'basic':
      return basicCoverage(placed, placed.selector, objects, operation);
    case 'advanced': {
      const gaps = advancedGaps(placed.selector, {
        required: {
          eventCategory: { kind: 'exactly', value: 'Data' },
          'resources.type': { kind: 'exactly', value: S3_OBJECT },
        },
        optional: {
          readOnly: { kind: 'exactly', value: String(operation === 'read') },
          'resources.ARN': { kind: 'between', prefix: objects.prefix, suffix: objects.suffix },
        },
      });
      return coverageOf(placed, gaps);
    }
  }
}

function basicCoverage(
  placed: PlacedSelector,
  selector: BasicSelector,
  objects: Objects,
  operation: Operation,
): Coverage {
  const operations = operationGaps(selector, operation);
  if (operations === null) return NO_COVERAGE;
  const values = (selector.DataResources ?? [])
    .filter(({ Type }) => Type === S3_OBJECT)
    .flatMap(({ Values }) => Values ?? []);
  return anyOf(
    values.map((value) => {
      const { gaps, hint } = valueGaps(value, objects);
      return coverageOf(placed, gaps === null ? null : [...operations, ...gaps], hint);
    }),
  );
}

/** A value of a basic selector is a prefix of object ARNs. */
function valueGaps(value: string, objects: Objects): { gaps: readonly string[] | null; hint?: string } {
  if (value === objects.service || value === `${objects.service}:::`) return { gaps: [] };
  if (value === objects.bucket)
    return { gaps: [], hint: `${value} has no trailing slash: buckets whose names begin like this one may match too` };
  if (value.startsWith(`${objects.bucket}/`)) {
    if (objects.prefix.startsWith(value)) return { gaps: [] };
    return { gaps: value.startsWith(objects.prefix) ? [`only keys under ${value}`] : null };
  }
  // AWS calls the values prefixes but documents only the forms above: the name of another bucket that happens to begin
  // this one's proves nothing.
  return {
    gaps: objects.prefix.startsWith(value) ? [`"${value}" does not name this bucket, only the beginning of it`] : null,
  };
}
