import type { Argv } from 'yargs';
import { postureScope } from '../config/scope.ts';
import { callsOf, type JudgingCommand } from '../posture/needs.ts';
import {
  type Place,
  type PolicyDocument,
  readerPolicy,
  ssoRolePatterns,
  trustPolicy,
} from '../posture/reader-policy.ts';
import type { PostureScope, ReaderRoleScope } from '../posture/scope.ts';
import { policyResource, readerModule } from '../posture/terraform.ts';
import { type Command, type Io, UsageError } from './command.ts';
import { loadConfig } from './load-config.ts';

interface IamPolicyOptions {
  readonly for?: JudgingCommand | undefined;
  readonly format?: 'json' | 'terraform' | undefined;
  readonly readerRole?: string | undefined;
  readonly ssoPermissionSet?: string | undefined;
  readonly trust?: readonly string[] | undefined;
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
        describe: 'ARN of a principal that may assume the role',
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
    );
}

async function iamPolicy(options: IamPolicyOptions, io: Io): Promise<number> {
  const loaded = await loadConfig(options.config, io.now());
  const configured = postureScope(loaded?.config ?? {});
  const scope: PostureScope = options.objects
    ? { ...configured, objects: configured.objects ?? { sample: 'all', seed: 0 } }
    : configured;
  const place = placeOf(options, scope);
  const policy = readerPolicy(callsOf(options.for ?? 'audit', scope), scope, place);
  const terraform = options.format === 'terraform';
  if (options.readerRole === undefined) {
    io.out(
      terraform ? policyResource('trailseal_reader', 'Read-only permissions of trailseal', policy) : printed(policy),
    );
    return 0;
  }
  const { name, reader } = readerOf(options, scope, place);
  const trust = trustPolicy(reader, place);
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
