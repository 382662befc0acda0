import { expect, it } from 'vitest';
import { classify } from '../../../src/aws/collect/classify.ts';
import type { CallName } from '../../../src/posture/calls.ts';

const thrown = (name: string, status?: number, more: object = {}) =>
  Object.assign(new Error(name), { name, ...(status ? { $metadata: { httpStatusCode: status } } : {}), ...more });

it.each<[string, CallName, unknown, string]>([
  ['S3 says denied', 'GetBucketPolicy', thrown('AccessDenied', 403), 'access-denied AccessDenied'],
  [
    'CloudTrail says denied',
    'DescribeTrails',
    thrown('AccessDeniedException', 400),
    'access-denied AccessDeniedException',
  ],
  ['a 403 without a body', 'HeadBucket', thrown('Unknown', 403), 'access-denied HTTP 403'],
  ['a 403 page nobody can parse', 'GetTrailStatus', thrown('SyntaxError', 403), 'access-denied HTTP 403'],
  [
    'a 500 page nobody can parse',
    'ListEventDataStores',
    thrown('SyntaxError', undefined, { $response: { statusCode: 500 } }),
    'error HTTP 500',
  ],
  ['a 200 nobody can parse', 'GetObjectRetention', thrown('Error', 200), 'parse HTTP 200'],
  ['another Region', 'GetBucketPolicy', thrown('PermanentRedirect', 301), 'wrong-region PermanentRedirect'],
  ['no bucket is not "no policy"', 'GetBucketPolicy', thrown('NoSuchBucket', 404), 'not-found NoSuchBucket'],
  ['too many', 'GetTrailStatus', thrown('ThrottlingException', 400), 'throttled ThrottlingException'],
  ['slow down', 'GetBucketAcl', thrown('SlowDown', 503), 'throttled SlowDown'],
  ['an expired token is not a missing permission', 'GetBucketAcl', thrown('ExpiredToken', 403), 'error ExpiredToken'],
  ['nobody listens', 'GetBucketAcl', thrown('Error', undefined, { code: 'ECONNREFUSED' }), 'network ECONNREFUSED'],
  ['no credentials', 'GetBucketAcl', thrown('CredentialsProviderError'), 'error CredentialsProviderError'],
  ['not made', 'GetBucketLogging', thrown('NotImplemented', 501), 'unsupported NotImplemented'],
  ['not even an error', 'GetBucketLogging', 'boom', 'error UnknownError'],
])('%s', (_, call, error, expected) => {
  const told = classify(call, error, false);
  expect(told.state === 'unknown' && `${told.reason} ${told.code}`).toBe(expected);
});

it.each<[CallName, unknown, string]>([
  ['GetBucketPolicy', thrown('NoSuchBucketPolicy', 404), 'NoSuchBucketPolicy'],
  ['HeadBucket', thrown('NotFound', 404), 'NotFound'],
  ['GetObjectRetention', thrown('NoSuchObjectLockConfiguration', 404), 'NoSuchObjectLockConfiguration'],
  [
    'GetObjectRetention',
    thrown('InvalidRequest', 400, { message: 'Bucket is missing Object Lock Configuration' }),
    'InvalidRequest',
  ],
])('%s: absence is a fact', (call, error, code) => {
  expect(classify(call, error, false)).toEqual({ state: 'absent', code });
});

it('names the permission and the request, and other accounts as such', () => {
  const error = thrown('AccessDenied', 403, { $metadata: { httpStatusCode: 403, requestId: 'R1' } });
  expect(classify('GetObjectLockConfiguration', error, true)).toEqual({
    state: 'unknown',
    reason: 'cross-account',
    api: 'GetObjectLockConfiguration',
    iamAction: 's3:GetBucketObjectLockConfiguration',
    code: 'AccessDenied',
    requestId: 'R1',
  });
});
