import { z } from 'zod';
import { SEVERITIES } from '../report/finding.ts';
import {
  accountId,
  bucketName,
  days,
  duration,
  keyPrefix,
  principal,
  region,
  roleArn,
  text,
  trailArn,
  url,
} from './fields.ts';
import { REGIMES, type RegimeName } from './regimes.ts';
import { waiver } from './waiver-schema.ts';

const regimeNames = Object.keys(REGIMES) as [RegimeName, ...RegimeName[]];

const retention = z.strictObject({
  lock: z
    .enum(['COMPLIANCE', 'GOVERNANCE'])
    .optional()
    .describe('Object Lock mode that is demanded; COMPLIANCE where nothing is said. GOVERNANCE can be bypassed.'),
  days: days.optional().describe('Days every log must be locked; 365, or what the regime asks for'),
  hotDays: days.optional().describe('Days a log must be readable without a restore; 90, or what the regime asks for'),
  keepDays: days.optional().describe('Days before lifecycle may delete or hide a log; the same as `days` if left out'),
});

const trail = z.union([
  trailArn,
  z.strictObject({
    arn: trailArn,
    bucket: bucketName.optional().describe('Bucket it must write to; the log bucket if there is only one'),
    prefix: keyPrefix.optional(),
  }),
]);

const auditReader = z.union([
  roleArn,
  z.strictObject({
    role: roleArn,
    trustedPrincipals: z.array(principal).optional().describe('Who may assume it'),
    externalId: z.boolean().optional().describe('sts:ExternalId is demanded of other accounts'),
    mfa: z.boolean().optional().describe('A second factor is demanded'),
    iamRead: z.boolean().optional().describe('iam:Get* and iam:List* are in order for it'),
  }),
]);

const logBucket = z.strictObject({
  name: bucketName,
  account: accountId.optional().describe('Account that owns the bucket; asked of S3 with every call'),
  region: region.optional(),
  prefix: keyPrefix.optional().describe('What stands before AWSLogs/'),
  owner: text.optional().describe('Who answers for it; shown in reports'),
  retention: retention.optional(),
  writers: z
    .array(principal)
    .optional()
    .describe('Who may put objects; cloudtrail.amazonaws.com where nothing is said'),
  readers: z.array(principal).optional().describe('Who may read logs'),
  admins: z.array(principal).optional().describe('Who may change policy, lifecycle and lock'),
  replication: z
    .strictObject({ otherAccount: z.boolean().optional(), otherRegion: z.boolean().optional() })
    .optional()
    .describe('A copy elsewhere is demanded'),
});

const stateBucket = z.strictObject({
  name: bucketName,
  account: accountId.optional().describe('Account that owns the bucket'),
  region: region.optional(),
  prefixes: z
    .array(keyPrefix)
    .optional()
    .describe('Keys that must be covered by data events; the whole bucket if left out'),
  readers: z.array(text).optional().describe('Role ARNs or names of pipelines that may read state'),
});

const pipeline = z.strictObject({
  role: roleArn,
  idp: text.optional().describe('Host of the OIDC provider, e.g. token.actions.githubusercontent.com'),
  subjects: z.array(text).optional().describe('Globs for the subject (`sub`) of the token'),
  session: text.optional().describe('Session name with fields in braces, e.g. gha-{runId}-{actor}'),
  from: z.array(text).optional().describe('Names from `networks`'),
  hours: z
    .strictObject({ tz: text, allow: z.array(text).describe('e.g. Mon-Fri 08:00-18:00') })
    .optional()
    .describe('When the pipeline is expected to write'),
});

const verify = z.strictObject({
  accounts: z.array(accountId).optional().describe('--account-id'),
  regions: z.array(region).optional().describe('--region'),
  since: text.optional().describe('--since: 24h, 7d or a date'),
  publicKeys: z.array(text).optional().describe('--public-keys: files'),
  metadata: text.optional().describe('--metadata: file'),
  relocatedFrom: text.optional().describe('--relocated-from: s3://bucket/prefix'),
  requireLock: z
    .string()
    .regex(/^(COMPLIANCE|GOVERNANCE):\d{1,5}$/, 'expected MODE:DAYS, e.g. COMPLIANCE:365')
    .optional()
    .describe('--require-lock: retention each object must carry, e.g. COMPLIANCE:365'),
  maxLogSize: z
    .string()
    .regex(/^[1-9]\d{0,4}(MiB|GiB)$/, 'expected a size, e.g. 4GiB')
    .optional()
    .describe('--max-log-size: what a log file may inflate to (1GiB)'),
  grace: duration.optional().describe('--grace: how late the newest digest may be (4h)'),
  inventory: z.enum(['full', 'digests', 'off']).optional().describe('--inventory'),
  concurrency: z.int().min(1).max(4096).optional().describe('--concurrency: objects in flight'),
  deadline: duration.optional().describe('--deadline'),
  resweep: z
    .string()
    .regex(/^\d{1,3}(\.\d+)?%$/, 'expected a percentage such as 1%')
    .optional()
    .describe('--resweep: share of old days that is verified again'),
});

