import { describe, expect, it } from 'vitest';
import {
  bucketTarget,
  type Grant,
  grants,
  isHeldBy,
  isPinned,
  lessThan,
  oneOf,
  parsePolicy,
  publicStatements,
  undenied,
  unlike,
} from '../../../src/posture/bucket-policy/index.ts';

const BUCKET = 'arn:aws:s3:::logs';
const OBJECTS = `${BUCKET}/*`;
const BOTH = [BUCKET, OBJECTS];
const TARGET = bucketTarget(BUCKET);
const OWN = '111111111111';
const ROLE = `arn:aws:iam::${OWN}:role/break-glass`;
const OTHER_ROLE = `arn:aws:iam::${OWN}:role/pipeline`;
/** As policies write it: `…role/${aws:PrincipalTag/x}`. */
const VARIABLE_ROLE = ['arn:aws:iam::111111111111:role/$', '{aws:PrincipalTag/x}'].join('');

const policyOf = (...Statement: readonly object[]) => {
  const parsed = parsePolicy({ Version: '2012-10-17', Statement });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.errors));
  return parsed.policy;
};
const found = (...statements: readonly object[]): readonly Grant[] => grants(policyOf(...statements), TARGET);
const granting = (action: string, list: readonly Grant[]) => list.filter((grant) => grant.actions.includes(action));

const allow = (more: object) => ({
  Effect: 'Allow',
  Principal: '*',
  Action: 's3:DeleteObject',
  Resource: OBJECTS,
  ...more,
});
const deny = (more: object) => ({
  Effect: 'Deny',
  Principal: '*',
  Action: 's3:DeleteObject',
  Resource: OBJECTS,
  ...more,
});
const who = (principal: object) => ({ Principal: principal });

