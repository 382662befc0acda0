import type { Argv } from 'yargs';
import { postureScope } from '../config/scope.ts';
import { callsOf, type JudgingCommand } from '../posture/needs.ts';
import { checkpointStatements, type Place, type PolicyDocument, readerPolicy } from '../posture/reader-policy.ts';
import type { PostureScope, ReaderRoleScope } from '../posture/scope.ts';
import { policyResource, readerModule } from '../posture/terraform.ts';
import { ssoRolePatterns, trustPolicy, type WebIdentity } from '../posture/trust-policy.ts';
import { issuerOf, namesSomebody } from '../posture/web-identity.ts';
import { type Command, type Io, UsageError } from './command.ts';
import { loadConfig } from './load-config.ts';

interface IamPolicyOptions {
  readonly for?: JudgingCommand | undefined;
  readonly format?: 'json' | 'terraform' | undefined;
  readonly readerRole?: string | undefined;
  readonly ssoPermissionSet?: string | undefined;
  readonly trust?: readonly string[] | undefined;
  readonly trustSubject?: readonly string[] | undefined;
  readonly trustAudience?: string | undefined;
  readonly checkpoint?: string | undefined;
  readonly accountId?: string | undefined;
  readonly partition?: string | undefined;
  readonly objects?: boolean | undefined;
  readonly config?: string | undefined;
}

export const iamPolicyCommand: Command = { options: iamPolicyOptions, run: iamPolicy };

function iamPolicyOptions(yargs: Argv): Argv {
  return yargs
    .usage(
      'trailseal iam-policy [options]\n\nPrints the least that lets trailseal do its work: Get, List, Describe and Head, on the buckets of the config.',
    )
    .options({
      for: {
        choices: ['verify', 'posture', 'audit'] as const,
        requiresArg: true,
        describe: 'the command to be run; default audit',
      },
      format: { choices: ['json', 'terraform'] as const, requiresArg: true, describe: 'default json' },
      'reader-role': {
        type: 'string',
        describe: 'also the role with its trust policy, under this name (default the one of the config)',
      },
      'sso-permission-set': {
        type: 'string',
        requiresArg: true,
        describe: 'IAM Identity Center permission set that may assume the role',
      },
      trust: {
        type: 'string',
        array: true,
        requiresArg: true,
        describe: 'ARN of a principal, or of an OIDC provider, that may assume the role',
      },
      'trust-subject': {
        type: 'string',
        array: true,
        requiresArg: true,
        describe: 'for an OIDC provider: the sub its tokens must have, such as repo:ORG/REPO:ref:refs/heads/main',
      },
      'trust-audience': {
        type: 'string',
        requiresArg: true,
        describe: 'for an OIDC provider: the aud its tokens must have (default sts.amazonaws.com)',
      },
      checkpoint: {
        type: 'string',
        requiresArg: true,
        describe: 's3://bucket/prefix: also what the job needs to keep its checkpoints there',
      },
      'account-id': {
        type: 'string',
        requiresArg: true,
        describe: 'account the role is in; default that of the config',
      },
      partition: { type: 'string', requiresArg: true, describe: 'aws, aws-cn, aws-us-gov; default that of the config' },
      objects: { type: 'boolean', describe: 'with what posture --objects needs' },
      config: { type: 'string', requiresArg: true, describe: 'config file (default trailseal.yaml when present)' },
    })
    .example('trailseal iam-policy', 'JSON for verify and posture together')
    .example('trailseal iam-policy --for posture --format terraform', 'as a Terraform resource')
    .example(
      'trailseal iam-policy --reader-role audit-reader --sso-permission-set Auditor --account-id 111122223333',
      'a role that people of one permission set assume',
    )
    .example(
      'trailseal iam-policy --reader-role trailseal-nightly --trust arn:aws:iam::111122223333:oidc-provider/token.actions.githubusercontent.com --trust-subject repo:acme/audit:ref:refs/heads/main --format terraform',
      'a role that one branch of a GitHub repository assumes',
    );
}

async function iamPolicy(options: IamPolicyOptions, io: Io): Promise<number> {
  const loaded = await loadConfig(options.config, io.now());
  const configured = postureScope(loaded?.config ?? {});
  const scope: PostureScope = options.objects
    ? { ...configured, objects: configured.objects ?? { sample: 'all', seed: 0 } }
    : configured;
  const place = placeOf(options, scope);
  const reading = readerPolicy(callsOf(options.for ?? 'audit', scope), scope, place);
  const policy = { ...reading, Statement: [...reading.Statement, ...memoryOf(options, place)] };
  const terraform = options.format === 'terraform';
  if (options.readerRole === undefined) {
    refuseTrustAlone(options);
    io.out(
      terraform ? policyResource('trailseal_reader', 'Read-only permissions of trailseal', policy) : printed(policy),
    );
    return 0;
  }
  const { name, reader } = readerOf(options, scope, place);
  const trust = trustPolicy(reader, place, identityOf(options, reader));
  io.out(
    terraform ? readerModule(name, trust, policy) : printed({ RoleName: name, TrustPolicy: trust, Policy: policy }),
  );
  return 0;
}