const posture = z.strictObject({
  deliveryMaxAge: duration.optional().describe('How old the newest delivery may be (24h)'),
  allowExcludeKms: z.boolean().optional().describe('KMS management events may be left out'),
  allowExcludeRdsdata: z.boolean().optional().describe('RDS Data API management events may be left out'),
  digestMaxAge: duration.optional().describe('How old the newest digest delivery may be (3h)'),
  objects: z
    .strictObject({
      sample: z
        .union([z.literal('all'), z.int().min(1)])
        .describe('Versions whose retention is asked; only all can pass'),
      seed: z.int().min(0).optional(),
    })
    .optional()
    .describe('Look at the retention of the objects themselves'),
  optIn: z.array(text).optional().describe('Ids of controls that are off by default, e.g. LIFE-04'),
});

/** `trailseal.yaml`. Everything is optional; keys nobody knows are errors. */
export const configSchema = z
  .strictObject({
    $schema: z.string().optional().describe('Address of this schema, for editors'),
    version: z.literal(1).optional(),
    profile: text.optional().describe('--profile'),
    region: region.optional().describe('Region to ask first; trails are asked in their home Region'),
    endpointUrl: url.optional().describe('--endpoint-url'),

    regime: z
      .union([z.enum(regimeNames), z.array(z.enum(regimeNames))])
      .optional()
      .describe('Retention presets; of several the strictest figures count. Their caveats are printed.'),
    trails: z.array(trail).optional().describe('Trails that must exist; all that are found if left out'),
    organization: z
      .union([
        z.boolean(),
        z.string().regex(/^o-[a-z0-9]{10,32}$/, 'expected true, false or an id such as o-abcde12345'),
      ])
      .optional()
      .describe('true, or the organization id: the trail must be an organization trail'),
    logBuckets: z.array(logBucket).optional(),
    stateBuckets: z.array(stateBucket).optional().describe('Buckets with infrastructure state'),
    auditReaderRole: auditReader.optional().describe('Role of the audit reader, judged for least privilege'),
    keyAdmins: z.array(principal).optional().describe('Who may schedule deletion of, disable or re-grant the KMS key'),
    keyReaders: z.array(principal).optional().describe('Who else may decrypt; readers of the log buckets always may'),

    networks: z.record(z.string(), z.array(text)).optional().describe('Named lists of CIDR ranges or @file#path'),
    pipelines: z.record(z.string(), pipeline).optional(),
    humans: z
      .strictObject({ sso: z.array(text).optional(), breakGlass: z.array(text).optional() })
      .optional()
      .describe('Role-name globs of people'),
    ignore: z.array(text).optional().describe('service:Action globs that no pipeline rule looks at'),

    verify: verify.optional(),
    posture: posture.optional(),
    failOn: z
      .enum(SEVERITIES.filter((severity) => severity !== 'info'))
      .optional()
      .describe('--fail-on: least severity of posture and event findings that fails a run'),
    outputs: z
      .array(z.string().regex(/^[a-z]+=.+$/, 'expected FORMAT=PATH, e.g. junit=reports/trailseal.xml'))
      .optional()
      .describe('--output: FORMAT=PATH; the path - is stdout'),
    checkpoint: text.optional().describe('Where checkpoints are kept: a directory, or s3://bucket/prefix'),
    waivers: z.array(waiver).optional(),
  })
  .meta({ title: 'trailseal.yaml', description: 'What trailseal has to prove and what it may accept' });

export type Config = z.infer<typeof configSchema>;
export type LogBucket = z.infer<typeof logBucket>;
export type StateBucket = z.infer<typeof stateBucket>;
