import { expect, it } from 'vitest';
import { parsePolicy } from '../../../src/posture/bucket-policy/index.ts';

const GOOD = { Effect: 'Allow', Principal: '*', Action: 's3:GetObject', Resource: 'arn:aws:s3:::logs/*' };
const policy = (statement: object) => ({ Version: '2012-10-17', Statement: [statement] });

it.each([
  ['one statement without a list', { Version: '2012-10-17', Statement: GOOD }],
  ['no version', { Statement: [GOOD] }],
  ['an id and a sid', { Id: 'x', Version: '2008-10-17', Statement: [{ ...GOOD, Sid: 'y' }] }],
  [
    'NotAction, NotPrincipal and NotResource',
    policy({ Effect: 'Deny', NotPrincipal: '*', NotAction: 'a:b', NotResource: '*' }),
  ],
  [
    'condition values of every kind',
    policy({ ...GOOD, Condition: { Bool: { k: true }, NumericLessThan: { n: [1, '2'] } } }),
  ],
  ['an operator nobody knows', policy({ ...GOOD, Condition: { StringAlmost: { k: 'v' } } })],
])('takes %s', (_, document) => {
  expect(parsePolicy(document).ok).toBe(true);
  expect(parsePolicy(JSON.stringify(document)).ok).toBe(true);
});

it.each([
  ['', 'no JSON', '{'],
  ['', 'nothing', ''],
  ['', 'a list', '[]'],
  ['', 'null', 'null'],
  ['', 'a key given twice', '{"Statement":[],"Statement" : []}'],
  ['', 'a key given twice, once escaped', `{"Statement":[{"Effect":"Deny","\\u0045ffect":"Allow"}]}`],
  ['', 'too long a text', `${' '.repeat(50_000)}{}`],
  ['Version', 'another version', { Version: '2030-01-01', Statement: [GOOD] }],
  ['Policy', 'an unknown element', { Policy: 1, Statement: [GOOD] }],
  ['Statement[0]', 'no statement', { Version: '2012-10-17' }],
  ['Statement', 'an empty list of statements', { Statement: [] }],
  ['Statement[0].Effekt', 'an unknown element of a statement', policy({ ...GOOD, Effekt: 'Allow' })],
  ['Statement[0].Effect', 'an effect in lower case', policy({ ...GOOD, Effect: 'allow' })],
  ['Statement[0].Principal', 'no principal', policy({ ...GOOD, Principal: undefined })],
  ['Statement[0].Principal', 'a principal that is an ARN alone', policy({ ...GOOD, Principal: 'arn:aws:iam::1:root' })],
  ['Statement[0].Principal', 'nobody', policy({ ...GOOD, Principal: {} })],
  ['Statement[0].Principal.AWS', 'an empty list of principals', policy({ ...GOOD, Principal: { AWS: [] } })],
  [
    'Statement[0].Principal.Everybody',
    'an unknown kind of principal',
    policy({ ...GOOD, Principal: { Everybody: '*' } }),
  ],
  ['Statement[0].Action', 'Action beside NotAction', policy({ ...GOOD, NotAction: 's3:*' })],
  ['Statement[0].Action', 'a number for an action', policy({ ...GOOD, Action: 7 })],
  ['Statement[0].Resource', 'no resource', policy({ ...GOOD, Resource: undefined })],
  ['Statement[0].Condition', 'a condition that is a list', policy({ ...GOOD, Condition: [] })],
  ['Statement[0].Condition.Bool', 'an operator without keys', policy({ ...GOOD, Condition: { Bool: 'true' } })],
  ['Statement[0].Condition.Bool.k', 'an object for a value', policy({ ...GOOD, Condition: { Bool: { k: {} } } })],
])('refuses at %s: %s', (path, _, document) => {
  const result = parsePolicy(document);
  expect(result.ok ? [] : result.errors.map((error) => error.path)).toEqual([path]);
});

it('takes a principal in a trust policy without resources, and none in an identity policy', () => {
  const { Resource, ...trust } = { ...GOOD, Action: 'sts:AssumeRole' };
  const { Principal, ...identity } = GOOD;
  expect(parsePolicy(policy(trust), 'trust').ok).toBe(true);
  expect(parsePolicy(policy(trust)).ok).toBe(false);
  expect(parsePolicy(policy(identity), 'identity').ok).toBe(true);
  expect(parsePolicy(policy(GOOD), 'identity').ok).toBe(false);
});
