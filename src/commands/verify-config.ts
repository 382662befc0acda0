import type { Config } from '../config/schema.ts';
import type { Severity } from '../report/finding.ts';
import type { EvidenceGiven } from './evidence-options.ts';
import type { MemoryGiven } from './memory-options.ts';
import type { VerifyOptions } from './verify-options.ts';

export interface VerifyGiven
  extends VerifyOptions,
    Omit<EvidenceGiven, 'output'>,
    Omit<MemoryGiven, keyof VerifyOptions> {
  readonly config?: string;
  readonly failOn?: Severity;
  readonly resweep?: string;
}

/** The options as typed, the config's where nothing was typed. What to prove comes whole from one of the two. */
export function withConfig(given: VerifyGiven, config: Config): VerifyGiven {
  const { verify = {} } = config;
  const named = given.trailArn !== undefined || given.s3Bucket !== undefined || given.directory !== undefined;
  const timed = given.startTime !== undefined || given.since !== undefined;
  const said: { readonly [option in keyof VerifyGiven]: VerifyGiven[option] | undefined } = {
    ...(named ? {} : whatOf(config)),
    accountId: verify.accounts,
    region: verify.regions,
    since: timed ? undefined : verify.since,
    publicKeys: verify.publicKeys,
    metadata: given.directory === undefined ? undefined : verify.metadata,
    relocatedFrom: verify.relocatedFrom,
    grace: verify.grace,
    inventory: verify.inventory,
    requireLock: verify.requireLock,
    maxLogSize: verify.maxLogSize,
    concurrency: verify.concurrency,
    deadline: verify.deadline,
    resweep: verify.resweep,
    profile: config.profile,
    endpointUrl: config.endpointUrl,
    output: config.outputs,
    failOn: config.failOn,
    checkpoint: config.checkpoint,
  };
  return { ...defined(said), ...defined(given) } as VerifyGiven;
}

/** The trails; without any, the log bucket if there is just one. */
function whatOf({ trails, logBuckets }: Config): Partial<Pick<VerifyGiven, 'trailArn' | 's3Bucket' | 's3Prefix'>> {
  if (trails !== undefined && trails.length > 0) {
    return { trailArn: trails.map((trail) => (typeof trail === 'string' ? trail : trail.arn)) };
  }
  const [only, ...others] = logBuckets ?? [];
  if (only === undefined || others.length > 0) return {};
  return { s3Bucket: only.name, ...(only.prefix === undefined ? {} : { s3Prefix: only.prefix }) };
}

function defined(options: object): object {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
}
