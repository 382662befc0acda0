import { type Answer, cannotTell, every, look } from './answer.ts';
import { absentKey, atLeast, type Fact, type Facts, like, oneOf, type RequestClass } from './bucket-policy/index.ts';
import { type Evidence, lackingOf } from './evidence.ts';
import type { Organization, Snapshot } from './snapshot.ts';
import type { TrailDescription } from './trail-facts.ts';
import { type LogBucket, notCollected, type Trail } from './world.ts';

/** A request CloudTrail makes to deliver, in words and as a policy sees it. */
export interface Delivery {
  readonly what: string;
  readonly request: RequestClass;
}

const CLOUDTRAIL = 'cloudtrail.amazonaws.com';

/** What CloudTrail does not send, as far as AWS documents: policies that ask for it stop the delivery. */
const NOT_SENT = [
  ...['aws:principalarn', 'aws:principalorgid', 'aws:principalorgpaths', 'aws:principalaccount', 'aws:sourceip'],
  ...['aws:sourcevpc', 'aws:sourcevpce', 'aws:vpcsourceip', 'aws:multifactorauthpresent', 'aws:userid', 'aws:username'],
  ...['s3:dataaccesspointarn', 's3:dataaccesspointaccount', 's3:object-lock-mode'],
];

/** Judges what each trail of the bucket delivers; all of it has to be well. */
export function overDeliveries(
  { bucket, snapshot, arn }: { readonly bucket: LogBucket; readonly snapshot: Snapshot; readonly arn: string },
  judge: (deliveries: readonly Delivery[], trail: Trail) => Answer,
): Answer {
  const answers = bucket.trails.map((trail) =>
    look({ description: trail.description }, ({ description }) => {
      const expected = deliveriesOf(trail, description, snapshot.organization, arn);
      if (expected !== null) return judge(expected, trail);
      const lacking = lackingOf([snapshot.organization]);
      return cannotTell(lacking.length > 0 ? lacking : [notCollected('DescribeOrganization')]);
    }),
  );
  const [first, ...rest] = answers;
  return first === undefined ? cannotTell([notCollected('DescribeTrails')]) : every(first, ...rest);
}

/** `null`: where an organization trail writes cannot be said without the organization's id. */
function deliveriesOf(
  trail: Trail,
  description: TrailDescription,
  organization: Evidence<Organization>,
  bucket: string,
): readonly Delivery[] | null {
  const isOrganization = description.IsOrganizationTrail === true;
  if (isOrganization && organization.state !== 'known') return null;
  const request = (action: string, resource: string, more: Facts): RequestClass => ({
    principal: { kind: 'service', text: CLOUDTRAIL },
    action,
    resource,
    facts: new Map([...context(trail), ...more]),
  });
  const prefix = description.S3KeyPrefix ? `${description.S3KeyPrefix}/` : '';
  const places = [
    trail.account,
    ...(isOrganization && organization.state === 'known' ? [`${organization.value.Id}/*`] : []),
  ];
  const puts = places.flatMap((place) =>
    written(description).map(({ folder, under, facts }) => {
      const resource = `${bucket}/${prefix}AWSLogs/${place}/${folder}/*`;
      return { what: `s3:PutObject under ${under} to ${resource}`, request: request('s3:PutObject', resource, facts) };
    }),
  );
  return [{ what: `s3:GetBucketAcl on ${bucket}`, request: request('s3:GetBucketAcl', bucket, new Map()) }, ...puts];
}

function context({ arn, account }: Trail): Facts {
  return new Map([
    ...NOT_SENT.map((key) => [key, absentKey] as const),
    ['aws:sourcearn', oneOf(arn)],
    ['aws:sourceaccount', oneOf(account)],
    ['aws:securetransport', oneOf('true')],
    ['aws:principalservicename', oneOf(CLOUDTRAIL)],
    ['aws:viaawsservice', oneOf('false')],
    ['s3:tlsversion', atLeast(1.2)],
    ['s3:authtype', oneOf('REST-HEADER')],
    ['s3:signatureversion', oneOf('AWS4-HMAC-SHA256')],
  ]);
}

/** What is put, and under which encryption. Digests may be stored under SSE-S3 though the trail has a KMS key. */
function written({ KmsKeyId, LogFileValidationEnabled }: TrailDescription) {
  const sse = { under: 'SSE-S3', facts: encryptedBy('AES256', absentKey) };
  const kms = { under: 'SSE-KMS', facts: encryptedBy('aws:kms', like(KmsKeyId?.includes(':key/') ? KmsKeyId : '*')) };
  return [
    { folder: 'CloudTrail', ...(KmsKeyId === undefined ? sse : kms) },
    ...(LogFileValidationEnabled === true
      ? [sse, ...(KmsKeyId === undefined ? [] : [kms])].map((way) => ({ folder: 'CloudTrail-Digest', ...way }))
      : []),
  ];
}

const encryptedBy = (algorithm: string, key: Fact): Facts =>
  new Map([
    ['s3:x-amz-acl', oneOf('bucket-owner-full-control')],
    ['s3:x-amz-server-side-encryption', oneOf(algorithm)],
    ['s3:x-amz-server-side-encryption-aws-kms-key-id', key],
  ]);
