import { spawnSync } from 'node:child_process';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { iamPolicyCommand } from '../../src/commands/iam-policy.ts';
import { configSchema } from '../../src/config/schema.ts';
import { postureScope } from '../../src/config/scope.ts';
import { CALLS, type Call } from '../../src/posture/calls.ts';
import { absent, known } from '../../src/posture/evidence.ts';
import type { PolicyDocument } from '../../src/posture/reader-policy.ts';
import { ssoRolePatterns } from '../../src/posture/trust-policy.ts';
import { ioInto } from '../support/posture-run.ts';
import { ACCOUNT, findingOf, LOG_BUCKET, snapshot } from '../support/snapshot.ts';

const CONFIG = `
trails: ["arn:aws:cloudtrail:eu-west-2:111122223333:trail/audit"]
logBuckets: [{ name: acme-logs, prefix: org, account: "111122223333" }]
stateBuckets: [{ name: acme-state }]
`;

async function printed(options: object, config = CONFIG): Promise<string> {
  const file = join(await mkdtemp(join(tmpdir(), 'iam-policy-')), 'trailseal.yaml');
  await writeFile(file, config);
  let out = '';
  const io = ioInto(
    (text) => {
      out += text;
    },
    () => undefined,
  );
  const exitCode = await iamPolicyCommand.run({ config: file, ...options } as never, io);
  expect(exitCode).toBe(0);
  return out;
}

const policyOf = async (options: object, config?: string) =>
  JSON.parse(await printed(options, config)) as PolicyDocument;
const actionsOf = ({ Statement }: PolicyDocument) => Statement.flatMap(({ Action }) => Action);

describe('the policy', () => {
  it.each(['verify', 'posture', 'audit'])(
    'for %s allows reading only, and only what a call of the table needs',
    async (command) => {
      const known = new Set(Object.values(CALLS).flatMap(({ iamActions }: Call) => [...iamActions]));
      for (const action of actionsOf(await policyOf({ for: command }))) {
        expect(known).toContain(action);
        expect(action).toMatch(/^[\w-]+:(Get|List|Describe|Decrypt)/);
      }
    },
  );

  it('names the buckets of the config and nothing else of S3', async () => {
    const { Statement } = await policyOf({ for: 'audit' });
    const s3 = Statement.filter(({ Action }) => Action.every((action) => action.startsWith('s3:')));
    expect(s3.map(({ Sid, Resource }) => [Sid, Resource])).toEqual([
      ['Buckets', ['arn:aws:s3:::acme-logs']],
      ['Objects', ['arn:aws:s3:::acme-logs/org/AWSLogs/*']],
      ['AccessPoints', ['arn:aws:s3:*:111122223333:accesspoint/*']],
      ['StateBucketsWhere', ['arn:aws:s3:::acme-state']],
    ]);
  });

  it('lets posture read no log and no verify-only thing', async () => {
    const actions = actionsOf(await policyOf({ for: 'posture' }));
    expect(actions).not.toContain('s3:GetObject');
    expect(actions).not.toContain('kms:Decrypt');
    expect(actions).toContain('s3:GetBucketObjectLockConfiguration');
  });

  it('asks for IAM and for retention only where the scope does', async () => {
    expect(actionsOf(await policyOf({ for: 'posture' })).filter((action) => action.startsWith('iam:'))).toEqual([]);
    expect(actionsOf(await policyOf({ for: 'posture' }))).not.toContain('s3:GetObjectRetention');
    expect(actionsOf(await policyOf({ for: 'posture', objects: true }))).toContain('s3:GetObjectRetention');
  });

  it('decrypts only through S3', async () => {
    const { Statement } = await policyOf({ for: 'verify' });
    const decrypt = Statement.find(({ Action }) => Action.includes('kms:Decrypt'));
    expect(decrypt?.Condition).toEqual({ StringLike: { 'kms:ViaService': 's3.*.amazonaws.com' } });
    expect(decrypt?.Action).toEqual(['kms:Decrypt']);
  });
});

