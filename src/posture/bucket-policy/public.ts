import type { Condition } from './condition.ts';
import type { Policy, Statement } from './parse.ts';
import { allowedPrincipals } from './principal.ts';

const FIXING_KEYS = new Set(
  `aws:sourcearn aws:sourcevpc aws:sourcevpce aws:sourceowner aws:sourceaccount aws:principalorgid aws:userid
  s3:x-amz-server-side-encryption-aws-kms-key-id s3:dataaccesspointaccount s3:dataaccesspointarn`.split(/\s+/),
);

/**
 * The statements that make a policy public in S3's sense: they let in everyone, and no condition ties them to a fixed
 * account, network or source. Denies do not count there. Access points that only answer in a VPC are never public,
 * whatever this says.
 */
export function publicStatements(policy: Policy, on: 'bucket' | 'access-point' = 'bucket'): readonly Statement[] {
  return policy.statements.filter(
    (statement) =>
      statement.effect === 'Allow' &&
      allowedPrincipals(statement.principals).some((principal) => principal.kind === 'everyone') &&
      !statement.conditions.some((condition) => fixes(condition, on)),
  );
}

function fixes({ operator, key, values }: Condition, on: 'bucket' | 'access-point'): boolean {
  if (operator.negated || operator.ifExists || operator.quantifier === 'all' || values.length === 0) return false;
  if (key === 'aws:sourceip') return operator.text === 'IpAddress' && values.every(isNarrowRange);
  if (!FIXING_KEYS.has(key)) return false;
  switch (operator.comparison) {
    case 'string':
    case 'string-fold':
      return values.every((value) => !value.includes('${'));
    case 'string-like':
    case 'arn':
      return values.every((value) => isFixed(key, value, on));
    default:
      return false;
  }
}

function isFixed(key: string, value: string, on: 'bucket' | 'access-point'): boolean {
  if (key === 'aws:userid') return /^AROA[A-Z0-9]+:\*$/.test(value) || !/[*?]|\$\{/.test(value);
  const wildName = /^arn:[\w-]+:s3:[\w-]*:\d{12}:accesspoint\/\*$/;
  if (key === 's3:dataaccesspointarn' && on === 'bucket' && wildName.test(value)) return true;
  return !/[*?]|\$\{/.test(value);
}

/** S3 calls a range wider than /8 (IPv4) or /32 (IPv6) public; private ranges are no addresses of the Internet. */
function isNarrowRange(range: string): boolean {
  const [address = '', length] = range.split('/');
  const bits = length === undefined ? null : Number(length);
  if (address.includes(':')) return bits === null || bits >= 32;
  return /^\d{1,3}(?:\.\d{1,3}){3}$/.test(address) && (bits === null || bits >= 8);
}