describe('whether s3:DeleteObject is granted', () => {
  it.each<[string, boolean, readonly object[]]>([
    ['named', true, [allow({})]],
    ['named in another case', true, [allow({ Action: 'S3:deleteobject' })]],
    ['by s3:*', true, [allow({ Action: 's3:*' })]],
    ['by *', true, [allow({ Action: '*' })]],
    ['by s3:Del?te*', true, [allow({ Action: 's3:Del?te*' })]],
    ['by NotAction of something else', true, [allow({ Action: undefined, NotAction: 's3:GetObject' })]],
    ['not by NotAction of it', false, [allow({ Action: undefined, NotAction: 's3:Delete*' })]],
    ['not by another service', false, [allow({ Action: 'kms:*' })]],
    ['not by another verb', false, [allow({ Action: 's3:Get*' })]],
    ['on a part of the objects', true, [allow({ Resource: `${BUCKET}/AWSLogs/*` })]],
    ['on the bucket and whatever begins like it', true, [allow({ Resource: `${BUCKET}*` })]],
    ['by a short ARN, which AWS fills up', true, [allow({ Resource: 'arn:aws:s3' })]],
    ['not on the bucket alone: objects are not in it', false, [allow({ Resource: BUCKET })]],
    ['not on another bucket', false, [allow({ Resource: 'arn:aws:s3:::logs-old/*' })]],
    ['by NotResource of something else', true, [allow({ Resource: undefined, NotResource: `${BUCKET}/x` })]],
    ['not by NotResource of all', false, [allow({ Resource: undefined, NotResource: `${BUCKET}*` })]],
    ['by a condition that one may meet', true, [allow({ Condition: { Bool: { 'aws:SecureTransport': 'true' } } })]],
    ['by an operator nobody knows', true, [allow({ Condition: { Odd: { k: 'v' } } })]],
    [
      'not by conditions that exclude each other',
      false,
      [allow({ Condition: { StringEquals: { k: 'a' }, StringLike: { k: 'b*' } } })],
    ],
    [
      'not where the caller cannot be so',
      false,
      [allow({ ...who({ AWS: ROLE }), Condition: { ArnEquals: { 'aws:PrincipalArn': OTHER_ROLE } } })],
    ],
    [
      'by conditions that agree but for case',
      true,
      [allow({ Condition: { StringEqualsIgnoreCase: { k: 'abc' }, StringEquals: { k: 'ABC' } } })],
    ],
    [
      'where what a Deny exempts agrees but for case',
      true,
      [
        allow({ Condition: { StringEquals: { k: ['ABC', 'x'] } } }),
        deny({ Condition: { StringNotEqualsIgnoreCase: { k: 'abc' } } }),
      ],
    ],
    [
      'where the Deny speaks of any value and there is none',
      true,
      [
        allow({ Condition: { Null: { k: 'true' } } }),
        deny({ Condition: { 'ForAnyValue:StringNotEquals': { k: 'a' } } }),
      ],
    ],
    [
      'not where the Deny speaks of all values and there is none',
      false,
      [allow({ Condition: { Null: { k: 'true' } } }), deny({ Condition: { 'ForAllValues:StringEquals': { k: 'a' } } })],
    ],
    // Denies
    ['not where it is denied to all', false, [allow({}), deny({})]],
    ['not where the Deny comes first', false, [deny({}), allow({})]],
    ['not where a wider Deny holds', false, [allow({}), deny({ Action: 's3:Delete*', Resource: '*' })]],
    [
      'not where all but other actions are denied',
      false,
      [allow({}), deny({ Action: undefined, NotAction: 's3:Get*' })],
    ],
    ['where the Deny is about another action', true, [allow({}), deny({ Action: 's3:DeleteObjectVersion' })]],
    ['where the Deny covers a part of the objects', true, [allow({}), deny({ Resource: `${BUCKET}/AWSLogs/*` })]],
    [
      'where the Deny covers one pattern and a part of another',
      true,
      [allow({ Resource: [`${BUCKET}/a*`, `${BUCKET}/b*`] }), deny({ Resource: [`${BUCKET}/a*`, `${BUCKET}/b/c`] })],
    ],
    ['where the Deny is about the bucket only', true, [allow({}), deny({ Resource: BUCKET })]],
    ['where the Deny hits one account', true, [allow({}), deny(who({ AWS: OWN }))]],
    ['where the Deny hits a malformed principal', true, [allow({}), deny(who({ AWS: `arn:aws:iam::${OWN}:role/*` }))]],
    ['not to a role whose account is denied', false, [allow(who({ AWS: ROLE })), deny(who({ AWS: OWN }))]],
    ['to a role where another is denied', true, [allow(who({ AWS: ROLE })), deny(who({ AWS: OTHER_ROLE }))]],
    [
      'where the Deny is for plain HTTP only',
      true,
      [allow({}), deny({ Condition: { Bool: { 'aws:SecureTransport': 'false' } } })],
    ],
    [
      'where one of two conditions may fail',
      true,
      [
        allow(who({ AWS: OTHER_ROLE })),
        deny({ Condition: { ArnNotLike: { 'aws:PrincipalArn': ROLE }, Bool: { 'aws:SecureTransport': 'false' } } }),
      ],
    ],
    [
      'not to a role outside the exempted ones',
      false,
      [allow(who({ AWS: OTHER_ROLE })), deny({ Condition: { ArnNotLike: { 'aws:PrincipalArn': ROLE } } })],
    ],
    [
      'to an exempted role',
      true,
      [allow(who({ AWS: ROLE })), deny({ Condition: { ArnNotLike: { 'aws:PrincipalArn': ROLE } } })],
    ],
    [
      'where a value with a variable is exempted',
      true,
      [
        allow(who({ AWS: OTHER_ROLE })),
        deny({
          Condition: { ArnNotLike: { 'aws:PrincipalArn': VARIABLE_ROLE } },
        }),
      ],
    ],
    [
      'not to a role whom NotPrincipal leaves out',
      false,
      [
        allow(who({ AWS: OTHER_ROLE })),
        { ...deny({}), Principal: undefined, NotPrincipal: { AWS: [ROLE, `arn:aws:iam::${OWN}:root`] } },
      ],
    ],
    [
      'to a role that NotPrincipal names',
      true,
      [allow(who({ AWS: ROLE })), { ...deny({}), Principal: undefined, NotPrincipal: { AWS: [ROLE] } }],
    ],
    [
      'to an account of which NotPrincipal names a role',
      true,
      [allow(who({ AWS: OWN })), { ...deny({}), Principal: undefined, NotPrincipal: { AWS: [ROLE] } }],
    ],
  ])('%s: %s', (_, expected, statements) => {
    expect(granting('s3:DeleteObject', found(...statements)).length > 0).toBe(expected);
  });
});