describe('the reader role', () => {
  const role = async (options: object) => JSON.parse(await printed({ readerRole: '', ...options }));

  it('lets in one permission set and no other whose name begins the same', async () => {
    const { TrustPolicy, RoleName } = await role({ ssoPermissionSet: 'Audit', accountId: '999988887777' });
    expect(RoleName).toBe('trailseal-audit-reader');
    expect(TrustPolicy.Statement).toEqual([
      {
        Sid: 'Roles999988887777',
        Effect: 'Allow',
        Principal: { AWS: ['arn:aws:iam::999988887777:root'] },
        Action: ['sts:AssumeRole'],
        Condition: {
          ArnLike: {
            'aws:PrincipalArn': [
              'arn:aws:iam::999988887777:role/aws-reserved/sso.amazonaws.com/AWSReservedSSO_Audit_????????????????',
              'arn:aws:iam::999988887777:role/aws-reserved/sso.amazonaws.com/*/AWSReservedSSO_Audit_????????????????',
            ],
          },
        },
      },
    ]);
  });

  it('names exact principals as such', async () => {
    const { TrustPolicy } = await role({ trust: ['arn:aws:iam::111122223333:role/auditors'] });
    expect(TrustPolicy.Statement).toMatchObject([{ Principal: { AWS: ['arn:aws:iam::111122223333:role/auditors'] } }]);
  });

  const GITHUB = 'arn:aws:iam::111122223333:oidc-provider/token.actions.githubusercontent.com';
  const BRANCH = 'repo:acme/audit:ref:refs/heads/main';

  it('lets in one branch of a repository by its web identity', async () => {
    const { TrustPolicy } = await role({ trust: [GITHUB], trustSubject: [BRANCH] });
    expect(TrustPolicy.Statement).toEqual([
      {
        Sid: 'WebIdentity',
        Effect: 'Allow',
        Principal: { Federated: [GITHUB] },
        Action: ['sts:AssumeRoleWithWebIdentity'],
        Condition: {
          StringEquals: {
            'token.actions.githubusercontent.com:aud': 'sts.amazonaws.com',
            'token.actions.githubusercontent.com:sub': [BRANCH],
          },
        },
      },
    ]);
  });

  it('takes wildcards and another audience, and knows roles beside it', async () => {
    const gitlab = 'arn:aws-us-gov:iam::111122223333:oidc-provider/gitlab.example.com/path';
    const { TrustPolicy } = await role({
      trust: [gitlab, 'arn:aws-us-gov:iam::111122223333:role/auditors'],
      trustSubject: ['project_path:acme/audit:*'],
      trustAudience: 'https://gitlab.example.com',
    });
    expect(TrustPolicy.Statement).toMatchObject([
      { Action: ['sts:AssumeRole'], Principal: { AWS: ['arn:aws-us-gov:iam::111122223333:role/auditors'] } },
      {
        Principal: { Federated: [gitlab] },
        Condition: {
          StringEquals: { 'gitlab.example.com/path:aud': 'https://gitlab.example.com' },
          StringLike: { 'gitlab.example.com/path:sub': ['project_path:acme/audit:*'] },
        },
      },
    ]);
    expect(TrustPolicy.Statement[1].Condition.StringLike).not.toHaveProperty('gitlab.example.com/path:aud');
  });

  it('asks no second factor of a web identity, which has none', async () => {
    const config = JSON.stringify({
      auditReaderRole: { role: 'arn:aws:iam::111122223333:role/r', trustedPrincipals: [GITHUB], mfa: true },
    });
    const { TrustPolicy } = JSON.parse(await printed({ readerRole: '', trustSubject: [BRANCH] }, config));
    expect(JSON.stringify(TrustPolicy)).not.toContain('MultiFactor');
  });

  it.each([
    ['no subject', { trust: [GITHUB] }, /--trust-subject/],
    ['a subject of strangers', { trust: [GITHUB], trustSubject: ['repo:*'] }, /repo:\*: lets in strangers/],
    ['a subject for a role', { trust: ['arn:aws:iam::111122223333:role/a'], trustSubject: [BRANCH] }, /OIDC provider/],
    ['two providers', { trust: [GITHUB, GITHUB.replace('token', 'other')], trustSubject: [BRANCH] }, /one OIDC/],
    ['a SAML provider', { trust: ['arn:aws:iam::111122223333:saml-provider/x'] }, /saml-provider\/x cannot assume/],
    ['a thing that is no principal', { trust: ['arn:aws:s3:::bucket'] }, /cannot assume/],
    ['no role', { readerRole: undefined, trust: [GITHUB], trustSubject: [BRANCH] }, /--reader-role/],
  ])('refuses %s', async (_, options, message) => {
    await expect(role(options)).rejects.toThrow(message);
  });

  it('does not print a role that nobody or anybody may assume', async () => {
    await expect(role({})).rejects.toThrow(/who may assume it/);
  });

  it.each([
    ['a permission set', { ssoPermissionSet: 'Audit' }, ssoRolePatterns('Audit', 'aws', ACCOUNT)],
    ['a named role', { trust: [`arn:aws:iam::${ACCOUNT}:role/auditors`] }, [`arn:aws:iam::${ACCOUNT}:role/auditors`]],
  ])('as it is printed for %s passes the controls of the reader role', async (_, options, trustedPrincipals) => {
    const config = JSON.stringify({
      logBuckets: [{ name: LOG_BUCKET, account: ACCOUNT }],
      auditReaderRole: {
        role: `arn:aws:iam::${ACCOUNT}:role/reader`,
        trustedPrincipals: [...trustedPrincipals],
        iamRead: true,
      },
    });
    const { TrustPolicy, Policy } = JSON.parse(await printed({ readerRole: '', ...options }, config));
    const arn = `arn:aws:iam::${ACCOUNT}:role/reader`;
    const given = snapshot({
      roles: [
        {
          arn,
          role: known({ Arn: arn, AssumeRolePolicyDocument: JSON.stringify(TrustPolicy) }),
          policies: known([{ name: 'trailseal', kind: 'attached', document: known(JSON.stringify(Policy)) }]),
          boundary: absent('NoPermissionsBoundary'),
        },
      ],
    });
    const demanded = postureScope(configSchema.parse(JSON.parse(config)));
    for (const control of ['IAM-01', 'IAM-02']) {
      const { outcome, message } = findingOf(control, given, demanded);
      expect([control, outcome, message]).toEqual([control, 'pass', message]);
    }
  });

  it('is printed whole as Terraform', async () => {
    const text = await printed({
      format: 'terraform',
      readerRole: 'auditor',
      trust: ['arn:aws:iam::111122223333:role/auditors'],
    });
    expect(text).toContain('resource "aws_iam_role" "audit_reader"');
    expect(text).toContain('"s3:GetBucketObjectLockConfiguration",');
    expect(text).toContain('assume_role_policy = jsonencode({');
    expect(text.split('{').length).toBe(text.split('}').length);
  });
});

