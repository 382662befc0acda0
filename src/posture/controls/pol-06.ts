import { fail, look, pass } from '../answer.ts';
import { bucketTarget, oneOf, undenied } from '../bucket-policy/index.ts';
import { control } from '../control.ts';
import { policyOf } from '../log-policy.ts';
import { logBuckets } from '../world.ts';

/** If these are refused over plain HTTP, nothing of a log can travel in the clear. */
const ESSENTIAL = [
  ...['s3:GetObject', 's3:GetObjectVersion', 's3:PutObject', 's3:DeleteObject', 's3:DeleteObjectVersion'],
  ...['s3:ListBucket', 's3:ListBucketVersions'],
];
const PLAIN_HTTP = new Map([['aws:securetransport', oneOf('false')]]);

export const pol06 = control({
  id: 'POL-06',
  title: 'requests without TLS are denied',
  severity: 'high',
  remedy:
    'add a Deny of s3:* for Principal "*" on the bucket and on bucket/* with the one condition Bool aws:SecureTransport false',
  calls: ['GetBucketPolicy'],
  none: 'there is no log bucket',
  over: logBuckets,
  check: (bucket, _, { arn = '' }) =>
    look({ policy: policyOf(bucket) }, ({ policy }) => {
      if (policy === null) return fail('there is no bucket policy to deny requests without TLS');
      const left = undenied(policy, { actions: ESSENTIAL, target: bucketTarget(arn), facts: PLAIN_HTTP });
      if (left.length === 0) return pass('requests without TLS are denied to everyone on bucket and objects');
      const actions = [...new Set(left.flatMap((piece) => piece.actions))];
      const resources = [...new Set(left.flatMap((piece) => piece.resources))];
      return fail(`without TLS ${actions.join(', ')} on ${resources.join(', ')} is not denied to everyone`, {
        actions,
        resources,
      });
    }),
});