describe('whom a grant reaches', () => {
  it.each<[string, object, string]>([
    ['*', { Principal: '*' }, 'everyone'],
    ['AWS *', { Principal: { AWS: '*' } }, 'everyone'],
    ['NotPrincipal with Allow', { Principal: undefined, NotPrincipal: { AWS: OWN } }, 'everyone'],
    ['a wildcard within an ARN, which AWS refuses', { Principal: { AWS: `arn:aws:iam::${OWN}:role/*` } }, 'everyone'],
    ['an account id', { Principal: { AWS: OWN } }, 'account'],
    ['an account root', { Principal: { AWS: `arn:aws:iam::${OWN}:root` } }, 'account'],
    ['a role', { Principal: { AWS: ROLE } }, 'identity'],
    ['a session', { Principal: { AWS: `arn:aws:sts::${OWN}:assumed-role/a/b` } }, 'identity'],
    ['the id of a role that is gone', { Principal: { AWS: 'AROAEXAMPLE123456789' } }, 'dangling'],
    [
      'an origin access identity',
      { Principal: { AWS: 'arn:aws:iam::cloudfront:user/CloudFront Origin Access Identity E1' } },
      'identity',
    ],
    ['a service', { Principal: { Service: 'cloudtrail.amazonaws.com' } }, 'service'],
    ['a federation', { Principal: { Federated: 'accounts.google.com' } }, 'federated'],
    ['a canonical user', { Principal: { CanonicalUser: 'abc' } }, 'canonical-user'],
  ])('%s', (_, principal, kind) => {
    expect(found(allow(principal)).map((grant) => grant.principal.kind)).toEqual([kind]);
  });

  it.each<[string, boolean, readonly object[]]>([
    ['named', true, [allow(who({ AWS: ROLE }))]],
    ['in a session', true, [allow(who({ AWS: `arn:aws:sts::${OWN}:assumed-role/break-glass/me` }))]],
    ['everyone, tied by a condition', true, [allow({ Condition: { ArnLike: { 'aws:PrincipalArn': ROLE } } })]],
    ['everyone, tied by a Deny', true, [allow({}), deny({ Condition: { ArnNotLike: { 'aws:PrincipalArn': ROLE } } })]],
    [
      'everyone, tied only if the key is there',
      false,
      [allow({ Condition: { ArnLikeIfExists: { 'aws:PrincipalArn': ROLE } } })],
    ],
    [
      'everyone, tied for all values of none',
      false,
      [allow({ Condition: { 'ForAllValues:ArnLike': { 'aws:PrincipalArn': ROLE } } })],
    ],
    [
      'everyone, tied to more roles',
      false,
      [allow({ Condition: { ArnLike: { 'aws:PrincipalArn': [ROLE, OTHER_ROLE] } } })],
    ],
    ['its account', false, [allow(who({ AWS: OWN }))]],
    ['a role of the same name elsewhere', false, [allow(who({ AWS: 'arn:aws:iam::999999999999:role/break-glass' }))]],
    ['a role whose name begins like it', false, [allow(who({ AWS: `${ROLE}-2` }))]],
  ])('the break-glass role alone: %s: %s', (_, expected, statements) => {
    const list = granting('s3:DeleteObject', found(...statements));
    expect(list.length).toBeGreaterThan(0);
    expect(list.every((grant) => isHeldBy(grant, [ROLE]))).toBe(expected);
  });

  it('an account id in the list holds what its identities hold, and no id that only contains it', () => {
    const [grant] = found(allow(who({ AWS: ROLE })));
    expect(grant && isHeldBy(grant, [OWN])).toBe(true);
    expect(grant && isHeldBy(grant, [OWN.slice(1)])).toBe(false);
  });
});

