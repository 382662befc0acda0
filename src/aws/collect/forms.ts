import { z } from 'zod';
import type { CallName } from '../../posture/calls.ts';

const text = z.string().optional();
const flag = z.boolean().optional();
const texts = z.array(z.string()).optional();

/** Members in the form that AWS documents. What else an answer holds is not looked at, and may be of any form. */
const trail = z.looseObject({
  Name: text,
  TrailARN: z.string(),
  HomeRegion: text,
  S3BucketName: text,
  S3KeyPrefix: text,
  KmsKeyId: text,
  CloudWatchLogsLogGroupArn: text,
  CloudWatchLogsRoleArn: text,
  IncludeGlobalServiceEvents: flag,
  IsMultiRegionTrail: flag,
  IsOrganizationTrail: flag,
  LogFileValidationEnabled: flag,
});

const basic = z.looseObject({
  ReadWriteType: text,
  IncludeManagementEvents: flag,
  DataResources: z.array(z.looseObject({ Type: text, Values: texts })).optional(),
  ExcludeManagementEventSources: texts,
});

const field = z.looseObject({
  Field: text,
  Equals: texts,
  NotEquals: texts,
  StartsWith: texts,
  NotStartsWith: texts,
  EndsWith: texts,
  NotEndsWith: texts,
});

/**
 * The answers that most controls rest on. One of another form is that of somebody else than AWS: it is not read, so that
 * `"false"` is no more than `false` is, and a `null` ends nothing.
 */
const FORMS: { readonly [N in CallName]?: z.ZodType } = {
  DescribeTrails: z.looseObject({ trailList: z.array(trail) }),
  GetTrailStatus: z.looseObject({ IsLogging: z.boolean() }),
  GetEventSelectors: z.looseObject({
    EventSelectors: z.array(basic).optional(),
    AdvancedEventSelectors: z
      .array(z.looseObject({ Name: text, FieldSelectors: z.array(field).optional() }))
      .optional(),
  }),
};

export function hasForm(name: CallName, answer: unknown): boolean {
  return FORMS[name]?.safeParse(answer).success ?? true;
}