it('as Terraform the web identity is the same', async () => {
  const text = await printed({
    format: 'terraform',
    readerRole: 'nightly',
    trust: ['arn:aws:iam::111122223333:oidc-provider/token.actions.githubusercontent.com'],
    trustSubject: ['repo:acme/audit:*'],
  });
  const [trust = ''] = text.slice(text.indexOf('assume_role_policy')).split('\n}\n');
  expect(trust).toContain('"sts:AssumeRoleWithWebIdentity",');
  expect(trust).toContain('Federated = [');
  expect(trust).toContain('"token.actions.githubusercontent.com:sub" = [');
  expect(trust).not.toContain('AWS = [');
});

it.each([
  ['s3://acme-memory/trailseal', 'arn:aws:s3:::acme-memory/trailseal/*', 'trailseal/*'],
  ['s3://acme-memory', 'arn:aws:s3:::acme-memory/*', undefined],
])('adds what checkpoints in %s need, and only when asked', async (checkpoint, objects, prefix) => {
  const { Statement } = await policyOf({ checkpoint });
  const { Statement: without } = await policyOf({});
  expect(Statement.slice(0, without.length)).toEqual(without);
  expect(Statement.slice(without.length)).toEqual([
    { Sid: 'Checkpoints', Effect: 'Allow', Action: ['s3:GetObject', 's3:PutObject'], Resource: [objects] },
    {
      Sid: 'CheckpointsThere',
      Effect: 'Allow',
      Action: ['s3:ListBucket'],
      Resource: ['arn:aws:s3:::acme-memory'],
      ...(prefix && { Condition: { StringLikeIfExists: { 's3:prefix': prefix } } }),
    },
  ]);
});

const terraform = (args: readonly string[], input = '', cwd = tmpdir()) =>
  spawnSync('terraform', args, { input, cwd, encoding: 'utf8', env: { ...process.env, CHECKPOINT_DISABLE: '1' } });
const hasTerraform = terraform(['version']).status === 0;
if (!hasTerraform) console.log('terraform is not installed: what is printed for it is not read by it');

describe.skipIf(!hasTerraform)('terraform', () => {
  const ROLE = { readerRole: 'auditor', trust: ['arn:aws:iam::111122223333:role/auditors'] };

  it.each([
    ['a policy', {}],
    ['a role', ROLE],
  ])('would print %s the same way', async (_, options) => {
    const text = await printed({ format: 'terraform', ...options });
    expect(terraform(['fmt', '-'], text)).toMatchObject({ status: 0, stdout: text });
  });

  it('makes of it the policy that is printed as JSON, template signs and all', async () => {
    const config = `logBuckets: [{ name: acme-logs, prefix: "a\${b}%{c}", account: "111122223333" }]`;
    const text = await printed({ format: 'terraform' }, config);
    const [, policy = ''] = /policy = (jsonencode\([\s\S]*?\n {2}\}\))/.exec(text) ?? [];
    const folder = await mkdtemp(join(tmpdir(), 'terraform-'));
    await writeFile(join(folder, 'main.tf'), `output "policy" {\n  value = ${policy}\n}\n`);
    terraform(['init'], '', folder);
    terraform(['apply', '-auto-approve'], '', folder);
    const made = terraform(['output', '-raw', 'policy'], '', folder).stdout;
    expect(JSON.parse(made)).toEqual(await policyOf({}, config));
    expect(made).toContain('acme-logs/a$');
  });
});