describe('how sure a grant is', () => {
  it.each<[string, Grant['verdict'], readonly object[]]>([
    ['no condition', 'definite', [allow({})]],
    ['a condition', 'conditional', [allow({ Condition: { StringEquals: { k: 'v' } } })]],
    [
      'a condition that always holds of the caller',
      'definite',
      [allow({ ...who({ AWS: ROLE }), Condition: { StringEquals: { 'aws:PrincipalAccount': OWN } } })],
    ],
    [
      'a Deny that takes a part',
      'conditional',
      [allow({}), deny({ Condition: { Bool: { 'aws:SecureTransport': 'false' } } })],
    ],
    ['an operator nobody knows', 'unknown', [allow({ Condition: { Odd: { k: 'v' } } })]],
  ])('%s: %s', (_, verdict, statements) => {
    expect(found(...statements).map((grant) => grant.verdict)).toEqual([verdict]);
  });

  it('a wildcard takes in actions that AWS adds later, unless a Deny does too', () => {
    const [first] = found(allow({ Action: 's3:Delete*' }), deny({ Action: ['s3:DeleteObject*'] }));
    expect(first).toMatchObject({ actions: [], open: ['s3:Delete*'], verdict: 'unknown' });
    expect(found(allow({ Action: 's3:Delete*' }), deny({ Action: ['s3:Del*'] }))).toEqual([]);
  });
});

describe('what a condition pins', () => {
  const TRAIL = `arn:aws:cloudtrail:us-east-1:${OWN}:trail/audit`;
  const pinned = (Condition: object) => {
    const [grant] = found(allow({ ...who({ Service: 'cloudtrail.amazonaws.com' }), Condition }));
    return grant && isPinned(grant, 'aws:sourcearn', [`arn:aws:cloudtrail:*:${OWN}:trail/audit`]);
  };
  it.each<[string, boolean, object]>([
    ['StringEquals', true, { StringEquals: { 'aws:SourceArn': TRAIL } }],
    ['the key in another case', true, { StringEquals: { 'AWS:sourceARN': [TRAIL] } }],
    ['ArnLike within the account', true, { ArnLike: { 'aws:SourceArn': `arn:aws:cloudtrail:*:${OWN}:trail/audit` } }],
    [
      'StringEquals with a star, which is a letter there',
      false,
      { StringEquals: { 'aws:SourceArn': `arn:aws:cloudtrail:*:*:trail/audit` } },
    ],
    ['any trail of the account', false, { StringLike: { 'aws:SourceArn': `arn:aws:cloudtrail:*:${OWN}:trail/*` } }],
    ['only if the key is there', false, { StringEqualsIfExists: { 'aws:SourceArn': TRAIL } }],
    ['all values of none', false, { 'ForAllValues:StringEquals': { 'aws:SourceArn': TRAIL } }],
    ['not equal', false, { StringNotEquals: { 'aws:SourceArn': TRAIL } }],
    ['another key', false, { StringEquals: { 'aws:SourceAccount': OWN } }],
  ])('%s: %s', (_, expected, condition) => {
    expect(pinned(condition)).toBe(expected);
  });
});