const printed = (document: PolicyDocument | object): string => `${JSON.stringify(document, null, 2)}\n`;

const DEFAULT_ROLE = 'trailseal-audit-reader';

function placeOf({ accountId, partition }: IamPolicyOptions, scope: PostureScope): Place {
  if (accountId !== undefined && !/^\d{12}$/.test(accountId)) {
    throw new UsageError(`--account-id ${accountId}: expected twelve digits`);
  }
  const arn = (scope.readerRole?.arn ?? scope.trails[0]?.arn ?? '').split(':');
  const owner = scope.logBuckets.find((bucket) => bucket.owner !== null)?.owner;
  return { partition: partition ?? (arn[1] || 'aws'), account: accountId ?? owner ?? (arn[4] || null) };
}

function readerOf(
  { readerRole, trust, ssoPermissionSet }: IamPolicyOptions,
  scope: PostureScope,
  { partition, account }: Place,
): { name: string; reader: ReaderRoleScope } {
  const configured = scope.readerRole;
  const named = readerRole || configured?.arn.split('/').at(-1) || DEFAULT_ROLE;
  if (ssoPermissionSet !== undefined && account === null) {
    throw new UsageError('--sso-permission-set needs --account-id: the roles it makes are in that account');
  }
  const trustedPrincipals = [
    ...(trust ?? configured?.trustedPrincipals ?? []),
    ...(ssoPermissionSet !== undefined && account !== null
      ? ssoRolePatterns(ssoPermissionSet, partition, account)
      : []),
  ];
  if (trustedPrincipals.length === 0) {
    throw new UsageError(
      '--reader-role needs to know who may assume it: --trust ARN, --sso-permission-set NAME or auditReaderRole.trustedPrincipals in the config',
    );
  }
  const arn = `arn:${partition}:iam::${account ?? ''}:role/${named}`;
  return {
    name: named,
    reader: { externalId: false, mfa: false, iamRead: false, ...configured, arn, trustedPrincipals },
  };
}

function memoryOf({ checkpoint }: IamPolicyOptions, place: Place): PolicyDocument['Statement'] {
  if (checkpoint === undefined) return [];
  const [, bucket, prefix = ''] = /^s3:\/\/([^/]+)(?:\/(.*))?$/.exec(checkpoint) ?? [];
  if (bucket === undefined)
    throw new UsageError(`--checkpoint ${checkpoint}: expected s3://bucket or s3://bucket/prefix`);
  return checkpointStatements(bucket, prefix, place);
}

function refuseTrustAlone({ trust, trustSubject, trustAudience, ssoPermissionSet }: IamPolicyOptions): void {
  const given = {
    trust,
    'trust-subject': trustSubject,
    'trust-audience': trustAudience,
    'sso-permission-set': ssoPermissionSet,
  };
  const [name] = Object.entries(given).find(([, value]) => value !== undefined) ?? [];
  if (name !== undefined) throw new UsageError(`--${name} says who may assume a role; give --reader-role NAME as well`);
}

const PRINCIPAL = /^(?:\d{12}|arn:[\w-]+:(?:iam::\d{12}:(?:root$|role\/|user\/)|sts::\d{12}:assumed-role\/))/;

function identityOf({ trustSubject, trustAudience }: IamPolicyOptions, reader: ReaderRoleScope): WebIdentity {
  const providers = reader.trustedPrincipals.filter((principal) => issuerOf(principal) !== null);
  for (const principal of reader.trustedPrincipals) {
    if (issuerOf(principal) === null && !PRINCIPAL.test(principal)) {
      throw new UsageError(
        `${principal} cannot assume a role here: expected the ARN of a role, a user, an account or an OIDC provider`,
      );
    }
  }
  const subjects = trustSubject ?? [];
  if (providers.length === 0 && (subjects.length > 0 || trustAudience !== undefined)) {
    throw new UsageError(
      '--trust-subject and --trust-audience are for an OIDC provider: --trust arn:aws:iam::ACCOUNT:oidc-provider/HOST',
    );
  }
  if (providers.length > 1)
    throw new UsageError(`one OIDC provider a role: ${providers.join(', ')} would share their subjects`);
  if (providers.length === 1 && subjects.length === 0) {
    throw new UsageError(
      `${providers[0]} lets in everybody it knows; say whom: --trust-subject repo:ORG/REPO:ref:refs/heads/main`,
    );
  }
  const open = subjects.find((subject) => !namesSomebody(subject));
  if (open !== undefined) {
    throw new UsageError(
      `--trust-subject ${open}: lets in strangers; a wildcard may follow the name of the owner only, as in repo:ORG/*`,
    );
  }
  return { audience: trustAudience ?? 'sts.amazonaws.com', subjects };
}