describe('what the Denies surely refuse', () => {
  const plainHttp = new Map([['aws:securetransport', oneOf('false')]]);
  const ask = (
    facts: Parameters<typeof undenied>[1]['facts'],
    actions: readonly string[],
    ...statements: readonly object[]
  ) => undenied(policyOf(...statements), { actions, target: TARGET, ...(facts ? { facts } : {}) }).length === 0;
  const tls = (more: object) =>
    deny({ Action: 's3:*', Resource: BOTH, Condition: { Bool: { 'aws:SecureTransport': 'false' } }, ...more });
  const ALL = ['s3:GetObject', 's3:PutObject', 's3:ListBucket'];

  it.each<[string, boolean, readonly object[]]>([
    ['one statement', true, [tls({})]],
    ['a boolean for a string', true, [tls({ Condition: { Bool: { 'aws:SecureTransport': false } } })]],
    ['BoolIfExists', true, [tls({ Condition: { BoolIfExists: { 'aws:SecureTransport': ['false'] } } })]],
    ['two statements, bucket and objects', true, [tls({ Resource: BUCKET }), tls({ Resource: OBJECTS })]],
    ['the bucket only', false, [tls({ Resource: BUCKET })]],
    ['the objects only', false, [tls({ Resource: OBJECTS })]],
    ['some actions only', false, [tls({ Action: 's3:GetObject' })]],
    ['one account only', false, [tls(who({ AWS: OWN }))]],
    ['true for false', false, [tls({ Condition: { Bool: { 'aws:SecureTransport': 'true' } } })]],
    [
      'a further condition',
      false,
      [tls({ Condition: { Bool: { 'aws:SecureTransport': 'false' }, StringEquals: { 'aws:PrincipalOrgID': 'o-1' } } })],
    ],
  ])('plain HTTP: %s: %s', (_, expected, statements) => {
    expect(ask(plainHttp, ALL, ...statements)).toBe(expected);
  });

  it.each<[string, boolean, object]>([
    ['the same days', true, { NumericLessThan: { 's3:object-lock-remaining-retention-days': '365' } }],
    ['more days', true, { NumericLessThan: { 's3:object-lock-remaining-retention-days': 400 } }],
    ['fewer days', false, { NumericLessThan: { 's3:object-lock-remaining-retention-days': '364' } }],
    ['another operator', false, { NumericGreaterThan: { 's3:object-lock-remaining-retention-days': '365' } }],
    [
      'a guard that the key is there',
      true,
      {
        NumericLessThan: { 's3:object-lock-remaining-retention-days': '365' },
        Null: { 's3:object-lock-remaining-retention-days': 'false' },
      },
    ],
  ])('retention of less than 365 days: %s: %s', (_, expected, condition) => {
    const facts = new Map([['s3:object-lock-remaining-retention-days', lessThan(365)]]);
    expect(ask(facts, ['s3:PutObjectRetention'], deny({ Action: 's3:PutObjectRetention', Condition: condition }))).toBe(
      expected,
    );
  });

  it('everybody but the break-glass role', () => {
    const others = new Map([['aws:principalarn', unlike(ROLE)]]);
    const guard = (arn: string) => deny({ Condition: { ArnNotLike: { 'aws:PrincipalArn': arn } } });
    expect(ask(others, ['s3:DeleteObject'], guard(ROLE))).toBe(true);
    expect(ask(others, ['s3:DeleteObject'], guard(OTHER_ROLE))).toBe(false);
    expect(ask(others, ['s3:DeleteObject'], guard(`arn:aws:iam::${OWN}:role/*`))).toBe(false);
  });
});

describe('public in the sense of S3', () => {
  it.each<[string, boolean, object]>([
    ['everyone', true, {}],
    ['an account', false, who({ AWS: OWN })],
    ['an organization', false, { Condition: { StringEquals: { 'aws:PrincipalOrgID': 'o-1' } } }],
    [
      'an organization, if there is one',
      true,
      { Condition: { StringEqualsIfExists: { 'aws:PrincipalOrgID': 'o-1' } } },
    ],
    ['any organization', true, { Condition: { StringLike: { 'aws:PrincipalOrgID': 'o-*' } } }],
    ['a network', false, { Condition: { IpAddress: { 'aws:SourceIp': '192.0.2.0/24' } } }],
    ['half the Internet', true, { Condition: { IpAddress: { 'aws:SourceIp': '128.0.0.0/1' } } }],
    ['a wide IPv6 range', true, { Condition: { IpAddress: { 'aws:SourceIp': '2001::/16' } } }],
    ['all but a network', true, { Condition: { NotIpAddress: { 'aws:SourceIp': '192.0.2.0/24' } } }],
    ['TLS', true, { Condition: { Bool: { 'aws:SecureTransport': 'true' } } }],
    ['the access points of an account', false, { Condition: { StringEquals: { 's3:DataAccessPointAccount': OWN } } }],
  ])('%s: %s', (_, expected, more) => {
    expect(publicStatements(policyOf(allow(more))).length > 0).toBe(expected);
  });
});
